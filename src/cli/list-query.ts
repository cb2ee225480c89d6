import type { ListOptions } from '../client/resources/list.ts';
import { parseMoment } from './flags/days.ts';
import type { ListFlags } from './flags/options.ts';
import { parseCount, parseKeyValue } from './flags/values.ts';
import type { CommandContext } from './session/command-context.ts';

/** A filter as a flag gives it: text that goes on as it is, or a moment with the end of a bare day it means. */
export type Filter =
  | string
  | undefined
  | { readonly moment: string | undefined; readonly edge: 'start' | 'end' };

export interface Listing {
  /** Query parameters: moments as UTC instants, and the order. */
  readonly query: Readonly<Record<string, string>>;
  readonly options: ListOptions;
}

/** What every list command makes of its flags. Days are days in the salon's zone. Throws `usage`. */
export async function readListing(
  { flags, io, session }: CommandContext<ListFlags>,
  filters: Readonly<Record<string, Filter>>,
): Promise<Listing> {
  const { limit, param = [], sort } = flags;
  const timeZone = (await session()).settings.timeZone.value;
  const toText = (filter: Filter) => {
    if (typeof filter !== 'object' || filter.moment === undefined) return filter;
    return parseMoment(filter.moment, { now: io.now(), timeZone, edge: filter.edge });
  };
  const texts = Object.entries({ ...filters, sort }).map(([name, filter]) => [name, toText(filter)] as const);
  return {
    query: Object.fromEntries(
      texts.filter((pair): pair is readonly [string, string] => typeof pair[1] === 'string'),
    ),
    options: {
      limit: limit === undefined ? undefined : parseCount(limit, '--limit'),
      parameters: Object.fromEntries(param.map((text) => parseKeyValue(text, '--param'))),
    },
  };
}
