import { SalonError } from '../../contract/errors.ts';
import { renderLongDay } from '../../contract/spoken-day.ts';
import { createZoneClock } from '../../contract/time.ts';
import { type MomentContext, parseMoment } from './days.ts';

/** A time span as flags give it, or as UTC instants; an open end is undefined. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Parses `--from` and `--to` into UTC instants, the second exclusive. A weekday or time alone in `--to` is the first one
 * from `--from` on; a day in it is included. Throws `usage`, also for a range that ends before it begins.
 */
export function parseRange(range: Range, context: Pick<MomentContext, 'now' | 'timeZone'>): Range {
  const from = range.from === undefined ? undefined : parseMoment(range.from, { ...context, edge: 'start' });
  if (range.to === undefined) return { from, to: undefined };
  const since = from === undefined ? {} : { since: from };
  const to = parseMoment(range.to, { ...context, ...since, edge: 'end' });
  const toStart = parseMoment(range.to, { ...context, ...since, edge: 'start' });
  if (from !== undefined && isBefore(toStart, from) && !isBefore(from, to)) {
    throw backwards(range, { from, to }, context.timeZone);
  }
  return { from, to };
}

function isBefore(one: string, other: string): boolean {
  return Date.parse(one) < Date.parse(other);
}

function backwards(
  range: Range,
  { from, to }: { readonly from: string; readonly to: string },
  timeZone: string,
): SalonError {
  const { wall } = createZoneClock(timeZone);
  const [first, last] = [wall(Date.parse(from)), wall(Date.parse(to) - 1)];
  const isOneDay = renderLongDay(first) === renderLongDay(last);
  const render = (ms: number) => (isOneDay ? new Date(ms).toISOString().slice(11, 16) : renderLongDay(ms));
  return new SalonError(
    'usage',
    `The range ends before it begins: from ${render(first)} to ${render(isOneDay ? last + 1 : last)}.`,
    { hint: `Swap ${range.from} and ${range.to}, or correct one of them.` },
  );
}
