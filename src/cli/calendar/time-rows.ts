import { type DayClock, hourMs } from './calendar-days.ts';

/** One line of a calendar, or of a stretch of hours in which nobody comes. */
export interface TimeRow {
  readonly startMs: number;
  readonly endMs: number;
  readonly kind: 'hour' | 'part' | 'nothing';
  /** What stands beside it; empty within an hour. */
  readonly label: string;
  /** Whether the clocks are changed at its start. */
  readonly isShift: boolean;
}

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

export interface TimeScale {
  readonly day: Span;
  readonly clock: DayClock;
  /** Height of a line in time. */
  readonly slotMs: number;
}

/** Empty hours in the middle of a day that still have lines of their own. */
const mostEmptyHours = 3;

/**
 * The lines of a day: from the hour of the first span to that of the last one, hours as the wall shows them. Many
 * empty hours in between are one line. Lines follow one another without a gap; without spans there are none.
 */
export function layOutTime(spans: readonly Span[], { day, clock, slotMs }: TimeScale): readonly TimeRow[] {
  const hours = cutAtWall(day, clock, hourMs).map((hour) => ({ ...hour, isBusy: isBusy(hour, spans) }));
  const shown = hours.slice(
    Math.max(
      0,
      hours.findIndex((hour) => hour.isBusy),
    ),
    hours.findLastIndex((hour) => hour.isBusy) + 1,
  );
  const rows: TimeRow[] = [];
  for (let at = 0; at < shown.length; at += 1) {
    const empty = countEmpty(shown, at);
    const hour = shown[at];
    const last = shown[at + empty - 1];
    if (hour === undefined) break;
    if (empty > mostEmptyHours && last !== undefined) {
      rows.push({ startMs: hour.startMs, endMs: last.endMs, kind: 'nothing', label: '⋮', isShift: false });
      at += empty - 1;
    } else {
      rows.push(...cutHour(hour, clock, slotMs));
    }
  }
  return rows;
}

/** The number of the line in which an instant lies; before the first and behind the last one, those. */
export function rowAt(rows: readonly TimeRow[], instantMs: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.startMs ?? 0) <= instantMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

function cutHour(hour: Span, clock: DayClock, slotMs: number): readonly TimeRow[] {
  return cutAtWall(hour, clock, slotMs).map((slot) => {
    const isShift = slot.startMs === clock.shift?.atMs;
    const isHour = slot.startMs === hour.startMs;
    return {
      ...slot,
      kind: isHour ? 'hour' : 'part',
      label: isHour || isShift ? clock.text(slot.startMs) : '',
      isShift,
    };
  });
}

/** Cuts a span where the wall shows a whole step, and where the clocks are changed. */
function cutAtWall({ startMs, endMs }: Span, { wall, shift }: DayClock, stepMs: number): readonly Span[] {
  const spans: Span[] = [];
  for (let at = startMs; at < endMs; ) {
    // A remainder is negative before 1970.
    const onWall = at + stepMs - (((wall(at) % stepMs) + stepMs) % stepMs);
    const isCut = shift !== undefined && shift.atMs > at && shift.atMs < onWall;
    const next = Math.min(endMs, isCut ? shift.atMs : onWall);
    spans.push({ startMs: at, endMs: next });
    at = next;
  }
  return spans;
}

function isBusy(hour: Span, spans: readonly Span[]): boolean {
  return spans.some(({ startMs, endMs }) => startMs < hour.endMs && endMs > hour.startMs);
}

function countEmpty(hours: readonly { readonly isBusy: boolean }[], from: number): number {
  const next = hours.findIndex((hour, index) => index >= from && hour.isBusy);
  return next === -1 ? hours.length - from : next - from;
}
