import {
  addMonths,
  monthNames,
  renderDay,
  renderLongDay,
  renderShortDay,
  startOfDay,
  startOfMonth,
  startOfWeek,
  toIsoDay,
} from '../../time/local-days.ts';
import { findBefore, type LocalSpan, monthsBetween } from '../../time/periods.ts';
import { dayMs, type TimeSpan, type ZoneClock } from '../../time/time.ts';
import type { Period } from '../flags/periods.ts';
import { type Grouping, isNamed } from './report-question.ts';

/** The spans that records are counted in: one for the whole period, or one for each day, week or month of it. */
export interface TimeGroups {
  readonly spans: readonly LocalSpan[];
  /** What each of them is compared with. */
  readonly befores: readonly LocalSpan[];
}

/** Days are compared with the same weekday of the week before, weeks and months with the one before. */
export function toTimeGroups(grouping: Grouping, period: Period): TimeGroups {
  if (isNamed(grouping)) return wholePeriod(period);
  const spans = splitSpan(period, grouping);
  return { spans, befores: spans.map((span) => shiftGroup(span, grouping)) };
}

export function wholePeriod(period: Period): TimeGroups {
  return { spans: [period], befores: [period.before] };
}

/** The name of a day, week (its first day) or month in machine formats. */
export function toGroupKey(grouping: Grouping, { from }: LocalSpan): string {
  return grouping === 'month' ? toIsoDay(from).slice(0, 7) : toIsoDay(from);
}

function splitSpan({ from, to }: LocalSpan, grouping: Grouping): readonly LocalSpan[] {
  const spans: LocalSpan[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(to, endOfGroup(start, grouping));
    spans.push({ from: start, to: end });
    start = end;
  }
  return spans;
}

function endOfGroup(start: number, grouping: Grouping): number {
  if (grouping === 'month') return addMonths(startOfMonth(start), 1);
  if (grouping === 'week') return startOfWeek(start) + 7 * dayMs;
  return startOfDay(start) + dayMs;
}

function shiftGroup(span: LocalSpan, grouping: Grouping): LocalSpan {
  if (grouping !== 'month') return { from: span.from - 7 * dayMs, to: span.to - 7 * dayMs };
  if (monthsBetween(span) !== undefined) return findBefore(span);
  // A part of a month: the same days of the one before.
  const end = Math.min(addMonths(span.to - 1, -1) + 1, startOfMonth(span.from));
  return { from: addMonths(span.from, -1), to: Math.max(end, addMonths(span.from, -1)) };
}

/** Finds the span that an instant is in: its index, or -1. The spans ascend and do not overlap. */
export function createSpanFinder(
  spans: readonly LocalSpan[],
  zone: ZoneClock,
): (instantMs: number) => number {
  const instants = spans.map((span) => toInstants(span, zone));
  return (instantMs) => {
    let [low, high] = [0, instants.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const { startMs, endMs } = instants[middle] as TimeSpan;
      if (instantMs < startMs) high = middle - 1;
      else if (instantMs >= endMs) low = middle + 1;
      else return middle;
    }
    return -1;
  };
}

/** The shortest span that holds all spans. */
export function joinSpans(groups: readonly TimeGroups[]): LocalSpan {
  const all = groups.flatMap(({ spans, befores }) => [...spans, ...befores]);
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}

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
  if (whole === 1) return `${monthNames[first.getUTCMonth()]} ${first.getUTCFullYear()}`;
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

function renderTime(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 16).replace('T', ' ');
}

function shortMonth(date: Date): string {
  return monthNames[date.getUTCMonth()]?.slice(0, 3) ?? '';
}
