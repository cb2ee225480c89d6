export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoInstant =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The first and last instants that RFC 3339 can represent in UTC. */
const minMs = Date.parse('0000-01-01T00:00:00Z');
export const lastInstantMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Parses `YYYY-MM-DD` into the Unix milliseconds of midnight in UTC; undefined if there is no such date. */
export function parseDay(text: string): number | undefined {
  const ms = isoDate.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse reads 30 February as 2 March.
  return new Date(ms).getUTCDate() === Number(text.slice(8)) ? ms : undefined;
}

/** Parses an RFC 3339 time with a zone into Unix milliseconds and its text in UTC; undefined for anything else. */
export function parseInstant(text: string): { ms: number; utc: string } | undefined {
  const [, date, , fraction] = isoInstant.exec(text) ?? [];
  if (date === undefined || parseDay(date) === undefined) return undefined;
  const ms = Date.parse(text.toUpperCase());
  if (Number.isNaN(ms) || ms < minMs || ms > lastInstantMs) return undefined;
  const utc = new Date(ms).toISOString();
  return { ms, utc: fraction === undefined ? `${utc.slice(0, 19)}Z` : utc };
}

/** The instant of a value that was received; undefined for anything but a time. */
export function toInstantMs(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** An instant as RFC 3339 text in UTC; milliseconds only if there are any. */
export function toUtcText(instantMs: number): string {
  return new Date(instantMs).toISOString().replace('.000Z', 'Z');
}

const hourUnit = String.raw` ?(?:h(?:rs?|ours?|eures?)?|std\.?|stunden?|horas?|or[ae]|uur|godz\.?)`;
const minuteUnit = String.raw` ?m(?:ins?|inut[a-z]*)?\.?`;
const lengths = [
  `(?:pt)?(?=\\d)(?:(?<hours>\\d{1,5})${hourUnit})?,? ?(?:(?<minutes>\\d{1,6})(?:${minuteUnit})?)?`,
  String.raw`(?<hours>\d{1,5}):(?<minutes>[0-5]\d)(?::00)?`,
].map((length) => new RegExp(`^${length}$`, 'i'));

/**
 * Parses `45`, `45m`, `1h30m`, `1 h 30 min`, `1 Std.`, `0:45`, `00:45:00` or `PT1H30M` into minutes; undefined
 * for anything else.
 */
export function toMinutes(text: string): number | undefined {
  const parts = lengths.map((length) => length.exec(text.trim())?.groups).find(Boolean);
  const { hours = '0', minutes = '0' } = parts ?? {};
  const total = Number(hours) * 60 + Number(minutes);
  return total > 0 ? total : undefined;
}

/** Whether a text is the name of a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    return formatOf(text) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The time zone that a variable TZ surely names: by its name, the path of its file, or as a fixed offset. Undefined for
 * the rules of POSIX, which many zones share, and for what only the system understands.
 */
export function parseTzVariable(text: string): string | undefined {
  const name = text.replace(/^:/, '').replace(/^(?:.*\/zoneinfo\/)?(?:posix\/)?/, '');
  if (/^[a-z]/i.test(name) && isTimeZone(name)) return name;
  const [, sign, hours] = /^(?:[a-z]{3,}|<[\w+-]{3,}>)([+-]?)0?(\d{1,2})$/i.exec(text) ?? [];
  // Signs are those of POSIX in both: west is positive.
  const fixed = Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign || '+'}${hours}`;
  return hours !== undefined && isTimeZone(fixed) ? fixed : undefined;
}

/** From `startMs` up to, not including, `endMs`. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** The local time of one zone, in milliseconds as if it were UTC. */
export type ZoneClock = ReturnType<typeof createZoneClock>;

/** One is kept for each zone: making one takes as long as sixteen conversions. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws `RangeError` if there is no such zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const key = timeZone.toLowerCase();
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(key, format);
  return format;
}

/** The years of the calendar repeat after 400 of them. */
const calendarCycleMs = 146_097 * dayMs;
/** `Date.UTC` takes a year below 100 as one of the 20th century. That long ago, no zone changed its offset. */
const firstPlainMs = Date.UTC(101, 0);

/** The clock of a zone. Costs nothing until it is asked, and then throws `RangeError` if there is no such zone. */
export function createZoneClock(timeZone: string) {
  let format: Intl.DateTimeFormat | undefined;

  /** The local time at an instant. */
  function wall(instantMs: number): number {
    if (instantMs < firstPlainMs) return wall(instantMs + calendarCycleMs) - calendarCycleMs;
    format ??= formatOf(timeZone);
    const numbers = format.format(instantMs).match(/\d+/g)?.map(Number) ?? [];
    const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = numbers;
    // The format has no milliseconds, but they are the same in every zone.
    const millisecond = ((instantMs % 1000) + 1000) % 1000;
    return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  }

  const offset = (instantMs: number) => wall(instantMs) - instantMs;

  /** The instants that may have a local time. */
  function around(wallMs: number): readonly [number, number] {
    // No zone is a day away from UTC, and none changes its offset twice in two days.
    const [before, after] = [offset(wallMs - dayMs), offset(wallMs + dayMs)];
    return [wallMs - Math.max(before, after), wallMs - Math.min(before, after)];
  }

  /** The instants with this local time: none if a clock change skips it, two if one repeats it. */
  function instants(wallMs: number): readonly number[] {
    return [...new Set(around(wallMs))].filter((one) => wall(one) === wallMs);
  }

  /** The first instant with this local time or, if a clock change skips it, the first one after the gap. */
  function earliest(wallMs: number): number {
    const both = around(wallMs);
    return both.find((one) => wall(one) === wallMs) ?? findOffsetChange(...both);
  }

  /** The instant after `from`, up to `to`, when the zone takes the offset it has at `to`. */
  function findOffsetChange(from: number, to: number): number {
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === offset(to)) high = middle;
      else low = middle;
    }
    return high;
  }

  return { wall, instants, earliest, findOffsetChange };
}

/**
 * Resolves with `late` if something takes longer. Does not stop it, nor keep the process alive for it. Rejects as it
 * does.
 */
export async function inTime<Result, Late>(
  work: Promise<Result>,
  timeoutMs: number,
  late: Late,
): Promise<Result | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(() => resolve(late), timeoutMs).unref();
  try {
    return await Promise.race([promise, work]);
  } finally {
    clearTimeout(timer);
  }
}
