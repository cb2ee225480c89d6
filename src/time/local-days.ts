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
