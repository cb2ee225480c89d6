import { addMonths, startOfMonth } from './local-days.ts';
import { dayMs } from './time.ts';
import { findMonth } from './written-words.ts';

/** From `from` up to, not including, `to`: local times, in milliseconds as if they were UTC. */
export interface LocalSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the name of a period: `last-month`, `this year`, `last 30 days`, `october`, `march 2024`, `2026-10`, `2026-q1`,
 * `2026`. Undefined for any other text, and for days and weeks, which `readWrittenTime` reads.
 */
export function readPeriod(text: string, todayMs: number): LocalSpan | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
  return parseRelative(words, todayMs) ?? parseCalendarUnit(words, todayMs);
}

function parseRelative(words: string, today: number): LocalSpan | undefined {
  const [, which, unit] = /^(this|last|next)-(month|quarter|year)$/.exec(words) ?? [];
  if (unit !== undefined) {
    const step = which === 'this' ? 0 : which === 'last' ? -1 : 1;
    const months = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12;
    const month = new Date(today).getUTCMonth();
    const from = addMonths(startOfMonth(today), step * months - (month % months));
    return { from, to: addMonths(from, months) };
  }
  const [, amount, units] = /^last-(\d{1,4})-(day|week|month)s?$/.exec(words) ?? [];
  const count = Number(amount);
  if (units === undefined || count === 0) return undefined;
  const to = today + dayMs;
  if (units === 'month') return { from: addMonths(to, -count), to };
  return { from: to - count * (units === 'week' ? 7 : 1) * dayMs, to };
}

/** A year, a quarter or a month. */
function parseCalendarUnit(words: string, today: number): LocalSpan | undefined {
  const [, name = '', ofYear] = /^([a-z]{3,9})(?:-(\d{4}))?$/.exec(words) ?? [];
  const named = findMonth(name, ['en']);
  const thisYear = new Date(today).getUTCFullYear();
  if (named !== undefined) {
    const inYear = Date.UTC(Number(ofYear ?? thisYear), named - 1);
    const from = ofYear === undefined && inYear > today ? addMonths(inYear, -12) : inYear;
    return { from, to: addMonths(from, 1) };
  }
  const [, year, month, quarter] = /^(\d{4})(?:-(\d{2})|-q([1-4]))?$/.exec(words) ?? [];
  if (year === undefined || Number(year) < 1000) return undefined;
  const first = month === undefined ? (Number(quarter ?? 1) - 1) * 3 : Number(month) - 1;
  if (first < 0 || first > 11) return undefined;
  const from = Date.UTC(Number(year), first);
  return { from, to: addMonths(from, month === undefined ? (quarter === undefined ? 12 : 3) : 1) };
}

/** The same days of the unit before, such as 1–22 October for the first 22 days of November. */
export function shiftPart(part: LocalSpan, whole: LocalSpan): LocalSpan {
  const months = monthsBetween(whole);
  if (months === undefined) {
    const lengthMs = whole.to - whole.from;
    return { from: part.from - lengthMs, to: part.to - lengthMs };
  }
  const lastDay = addMonths(part.to - dayMs, -months);
  return { from: addMonths(part.from, -months), to: Math.min(lastDay + dayMs, part.from) };
}

/** The span before of the same length; whole months are compared with as many whole months. */
export function findBefore(span: LocalSpan): LocalSpan {
  const months = monthsBetween(span);
  const from = months === undefined ? 2 * span.from - span.to : addMonths(span.from, -months);
  return { from, to: span.from };
}

/** The number of months that a span covers exactly; undefined for any other span. */
export function monthsBetween({ from, to }: LocalSpan): number | undefined {
  if (from !== startOfMonth(from) || to !== startOfMonth(to)) return undefined;
  const [start, end] = [new Date(from), new Date(to)];
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}
