import { SalonError } from '../../contract/errors.ts';
import type { DayContext } from '../../contract/spoken-day.ts';
import { readSpokenTime, type SpokenTime } from '../../contract/spoken-time.ts';
import { createZoneClock, dayMs, hourMs, toMinutes, toUtcText, type ZoneClock } from '../../contract/time.ts';

export interface MomentContext {
  readonly now: Date;
  /** IANA name of the time zone for days and local times. */
  readonly timeZone: string;
  /** What a day means: its first instant, or the first one after it. */
  readonly edge: 'start' | 'end';
  /** Whether to refuse what is not one exact time to come: a day alone, or a local time that a clock change skips. */
  readonly isExact?: boolean;
  /** An instant: weekdays and days without a year are the first ones from its day on, such as the start of a range. */
  readonly since?: string;
}

/**
 * Parses a point in time as people write it into a UTC instant ending in `Z`. `today`, `fri`, `next fri`, `+7d`,
 * `24/11/2026` and `2026-11-21` are days in the time zone; `fri 3pm`, `tomorrow 15:00`, `15:00` (today) and
 * `2026-11-21T09:30` are local times; `now`, `+3h`, `-30m` and RFC 3339 are instants. A local time that occurs twice is
 * its first occurrence; a skipped one is the first instant after the gap. Throws `usage` for anything else.
 */
export function parseMoment(text: string, context: MomentContext): string {
  const instant = findMoment(text, context);
  if (instant !== undefined) return instant;
  throw new SalonError('usage', `"${text}" is not a date or time.`, {
    hint: 'For example today, fri 3pm, tomorrow 15:00, +7d, 24/11/2026 or 2026-11-21T09:30.',
  });
}

/** Reads a text as `parseMoment` does; undefined for one that is no date or time at all. */
export function findMoment(text: string, context: MomentContext): string | undefined {
  const { now, timeZone, edge } = context;
  const exactMs = parseInstant(text.trim().toLowerCase()) ?? parseElapsed(text.trim().toLowerCase(), now);
  if (exactMs !== undefined) return toInstant(exactMs);
  const zone = createZoneClock(timeZone);
  const spoken = readSpokenTime(text, toDayContext(context, zone));
  if (spoken === undefined) return undefined;
  const { startMs, endMs } = spoken.time ?? { startMs: 0, endMs: dayMs };
  const localMs = spoken.dayMs + (edge === 'start' ? startMs : endMs);
  if (!isInRange(localMs)) return undefined;
  const instantMs = zone.earliest(localMs);
  if (context.isExact === true) {
    if (startMs !== endMs) throw noTime(text, spoken);
    if (zone.wall(instantMs) !== localMs) throw skippedTime(text, timeZone);
    if (spoken.isWeekday && instantMs < now.getTime()) throw pastWeekday(text);
  }
  return toInstant(instantMs);
}

function toDayContext({ now, since, isExact }: MomentContext, zone: ZoneClock): DayContext {
  const toDay = (instantMs: number) => Math.floor(zone.wall(instantMs) / dayMs) * dayMs;
  const todayMs = toDay(now.getTime());
  if (since !== undefined) return { todayMs, sinceMs: toDay(Date.parse(since)) };
  return { todayMs, sinceMs: isExact === true ? todayMs : undefined };
}

/** A duration such as `45`, `1h30m` or `PT1H30M` as whole minutes. Throws `usage`, naming the flag. */
export function parseMinutes(text: string, flag = '--duration'): number {
  const minutes = toMinutes(text);
  if (minutes !== undefined) return minutes;
  throw new SalonError('usage', `${flag} needs a duration in whole minutes, not "${text}".`, {
    hint: 'For example 45, 45m, 1h30m or PT45M.',
  });
}

/** Whether a text is the name of a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

function parseInstant(text: string): number | undefined {
  const [, local, zone] = /^([\d-]{10}[t ][\d:.]{5,18})(z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  if (local === undefined || zone === undefined) return undefined;
  // A Date holds milliseconds; some services send more digits.
  const localMs = parseLocal(
    local.replace(/(\.\d{3})\d+$/, '$1'),
    /^.{10}.\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/,
  );
  const offsetMs = parseOffset(zone);
  return localMs === undefined || offsetMs === undefined ? undefined : localMs - offsetMs;
}

function parseOffset(zone: string): number | undefined {
  if (zone === 'z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * hourMs + minutes * 60_000);
}

function parseElapsed(text: string, now: Date): number | undefined {
  if (text === 'now') return now.getTime();
  const [, amount, unit] = /^([+-]\d{1,6})(h|m)$/.exec(text) ?? [];
  return amount === undefined ? undefined : now.getTime() + Number(amount) * (unit === 'h' ? hourMs : 60_000);
}

/** A day or local time of the given shape as wall-clock milliseconds; undefined for 30 February and the like. */
function parseLocal(text: string, shape: RegExp): number | undefined {
  if (!shape.test(text)) return undefined;
  const iso = text.replace(/[t ]/, 'T');
  const wallMs = Date.parse(iso.length === 10 ? `${iso}T00:00Z` : `${iso}Z`);
  if (Number.isNaN(wallMs)) return undefined;
  return new Date(wallMs).toISOString().startsWith(iso.slice(0, 16)) ? wallMs : undefined;
}

function isInRange(ms: number): boolean {
  return ms >= Date.UTC(1000, 0) && ms < Date.UTC(10_000, 0);
}

function toInstant(instantMs: number): string | undefined {
  return isInRange(instantMs) ? toUtcText(instantMs) : undefined;
}

function noTime(text: string, { time }: SpokenTime): SalonError {
  const hint = time === undefined ? `Add one, e.g. "${text} 15:00".` : 'Write a time such as 15:00 or 3pm.';
  return new SalonError('usage', `"${text}" is not a time of day.`, { hint });
}

function skippedTime(text: string, timeZone: string): SalonError {
  return new SalonError('usage', `"${text}" does not exist in ${timeZone}: clocks go forward then.`, {
    hint: 'Choose another time.',
  });
}

/** "fri 3pm", said on a Friday at four. */
function pastWeekday(text: string): SalonError {
  return new SalonError('usage', `"${text}" is earlier today.`, {
    hint: 'For next week, write "next" before the weekday; for today, write "today".',
  });
}
