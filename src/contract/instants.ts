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
