import { foldText } from '../text/search-text.ts';
import { dayMs } from './time.ts';

// Local days and times are milliseconds as if they were UTC.

/** Sunday first. */
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** `Tuesday 24 November 2026`. */
export function renderLongDay(localMs: number): string {
  return `${weekdayNames[new Date(localMs).getUTCDay()]} ${renderDay(localMs)}`;
}

/** `24 November 2026`. */
export function renderDay(localMs: number): string {
  const date = new Date(localMs);
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `Tue 24 Nov`. */
export function renderShortDay(localMs: number): string {
  const date = new Date(localMs);
  const [weekday, month] = [weekdayNames[date.getUTCDay()], monthNames[date.getUTCMonth()]];
  return `${weekday?.slice(0, 3)} ${date.getUTCDate()} ${month?.slice(0, 3)}`;
}

/** `2026-11-24`. */
export function toIsoDay(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 10);
}

/** `09:30`. */
export function toClockText(localMs: number): string {
  return new Date(localMs).toISOString().slice(11, 16);
}

export function startOfDay(localMs: number): number {
  return Math.floor(localMs / dayMs) * dayMs;
}

/** Midnight of the Monday. */
export function startOfWeek(localMs: number): number {
  const day = startOfDay(localMs);
  return day - ((new Date(day).getUTCDay() + 6) % 7) * dayMs;
}

export function startOfMonth(localMs: number): number {
  const date = new Date(localMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The same day and time that many months later; the last day of the month where it has no such day. */
export function addMonths(localMs: number, count: number): number {
  const date = new Date(localMs);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1);
  const timeMs = localMs - startOfDay(localMs);
  return Math.min(first + (localMs - startOfMonth(localMs)), next - dayMs + timeMs);
}

/** The first letters of the months in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish. */
const monthStarts = [
  ...[/^(?:jan|ene|gen|sty)/, /^(?:feb|fev|lut)/, /^(?:mar|maa|mae|mrt|mrz)/, /^(?:apr|avr|abr|kwi)/],
  ...[/^(?:may|mai|mag|mei|maj)/, /^(?:jun|juin|giu|cze)/, /^(?:jul|juil|lug|lip)/, /^(?:aug|aou|ago|sie)/],
  ...[/^(?:sep|set|wrz)/, /^(?:o[ck]t|ott|out|paz)/, /^(?:nov|lis)/, /^(?:de[cz]|dic|gru)/],
];
const writtenMonth = [
  /^(?<day>\d{1,2})(?:\.|er|st|nd|rd|th|o|a)?[ -]*(?:(?:de|of) )?(?<name>[a-z]{3,})\.?[ -]*(?:del? )?(?<year>\d{4}|\d{2})(?<rest>[ ,].*)?$/,
  /^(?<name>[a-z]{3,})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?<rest>[ ,].*)?$/,
];

/** `31 décembre 1980` as `31.12.1980`; other texts unchanged. */
export function withMonthNumber(cell: string): string {
  if (!/\p{L}{3}/u.test(cell)) return cell;
  const text = foldText(cell);
  const {
    day,
    name = '',
    year,
    rest = '',
  } = writtenMonth.map((form) => form.exec(text)?.groups).find(Boolean) ?? {};
  const month = monthStarts.findIndex((start) => start.test(name)) + 1;
  return month === 0 ? cell : `${day}.${month}.${year}${rest}`;
}
