/** A moment as records carry it: RFC 3339 in UTC. */
export const instantSchema = { type: 'string', format: 'date-time' } as const;

const day = /^\d{4}-\d{2}-\d{2}$/;
const instant =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

// What RFC 3339 can write in UTC: the years 0000 to 9999.
const leastMs = Date.parse('0000-01-01T00:00:00Z');
const mostMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Unix milliseconds of a day's beginning in UTC; undefined for what is no `YYYY-MM-DD` or no day that exists. */
export function parseDay(text: string): number | undefined {
  return day.test(text) && isDayOfMonth(text) ? Date.parse(`${text}T00:00:00Z`) : undefined;
}

/** An RFC 3339 time with a zone, and the same in UTC; undefined for anything else. */
export function parseInstant(text: string): { ms: number; utc: string } | undefined {
  const [, date, , fraction] = instant.exec(text) ?? [];
  if (date === undefined || !isDayOfMonth(date)) {
    return undefined;
  }
  const ms = Date.parse(text.toUpperCase());
  if (Number.isNaN(ms) || ms < leastMs || ms > mostMs) {
    return undefined;
  }
  const utc = new Date(ms).toISOString();
  return { ms, utc: fraction === undefined ? toWholeSeconds(utc) : utc };
}

/** Whether a `YYYY-MM-DD` exists; Date.parse takes 30 February for 2 March. */
function isDayOfMonth(date: string): boolean {
  const number = Number(date.slice(8));
  return number >= 1 && number <= countDays(Number(date.slice(0, 4)), Number(date.slice(5, 7)));
}

/** How many days a month has; none where there is no such month. */
function countDays(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
}

function toWholeSeconds(utc: string): string {
  return `${utc.slice(0, 19)}Z`;
}

/** The clock on the wall of one zone. Wall time is counted in milliseconds as if the wall were in UTC. */
export interface ZoneClock {
  /** What the wall shows at an instant. */
  wall(instantMs: number): number;
  /** The first instant at which the wall shows this time; where it is skipped, the first one after the gap. */
  earliest(wallMs: number): number;
}

const dayMs = 86_400_000;

export function createZoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

  function wall(instantMs: number): number {
    const part = Object.fromEntries(
      format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    // The format knows no milliseconds; they are the same in every zone.
    const millisecond = ((instantMs % 1000) + 1000) % 1000;
    return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  }

  const offset = (instantMs: number) => wall(instantMs) - instantMs;

  function earliest(wallMs: number): number {
    // No zone is a day away from UTC, and none changes twice in two days.
    const [before, after] = [offset(wallMs - dayMs), offset(wallMs + dayMs)];
    const [first, last] = [wallMs - Math.max(before, after), wallMs - Math.min(before, after)];
    if (wall(first) === wallMs) return first;
    if (wall(last) === wallMs) return last;
    return changeBetween(first, last);
  }

  /** The instant after `from`, up to `to`, at which the zone takes the offset it has at `to`. */
  function changeBetween(from: number, to: number): number {
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === offset(to)) high = middle;
      else low = middle;
    }
    return high;
  }

  return { wall, earliest };
}

/** `45`, `45m`, `90min`, `1h30m`, `1 h 30 min` or `PT1H30M` as whole minutes; undefined for anything else. */
export function toMinutes(text: string): number | undefined {
  const parts =
    /^(?<minutes>\d{1,6})$/.exec(text) ??
    /^(?:pt)?(?=\d)(?:(?<hours>\d{1,5}) ?h)? ?(?:(?<minutes>\d{1,6}) ?m(?:in)?)?$/i.exec(text.trim());
  const { hours = '0', minutes = '0' } = parts?.groups ?? {};
  const total = Number(hours) * 60 + Number(minutes);
  return total > 0 ? total : undefined;
}
