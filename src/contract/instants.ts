/** A moment as records carry it: RFC 3339 in UTC. */
export const instantSchema = { type: 'string', format: 'date-time' } as const;

const day = /^\d{4}-\d{2}-\d{2}$/;
const instant =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

// What RFC 3339 can write in UTC: the years 0000 to 9999.
const leastMs = Date.parse('0000-01-01T00:00:00Z');
const mostMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Unix milliseconds of a day's beginning in UTC; undefined for what is no `YYYY-MM-DD` or no day that exists. */
export function parseDay(text: string): number | undefined {
  const ms = day.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : undefined;
}

/** An RFC 3339 time with a zone, and the same in UTC; undefined for anything else. */
export function parseInstant(text: string): { ms: number; utc: string } | undefined {
  const [, date, , fraction] = instant.exec(text) ?? [];
  if (date === undefined || parseDay(date) === undefined) {
    return undefined;
  }
  const ms = Date.parse(text.toUpperCase());
  if (Number.isNaN(ms) || ms < leastMs || ms > mostMs) {
    return undefined;
  }
  const utc = new Date(ms).toISOString();
  return { ms, utc: fraction === undefined ? toWholeSeconds(utc) : utc };
}

function toWholeSeconds(utc: string): string {
  return `${utc.slice(0, 19)}Z`;
}
