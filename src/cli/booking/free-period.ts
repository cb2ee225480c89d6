import { SalonError } from '../../contract/errors.ts';
import { createZoneClock, dayMs } from '../../contract/time.ts';
import { findMoment, type MomentContext } from '../flags/days.ts';
import { toDefinedFields } from '../flags/fields.ts';
import { parseRange } from '../flags/ranges.ts';
import { parsePeriod } from '../report/period.ts';

/** The time in which somebody is to be free, in UTC instants. Equal where one moment is meant. */
export interface FreePeriod {
  readonly fromMs: number;
  readonly toMs: number;
}

type Moments = Pick<MomentContext, 'now' | 'timeZone'>;

const mostDays = 92;
const furthestDays = 5 * 366;

/** Parses `tomorrow 15:00`, `sat morning`, `next week`, or a range. Throws `usage`, also for what has passed. */
export function parseFreePeriod(
  words: readonly string[],
  range: { readonly from?: string | undefined; readonly to?: string | undefined },
  moments: Moments,
): FreePeriod {
  const text = words.join(' ').trim();
  const hasRange = range.from !== undefined || range.to !== undefined;
  if (words.length > 0 && text === '') {
    throw new SalonError('usage', 'The day or time is empty.', { hint: 'Leave it out for today.' });
  }
  if (text !== '' && hasRange) {
    throw new SalonError('usage', `Pass either "${text}" or --from and --to, not both.`);
  }
  const { fromMs, toMs } = hasRange ? toRange(range, moments) : toPeriod(text || 'today', moments);
  const nowMs = moments.now.getTime();
  const isMoment = fromMs === toMs;
  // "now" is a moment that has just passed.
  if (isMoment ? toMs < nowMs : toMs <= nowMs) {
    throw new SalonError('usage', `${text === '' ? 'The range' : `"${text}"`} is in the past.`, {
      hint: 'Choose a time to come.',
    });
  }
  if (toMs > nowMs + furthestDays * dayMs) {
    throw new SalonError(
      'usage',
      `${text === '' ? 'The range' : `"${text}"`} is more than five years ahead.`,
    );
  }
  if (toMs - fromMs > mostDays * dayMs) {
    throw new SalonError('usage', `The range has more than ${mostDays} days.`, {
      hint: 'Choose a shorter one.',
    });
  }
  return { fromMs: Math.max(fromMs, nowMs), toMs };
}

function toRange(
  range: { readonly from?: string | undefined; readonly to?: string | undefined },
  moments: Moments,
) {
  const { from = moments.now.toISOString(), to } = parseRange(
    { from: 'now', ...toDefinedFields(range) },
    moments,
  );
  const zone = createZoneClock(moments.timeZone);
  const fromMs = Date.parse(from);
  if (to !== undefined) return { fromMs, toMs: Date.parse(to) };
  return { fromMs, toMs: zone.earliest(Math.floor(zone.wall(fromMs) / dayMs) * dayMs + 7 * dayMs) };
}

function toPeriod(text: string, moments: Moments): FreePeriod {
  const [from, to] = (['start', 'end'] as const).map((edge) =>
    findMoment(text, { ...moments, edge, since: moments.now.toISOString() }),
  );
  if (from !== undefined && to !== undefined) return { fromMs: Date.parse(from), toMs: Date.parse(to) };
  const period = findNamedPeriod(text, moments);
  const zone = createZoneClock(moments.timeZone);
  return { fromMs: zone.earliest(period.from), toMs: zone.earliest(period.to) };
}

function findNamedPeriod(text: string, moments: Moments) {
  try {
    return parsePeriod({ period: text }, { ...moments, endsToday: false });
  } catch (cause) {
    if (!(cause instanceof SalonError)) throw cause;
    throw new SalonError('usage', `"${text}" is not a day or time.`, {
      cause,
      hint: 'For example today, tomorrow 15:00, sat morning, 24/11/2026, next week, or --from and --to.',
    });
  }
}
