import { dayMs, type TimeSpan, type ZoneClock } from './time.ts';
import type { WeekHours } from './week-hours.ts';

/**
 * The hours of the days that a span touches, as instants in order; hours that go on after midnight are one span. Hours
 * that a clock change skips or repeats last as long as they do on that day.
 */
export function findOpenSpans(week: WeekHours, span: TimeSpan, zone: ZoneClock): readonly TimeSpan[] {
  const first = Math.floor(zone.wall(span.startMs) / dayMs);
  // Where the clocks go back at midnight, an earlier instant has a later date.
  const last = Math.floor(zone.wall(span.endMs) / dayMs) + 1;
  const days = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * dayMs);
  const ofDays = days.flatMap((day) =>
    (week[new Date(day).getUTCDay()] ?? [])
      .map((open) => ({ startMs: zone.earliest(day + open.startMs), endMs: zone.earliest(day + open.endMs) }))
      .filter(({ startMs, endMs }) => endMs > Math.max(span.startMs, startMs) && startMs < span.endMs),
  );
  return mergeSpans(ofDays);
}

/** What lies in a span of both lists. */
export function intersectSpans(one: readonly TimeSpan[], other: readonly TimeSpan[]): readonly TimeSpan[] {
  return one.flatMap((span) =>
    other
      .map(({ startMs, endMs }) => ({
        startMs: Math.max(startMs, span.startMs),
        endMs: Math.min(endMs, span.endMs),
      }))
      .filter(({ startMs, endMs }) => startMs < endMs),
  );
}

/** What is left of spans without those that are busy, in any order. */
export function subtractSpans(spans: readonly TimeSpan[], busy: readonly TimeSpan[]): readonly TimeSpan[] {
  const taken = busy.toSorted((a, b) => a.startMs - b.startMs);
  return spans.flatMap((span) => {
    const free: TimeSpan[] = [];
    let { startMs } = span;
    for (const each of taken) {
      if (each.startMs >= span.endMs) break;
      if (each.startMs > startMs) free.push({ startMs, endMs: each.startMs });
      startMs = Math.max(startMs, each.endMs);
    }
    return startMs < span.endMs ? [...free, { startMs, endMs: span.endMs }] : free;
  });
}

/** The same time in spans that neither overlap nor touch, by start. */
export function mergeSpans(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const merged: TimeSpan[] = [];
  for (const { startMs, endMs } of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last === undefined || startMs > last.endMs) merged.push({ startMs, endMs });
    else merged[merged.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, endMs) };
  }
  return merged;
}
