import { dayMs, minuteMs, type TimeSpan } from '../../time/time.ts';
import { type FreeTime, findFreeSlots } from '../availability/free-slots.ts';
import { overlaps } from '../calendar/calendar-days.ts';

/** One appointment of several that belong together. */
export interface VisitPart {
  /** Whether a stylist may have it. */
  readonly isAble: (stylistId: string) => boolean;
  /** From the start of the first part. Those with the same one are at once. */
  readonly fromMs: number;
  readonly minutes: number;
}

/** The time from the start of the first part to the end of the last. */
export function toVisitSpan(
  parts: readonly Pick<VisitPart, 'fromMs' | 'minutes'>[],
  startMs: number,
): TimeSpan {
  const lastMs = Math.max(...parts.map(({ fromMs, minutes }) => fromMs + minutes * minuteMs));
  return { startMs, endMs: startMs + lastMs };
}

/** How long after the first of them appointments start: those of a step at once, after a pause. */
export function listOffsets(
  parts: readonly { readonly minutes: number; readonly step?: number; readonly pauseMs?: number }[],
): readonly number[] {
  let [fromMs, endMs, last] = [0, 0, 0];
  return parts.map(({ step = 0, pauseMs = 0, minutes }) => {
    if (step !== last) fromMs = endMs + pauseMs;
    last = step;
    endMs = Math.max(endMs, fromMs + minutes * minuteMs);
    return fromMs;
  });
}

/**
 * A stylist for each part of a visit that starts then, all of them free, and no stylist in two parts at once: the first
 * of those who are free, if that leaves somebody for the other parts. Undefined if there are none.
 */
export function assignStylists(
  parts: readonly VisitPart[],
  startMs: number,
  free: readonly FreeTime[],
): readonly string[] | undefined {
  const stylists: string[] = [];
  for (const fromMs of new Set(parts.map((part) => part.fromMs))) {
    /** Parts by their stylist, of those at once. */
    const taken = new Map<string, number>();
    const findStylist = (index: number, seen: Set<string>): boolean =>
      listFree(index).some((id) => {
        if (seen.has(id)) return false;
        seen.add(id);
        const holder = taken.get(id);
        if (holder !== undefined && !findStylist(holder, seen)) return false;
        taken.set(id, index);
        return true;
      });
    const atOnce = [...parts.keys()].filter((index) => parts[index]?.fromMs === fromMs);
    if (!atOnce.every((index) => findStylist(index, new Set()))) return undefined;
    for (const [id, index] of taken) stylists[index] = id;
  }
  return stylists;

  function listFree(index: number): readonly string[] {
    const { isAble, fromMs, minutes } = parts[index] as VisitPart;
    const from = startMs + fromMs;
    const isFree = (span: TimeSpan) => span.startMs <= from && span.endMs >= from + minutes * minuteMs;
    return free.flatMap(({ stylistId, spans }) => (isAble(stylistId) && spans.some(isFree) ? stylistId : []));
  }
}

/** How far from a time that is not free another one is looked for. */
export const nearMs = 7 * dayMs;

/**
 * Finds times for the dates of a visit that do not overlap one another. Where no stylist is named, those with the most free
 * time are taken, so that dates have the same one as far as possible.
 */
export function createVisitPlanner(
  parts: readonly VisitPart[],
  { free: given, timeZone }: { readonly free: readonly FreeTime[]; readonly timeZone: string },
) {
  const freeMs = ({ spans }: FreeTime) => spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const free = given.toSorted((one, other) => freeMs(other) - freeMs(one));
  const names = new Map(free.map(({ stylistId, stylistName }) => [stylistId, stylistName]));
  const taken: TimeSpan[] = [];
  const planner = {
    /** Stylists for a visit that starts then; undefined if it does not fit. */
    fit(startMs: number) {
      const span = toVisitSpan(parts, startMs);
      return taken.some((one) => overlaps(one, span)) ? undefined : assignStylists(parts, startMs, free);
    },
    nameOf: (stylistId: string) => names.get(stylistId) ?? stylistId,
    /** Takes the time of a date. */
    take(startMs: number) {
      taken.push(toVisitSpan(parts, startMs));
    },
    /** Starts in a span at which it fits. */
    list(span: TimeSpan, stepMinutes = 15): readonly number[] {
      const first = parts.filter(({ fromMs }) => fromMs === 0);
      const durationMinutes = Math.min(...first.map(({ minutes }) => minutes));
      const slots = findFreeSlots(free, { span, durationMinutes, stepMinutes, timeZone });
      return [...new Set(slots.map(({ startMs }) => startMs))].filter((startMs) => planner.fit(startMs));
    },
    /** The nearest start at which it fits; the earlier one of two. */
    findNearest(ms: number): number | undefined {
      const starts = planner.list({ startMs: ms - nearMs, endMs: ms + nearMs });
      return starts.toSorted((one, other) => Math.abs(one - ms) - Math.abs(other - ms))[0];
    },
  };
  return planner;
}
