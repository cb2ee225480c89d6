import type { ListOptions } from '../client/resources/list.ts';
import { parseMoment } from './flags/days.ts';
import type { ListFlags } from './flags/options.ts';
import { parseCount, parseKeyValue } from './flags/values.ts';
import type { CommandContext } from './session/command-context.ts';

/** A filter's value: text, or a time in which a day alone means its start or its end. */
export type Filter =
  | string
  | undefined
  | { readonly moment: string | undefined; readonly edge: 'start' | 'end' };

export interface ListQuery {
  /** Query parameters; times as UTC instants. */
  readonly query: Readonly<Record<string, string>>;
  readonly options: ListOptions;
}

/** The query of a list command. Days are in the salon's time zone. Throws `usage`. */
export async function readListQuery(
  { flags, io, session }: CommandContext<ListFlags>,
  filters: Readonly<Record<string, Filter>>,
): Promise<ListQuery> {
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
