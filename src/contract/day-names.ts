/** Sunday first. */
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** `Tuesday 24 November 2026`. Days are local, in milliseconds as if they were UTC, here and below. */
export function renderLongDay(localMs: number): string {
  return `${weekdayOf(new Date(localMs))} ${renderDay(localMs)}`;
}

/** `24 November 2026`. */
export function renderDay(localMs: number): string {
  const date = new Date(localMs);
  return `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()}`;
}

/** `Tue 24 Nov`. */
export function renderShortDay(localMs: number): string {
  const date = new Date(localMs);
  return `${weekdayOf(date).slice(0, 3)} ${date.getUTCDate()} ${monthOf(date).slice(0, 3)}`;
}

function weekdayOf(date: Date): string {
  return weekdayNames[date.getUTCDay()] ?? '';
}

function monthOf(date: Date): string {
  return monthNames[date.getUTCMonth()] ?? '';
}
