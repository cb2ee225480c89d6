import { monthNames, renderDay, renderLongDay, renderShortDay, toIsoDay } from '../../contract/local-days.ts';
import { dayMs, type TimeSpan, toUtcText, type ZoneClock } from '../../contract/time.ts';
import { type LocalSpan, monthsBetween } from '../flags/periods.ts';

export function toInstants({ from, to }: LocalSpan, zone: ZoneClock): TimeSpan {
  return { startMs: zone.earliest(from), endMs: zone.earliest(to) };
}

/** `16–22 November 2026`, `November 2026`, `2026`, `Monday 16 November 2026`. */
export function renderSpan(span: LocalSpan): string {
  const { from, to } = span;
  if (from % dayMs !== 0 || to % dayMs !== 0) return `${renderTime(from)} to ${renderTime(to)}`;
  const [first, last] = [new Date(from), new Date(to - dayMs)];
  const whole = monthsBetween(span);
  if (whole === 12 && first.getUTCMonth() === 0) return String(first.getUTCFullYear());
  if (whole === 1) return renderMonth(from);
  if (to - from === dayMs) return renderLongDay(from);
  if (first.getUTCFullYear() !== last.getUTCFullYear())
    return `${renderDay(from)} – ${renderDay(to - dayMs)}`;
  if (first.getUTCMonth() === last.getUTCMonth()) return `${first.getUTCDate()}–${renderDay(to - dayMs)}`;
  return `${first.getUTCDate()} ${monthNames[first.getUTCMonth()]} – ${renderDay(to - dayMs)}`;
}

/** `16–22 Nov`, `Mon 16 Nov`, `Nov 2026`: for a line of a table. */
export function renderShortSpan(span: LocalSpan): string {
  const { from, to } = span;
  const [first, last] = [new Date(from), new Date(to - 1)];
  if (monthsBetween(span) === 1) return `${shortMonth(first)} ${first.getUTCFullYear()}`;
  if (to - from <= dayMs) return renderShortDay(from);
  const end = `${last.getUTCDate()} ${shortMonth(last)}`;
  if (first.getUTCMonth() === last.getUTCMonth()) return `${first.getUTCDate()}–${end}`;
  return `${first.getUTCDate()} ${shortMonth(first)} – ${end}`;
}

/** A bound of a list command: `2026-11-16` for a whole day, else an instant in UTC. */
export function renderBound(localMs: number, edge: 'start' | 'end', zone: ZoneClock): string {
  if (localMs % dayMs !== 0) return toUtcText(zone.earliest(localMs));
  return toIsoDay(edge === 'start' ? localMs : localMs - dayMs);
}

function renderMonth(localMs: number): string {
  const date = new Date(localMs);
  return `${monthNames[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function renderTime(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 16).replace('T', ' ');
}

function shortMonth(date: Date): string {
  return monthNames[date.getUTCMonth()]?.slice(0, 3) ?? '';
}
