import { SalonError } from '../../contract/errors.ts';
import { createZoneClock, toMinutes, type ZoneClock } from '../../contract/time.ts';

export interface MomentContext {
  readonly now: Date;
  /** IANA name of the time zone for days and local times. */
  readonly timeZone: string;
  /** What a day means: its first instant, or the first one after it. */
  readonly edge: 'start' | 'end';
  /** Whether to refuse a local time that a clock change skips. */
  readonly refuseSkipped?: boolean;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * Parses a point in time as people write it into a UTC instant ending in `Z`. `today`, `tomorrow`, `yesterday`, `+7d`,
 * `-2w` and `2026-11-21` are days in the time zone; `now`, `+3h`, `-30m`, `2026-11-21T09:30` (local) and RFC 3339 are
 * instants. A local time that occurs twice is its first occurrence; a skipped one is the first instant after the gap.
 * Throws `usage` for anything else.
 */
export function parseMoment(text: string, context: MomentContext): string {
  const { now, timeZone } = context;
  const wanted = text.trim().toLowerCase();
  const instantMs = parseInstant(wanted);
  if (instantMs !== undefined) return toInstant(instantMs, text);
  const elapsedMs = parseElapsed(wanted);
  if (elapsedMs !== undefined) return toInstant(now.getTime() + elapsedMs, text);
  const zone = createZoneClock(timeZone);
  const days = parseDayCount(wanted);
  if (days !== undefined)
    return toInstant(dayEdge(today(now, zone) + days * dayMs, zone, context.edge), text);
  const dayStart = parseLocal(wanted, /^\d{4}-\d{2}-\d{2}$/);
  if (dayStart !== undefined) return toInstant(dayEdge(dayStart, zone, context.edge), text);
  const local = parseLocal(wanted, /^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/);
  if (local !== undefined) {
    const earliest = zone.earliest(local);
    if (context.refuseSkipped && zone.wall(earliest) !== local) throw skippedTime(text, timeZone);
    return toInstant(earliest, text);
  }
  throw notAMoment(text);
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

function parseElapsed(text: string): number | undefined {
  if (text === 'now') return 0;
  const [, amount, unit] = /^([+-]\d{1,6})(h|m)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unit === 'h' ? hourMs : 60_000);
}

function parseDayCount(text: string): number | undefined {
  const named: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
  if (Object.hasOwn(named, text)) return named[text];
  const [, amount, unit] = /^([+-]\d{1,6})(d|w)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unit === 'w' ? 7 : 1);
}

/** A day or local time of the given shape as wall-clock milliseconds; undefined for 30 February and the like. */
function parseLocal(text: string, shape: RegExp): number | undefined {
  if (!shape.test(text)) return undefined;
  const iso = text.replace(/[t ]/, 'T');
  const wallMs = Date.parse(iso.length === 10 ? `${iso}T00:00Z` : `${iso}Z`);
  if (Number.isNaN(wallMs)) return undefined;
  return new Date(wallMs).toISOString().startsWith(iso.slice(0, 16)) ? wallMs : undefined;
}

function today(now: Date, zone: ZoneClock): number {
  return Math.floor(zone.wall(now.getTime()) / dayMs) * dayMs;
}

function dayEdge(dayStart: number, zone: ZoneClock, edge: 'start' | 'end'): number {
  return zone.earliest(edge === 'start' ? dayStart : dayStart + dayMs);
}

function toInstant(instantMs: number, text: string): string {
  const instant = new Date(instantMs);
  if (!(instant.getTime() >= Date.UTC(1000, 0) && instant.getTime() < Date.UTC(10_000, 0)))
    throw notAMoment(text);
  return instant.toISOString().replace('.000Z', 'Z');
}

function skippedTime(text: string, timeZone: string): SalonError {
  return new SalonError('usage', `"${text}" does not exist in ${timeZone}: clocks go forward then.`, {
    hint: 'Choose another time.',
  });
}

function notAMoment(text: string): SalonError {
  return new SalonError('usage', `"${text}" is not a date or time.`, {
    hint: 'For example today, tomorrow, +7d, -2w, 2026-11-21 or 2026-11-21T09:30.',
  });
}
