import { findOpenSpans, intersectSpans, subtractSpans } from '../../time/spans.ts';
import { createZoneClock, minuteMs, type TimeSpan, type ZoneClock } from '../../time/time.ts';
import type { WeekHours } from '../../time/week-hours.ts';

/** A stylist, and when they can be booked. */
export interface FreeTime {
  readonly stylistId: string;
  /** The ID if the server does not list stylists. */
  readonly stylistName: string;
  readonly spans: readonly TimeSpan[];
}

/** A time at which a stylist can be booked. */
export interface AvailableSlot extends TimeSpan, Omit<FreeTime, 'spans'> {}

/** The time of a span in which somebody with these hours works and is not busy. */
export function findFreeSpans(
  week: WeekHours,
  busy: readonly TimeSpan[],
  { span, zone }: { readonly span: TimeSpan; readonly zone: ZoneClock },
): readonly TimeSpan[] {
  return subtractSpans(intersectSpans(findOpenSpans(week, span, zone), [span]), busy);
}

export interface SlotQuery {
  /** Slots start in it. */
  readonly span: TimeSpan;
  readonly durationMinutes: number;
  /** Slots start at multiples of this many minutes after midnight, by the clock on the wall. */
  readonly stepMinutes: number;
  readonly timeZone: string;
}

/**
 * Finds the slots of each stylist, by start. A slot lies within one span of free time. Hours that a clock change skips
 * or repeats last as long as they do on that day.
 */
export function findFreeSlots(
  free: readonly FreeTime[],
  { span, durationMinutes, stepMinutes, timeZone }: SlotQuery,
): readonly AvailableSlot[] {
  const zone = createZoneClock(timeZone);
  const durationMs = durationMinutes * minuteMs;
  const slots = free.flatMap(({ spans, ...stylist }) =>
    spans.flatMap(findStarts).map((startMs) => ({ ...stylist, startMs, endMs: startMs + durationMs })),
  );
  return slots.sort((a, b) => a.startMs - b.startMs);

  function findStarts(open: TimeSpan): readonly number[] {
    const starts: number[] = [];
    /** The first instant from there on with a local time on the grid. */
    const align = (fromMs: number) => {
      const stepMs = stepMinutes * minuteMs;
      let ms = Math.ceil(fromMs / minuteMs) * minuteMs;
      for (;;) {
        const pastStep = zone.wall(ms) % stepMs;
        if (pastStep === 0) return ms;
        const next = ms + stepMs - pastStep;
        // If the clocks change in between, the grid moves.
        ms = zone.wall(next) - zone.wall(ms) === next - ms ? next : ms + minuteMs;
      }
    };
    let startMs = align(Math.max(open.startMs, span.startMs));
    while (startMs < span.endMs && startMs + durationMs <= open.endMs) {
      starts.push(startMs);
      startMs = align(startMs + minuteMs);
    }
    return starts;
  }
}

/** Whether a time lies within one span of working hours. */
export function isWithinHours(week: WeekHours, span: TimeSpan, timeZone: string): boolean {
  const open = findOpenSpans(week, span, createZoneClock(timeZone));
  return open.some(({ startMs, endMs }) => startMs <= span.startMs && endMs >= span.endMs);
}
