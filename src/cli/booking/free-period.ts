import { SalonError } from '../../contract/errors.ts';
import { startOfDay } from '../../contract/local-days.ts';
import { createZoneClock, dayMs, type TimeSpan } from '../../contract/time.ts';
import { findSpan, type MomentContext, parseRange, type Range } from '../flags/moments.ts';
import { parsePeriod } from '../flags/periods.ts';

const maxDays = 92;
const furthestDays = 5 * 366;

/**
 * Parses the time in which somebody is to be free: `tomorrow 15:00`, `sat morning`, `next week`, or a range. Both ends
 * are the same where one moment is meant. Throws `usage`, also for what has passed.
 */
export function parseFreePeriod(words: readonly string[], range: Range, moments: MomentContext): TimeSpan {
  const text = words.join(' ').trim();
  const hasRange = range.from !== undefined || range.to !== undefined;
  if (words.length > 0 && text === '') {
    throw new SalonError('usage', 'The day or time is empty.', { hint: 'Leave it out for today.' });
  }
  if (text !== '' && hasRange) {
    throw new SalonError('usage', `Pass either "${text}" or --from and --to, not both.`);
  }
  const { startMs, endMs } = hasRange ? toSpan(range, moments) : findPeriod(text || 'today', moments);
  const nowMs = moments.now.getTime();
  const subject = text === '' ? 'The range' : `"${text}"`;
  // "now" is a moment that has just passed.
  if (startMs === endMs ? endMs < nowMs : endMs <= nowMs) {
    throw new SalonError('usage', `${subject} is in the past.`, { hint: 'Choose a time to come.' });
  }
  if (endMs > nowMs + furthestDays * dayMs) {
    throw new SalonError('usage', `${subject} is more than five years ahead.`);
  }
  if (endMs - startMs > maxDays * dayMs) {
    throw new SalonError('usage', `The range has more than ${maxDays} days.`, {
      hint: 'Choose a shorter one.',
    });
  }
  return { startMs: Math.max(startMs, nowMs), endMs };
}

/** From now on, and for a week, unless the range says otherwise. */
function toSpan(range: Range, moments: MomentContext): TimeSpan {
  const { from = '', to } = parseRange({ ...range, from: range.from ?? 'now' }, moments);
  const startMs = Date.parse(from);
  if (to !== undefined) return { startMs, endMs: Date.parse(to) };
  const { wall, earliest } = createZoneClock(moments.timeZone);
  return { startMs, endMs: earliest(startOfDay(wall(startMs)) + 7 * dayMs) };
}

function findPeriod(text: string, moments: MomentContext): TimeSpan {
  const span = findSpan(text, { ...moments, sinceMs: moments.now.getTime() });
  if (span !== undefined) return span;
  const { earliest } = createZoneClock(moments.timeZone);
  try {
    const { from, to } = parsePeriod({ period: text }, { ...moments, endsToday: false });
    return { startMs: earliest(from), endMs: earliest(to) };
  } catch (cause) {
    if (!(cause instanceof SalonError)) throw cause;
    throw new SalonError('usage', `"${text}" is not a day or time.`, {
      cause,
      hint: 'For example today, tomorrow 15:00, sat morning, 24/11/2026, next week, or --from and --to.',
    });
  }
}
