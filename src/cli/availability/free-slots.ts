import { findOpenSpans, intersectSpans, subtractSpans } from '../../contract/free-time.ts';
import { createZoneClock, minuteMs, type TimeSpan, type ZoneClock } from '../../contract/time.ts';
import type { WeekHours } from '../../contract/week-hours.ts';

/** An appointment that keeps a stylist busy. */
export interface BusyTime extends TimeSpan {
  readonly stylistId: string;
}

/** When stylists can be booked, by their IDs. */
export type FreeSpans = ReadonlyMap<string, readonly TimeSpan[]>;

export interface FreeSpanQuery {
  readonly busy: readonly BusyTime[];
  /** Working hours by stylist ID: only these are free. */
  readonly hours: ReadonlyMap<string, WeekHours>;
  readonly span: TimeSpan;
  readonly timeZone: string;
}

/** Finds the time in which each stylist works and has no appointment. */
export function findFreeSpans({ busy, hours, span, timeZone }: FreeSpanQuery): FreeSpans {
  const zone = createZoneClock(timeZone);
  const taken = Map.groupBy(busy, ({ stylistId }) => stylistId);
  const entries = [...hours].map(([stylistId, week]) => {
    const open = intersectSpans(findOpenSpans(week, span, zone), [span]);
    return [stylistId, subtractSpans(open, taken.get(stylistId) ?? [])] as const;
  });
  return new Map(entries);
}

export interface SlotQuery {
  /** Slots start in it. */
  readonly span: TimeSpan;
  readonly durationMinutes: number;
  /** Slots start at multiples of this many minutes after midnight, by the clock on the wall. */
  readonly stepMinutes: number;
  readonly timeZone: string;
}

/** Time in which a stylist works and has no appointment. */
export interface FreeSlot extends TimeSpan {
  readonly stylistId: string;
}

/**
 * Finds the slots of each stylist, by start. A slot lies within one span of free time. Hours that a clock change skips
 * or repeats last as long as they do on that day.
 */
export function findFreeSlots(spans: FreeSpans, query: SlotQuery): readonly FreeSlot[] {
  const zone = createZoneClock(query.timeZone);
  const slots = [...spans].flatMap(([stylistId, free]) => {
    const own = free.flatMap((one) => toSlots(stylistId, one, { query, zone }));
    // The spans of two requests may overlap.
    return [...new Map(own.map((slot) => [slot.startMs, slot])).values()];
  });
  return slots.sort((a, b) => a.startMs - b.startMs);
}

/** Whether a time lies within one span of working hours. */
export function isWithinHours(week: WeekHours, span: TimeSpan, timeZone: string): boolean {
  const open = findOpenSpans(week, span, createZoneClock(timeZone));
  return open.some(({ startMs, endMs }) => startMs <= span.startMs && endMs >= span.endMs);
}

function toSlots(
  stylistId: string,
  free: TimeSpan,
  { query, zone }: { readonly query: SlotQuery; readonly zone: ZoneClock },
): readonly FreeSlot[] {
  const { span } = query;
  const durationMs = query.durationMinutes * minuteMs;
  const slots: FreeSlot[] = [];
  const align = (ms: number) => toNextStep(ms, query.stepMinutes * minuteMs, zone);
  let startMs = align(Math.max(free.startMs, span.startMs));
  while (startMs < span.endMs && startMs + durationMs <= free.endMs) {
    slots.push({ stylistId, startMs, endMs: startMs + durationMs });
    startMs = align(startMs + minuteMs);
  }
  return slots;
}

/** The first instant from here on with a local time on the grid. */
function toNextStep(fromMs: number, stepMs: number, zone: ZoneClock): number {
  let ms = Math.ceil(fromMs / minuteMs) * minuteMs;
  for (;;) {
    const pastStep = zone.wall(ms) % stepMs;
    if (pastStep === 0) return ms;
    const next = ms + stepMs - pastStep;
    // If the clocks change in between, the grid moves.
    ms = zone.wall(next) - zone.wall(ms) === next - ms ? next : ms + minuteMs;
  }
}
