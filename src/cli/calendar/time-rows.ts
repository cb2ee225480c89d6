import { hourMs, type TimeSpan } from '../../contract/time.ts';
import { type DayClock, overlaps } from './calendar-days.ts';

/** One line of a calendar. */
export interface TimeRow extends TimeSpan {
  /** The start of an hour, a part of one, or several empty hours. */
  readonly kind: 'hour' | 'part' | 'gap';
  /** The time on the left; empty within an hour. */
  readonly label: string;
  /** Whether the clocks change at its start. */
  readonly isClockChange: boolean;
}

export interface TimeScale {
  readonly day: TimeSpan;
  readonly clock: DayClock;
  /** Time per line. */
  readonly slotMs: number;
}

/** More empty hours than this between appointments become one line. */
const maxEmptyHours = 3;

/** The lines from the hour of the first appointment to that of the last, without gaps in time. */
export function createTimeRows(
  spans: readonly TimeSpan[],
  { day, clock, slotMs }: TimeScale,
): readonly TimeRow[] {
  const hours = splitByClock(day, clock, hourMs).map((hour) => ({
    ...hour,
    isBusy: spans.some((span) => overlaps(span, hour)),
  }));
  const first = hours.findIndex(({ isBusy }) => isBusy);
  const shown = hours.slice(Math.max(0, first), hours.findLastIndex(({ isBusy }) => isBusy) + 1);
  const rows: TimeRow[] = [];
  for (let at = 0; at < shown.length; at += 1) {
    const hour = shown[at];
    if (hour === undefined) break;
    const next = shown.findIndex(({ isBusy }, index) => index >= at && isBusy);
    const last = shown[next - 1];
    if (next - at > maxEmptyHours && last !== undefined) {
      rows.push({ startMs: hour.startMs, endMs: last.endMs, kind: 'gap', label: '⋮', isClockChange: false });
      at = next - 1;
    } else {
      rows.push(...toHourRows(hour, clock, slotMs));
    }
  }
  return rows;
}

/** Index of the row that contains an instant; the nearest one if none does. */
export function findRow(rows: readonly TimeRow[], instantMs: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.startMs ?? 0) <= instantMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

function toHourRows(hour: TimeSpan, clock: DayClock, slotMs: number): readonly TimeRow[] {
  return splitByClock(hour, clock, slotMs).map((slot) => {
    const isClockChange = slot.startMs === clock.change?.atMs;
    const isHour = slot.startMs === hour.startMs;
    return {
      ...slot,
      kind: isHour ? 'hour' : 'part',
      label: isHour || isClockChange ? clock.text(slot.startMs) : '',
      isClockChange,
    };
  });
}

/** Splits a span at multiples of a step in local time, and where the clocks change. */
function splitByClock(
  { startMs, endMs }: TimeSpan,
  { wall, change }: DayClock,
  stepMs: number,
): readonly TimeSpan[] {
  const spans: TimeSpan[] = [];
  for (let at = startMs; at < endMs; ) {
    // Before 1970 the remainder is negative.
    const nextStep = at + stepMs - (((wall(at) % stepMs) + stepMs) % stepMs);
    const changes = change !== undefined && change.atMs > at && change.atMs < nextStep;
    const next = Math.min(endMs, changes ? change.atMs : nextStep);
    spans.push({ startMs: at, endMs: next });
    at = next;
  }
  return spans;
}
