const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** `Tuesday 24 November 2026`, of a date in milliseconds as if the wall were in UTC. */
export function renderDate(dateMs: number): string {
  const date = new Date(dateMs);
  return `${renderWeekday(dateMs)} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `Tue 24 Nov`. */
export function renderShortDate(dateMs: number): string {
  const date = new Date(dateMs);
  return `${renderWeekday(dateMs).slice(0, 3)} ${date.getUTCDate()} ${months[date.getUTCMonth()]?.slice(0, 3)}`;
}

function renderWeekday(dateMs: number): string {
  return weekdays[new Date(dateMs).getUTCDay()] ?? '';
}
