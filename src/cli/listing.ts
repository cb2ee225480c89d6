import type { Call } from './frame.ts';
import type { ListFlags } from './options.ts';
import { parseMoment } from './parse/days.ts';
import { parseCount, parseKeyValue } from './parse/values.ts';

/** A point in time as a flag gives it, and which end of a bare day it means. */
export interface Moment {
  readonly text: string | undefined;
  readonly edge: 'start' | 'end';
}

export interface Listing {
  /** Query parameters: moments as UTC instants, the order, and whatever --param adds. */
  readonly query: Record<string, string>;
  readonly options: { readonly limit?: number };
}

/** What every list command makes of its flags. Days are days in the salon's zone. Throws `usage`. */
export async function readListing(call: Call<ListFlags>, moments: Record<string, Moment>): Promise<Listing> {
  const { flags, io } = call;
  const { timeZone } = (await call.session()).settings;
  const query: Record<string, string> = {};
  for (const [name, { text, edge }] of Object.entries(moments)) {
    if (text !== undefined)
      query[name] = parseMoment(text, { now: io.now(), timeZone: timeZone.value, edge });
  }
  if (flags.sort !== undefined) query['sort'] = flags.sort;
  for (const text of flags.param ?? []) {
    const [name, value] = parseKeyValue(text, '--param');
    query[name] = value;
  }
  return { query, options: flags.limit === undefined ? {} : { limit: parseCount(flags.limit, '--limit') } };
}
