import { monthNames, renderDay, renderLongDay, renderShortDay } from '../../contract/spoken-day.ts';
import { dayMs, toUtcText, type ZoneClock } from '../../contract/time.ts';

/** From `from` up to, not including, `to`: local times of the salon, in milliseconds as if they were UTC. */
export interface LocalSpan {
  readonly from: number;
  readonly to: number;
}

/** The same as instants. */
export interface InstantSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** The same day and time that many months later; the last day of the month where it has no such day. */
export function shiftMonths(localMs: number, count: number): number {
  const date = new Date(localMs);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1);
  return Math.min(
    first + (localMs - startOfMonth(localMs)),
    next - dayMs + (((localMs % dayMs) + dayMs) % dayMs),
  );
}

export function startOfMonth(localMs: number): number {
  const date = new Date(localMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Midnight of the Monday. */
export function startOfWeek(localMs: number): number {
  const day = startOfDay(localMs);
  return day - ((new Date(day).getUTCDay() + 6) % 7) * dayMs;
}

export function startOfDay(localMs: number): number {
  return Math.floor(localMs / dayMs) * dayMs;
}

/** The number of months that a span covers exactly; undefined for any other span. */
export function monthsBetween({ from, to }: LocalSpan): number | undefined {
  if (from !== startOfMonth(from) || to !== startOfMonth(to)) return undefined;
  const [start, end] = [new Date(from), new Date(to)];
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}

export function toInstants({ from, to }: LocalSpan, zone: ZoneClock): InstantSpan {
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
  return toDate(edge === 'start' ? localMs : localMs - dayMs);
}

/** `2026-11-16`. */
export function toDate(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 10);
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
