import { hourMs, minuteMs, type TimeSpan } from '../../time/time.ts';
import type { AwayTime } from './away.ts';
import { type LineClock, overlaps } from './calendar-days.ts';

/** An appointment as a block of a column. */
export interface Block extends TimeSpan {
  readonly status: string;
  readonly client: string;
  readonly service: string;
  readonly sameDay?: string | undefined;
  /** Times to print: `from` is empty and `time` undefined where the lines show them already. */
  readonly time: { readonly from: string; readonly whole: string } | undefined;
}

/** One stylist or one day. */
export interface GridColumn {
  readonly heading: string;
  /** Printed at the right of the heading. */
  readonly note: string;
  readonly blocks: readonly Block[];
  /** When the stylist is away, with the time as text: it lies behind the blocks. */
  readonly away: readonly (AwayTime & { readonly time: string })[];
  /** The current time, if it is on this day. */
  readonly nowMs: number | undefined;
}

/** Lines of a column, or another measure of time, `from` up to, not including, `to`. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

export interface PlacedBlock extends LineSpan {
  readonly block: Block;
}

export interface PlacedColumn extends Omit<GridColumn, 'blocks'> {
  readonly placed: readonly PlacedBlock[];
}

/** An item in one of the `lanes` that share a column's width. */
export interface InLane<Item extends LineSpan> {
  readonly item: Item;
  readonly lane: number;
  readonly lanes: number;
}

export interface GridContents {
  readonly columns: readonly GridColumn[];
  readonly toRows: (slotMs: number) => readonly TimeRow[];
  /** 15 if left out. */
  readonly minColumnWidth?: number;
}

/** Width of the times on the left. */
export const gutter = 7;
const defaultMinWidth = 15;
const maxColumnWidth = 36;
const minLaneWidth = 4;
const linesOfHeading = 3;

/**
 * Rows and columns that fit the terminal. Columns that do not fit side by side follow in further bands. Uses quarter
 * hours if they fit in the lines for all bands or half hours would put blocks side by side, else half hours.
 */
export function fitToScreen(
  contents: GridContents,
  { width, height }: { readonly width: number; readonly height: number },
) {
  const quarters = layOut(contents, 15 * minuteMs, width);
  const lines = quarters.bands.length * (quarters.rows.length + linesOfHeading);
  if (lines <= height) return quarters;
  const halves = layOut(contents, 30 * minuteMs, width);
  return countShared(halves.bands) > countShared(quarters.bands) ? quarters : halves;
}

/** Puts overlapping items side by side: each in the first free lane, with equal widths in each overlapping group. */
export function toLanes<Item extends LineSpan>(items: readonly Item[]): readonly InLane<Item>[] {
  const sorted = items.toSorted((a, b) => a.from - b.from || b.to - a.to);
  const result: InLane<Item>[] = [];
  let group: { readonly item: Item; readonly lane: number }[] = [];
  let freeFrom: number[] = [];
  let end = 0;
  const closeGroup = () => {
    const lanes = freeFrom.length;
    for (const { item, lane } of group) result.push({ item, lane, lanes });
    [group, freeFrom] = [[], []];
  };
  for (const item of sorted) {
    if (item.from >= end) closeGroup();
    const free = freeFrom.findIndex((from) => from <= item.from);
    const lane = free === -1 ? freeFrom.length : free;
    freeFrom[lane] = item.to;
    end = Math.max(end, item.to);
    group.push({ item, lane });
  }
  closeGroup();
  return result;
}

function layOut({ toRows, columns, minColumnWidth }: GridContents, slotMs: number, width: number) {
  const rows = toRows(slotMs);
  const [starts, ends] = [new Set(rows.map((row) => row.startMs)), new Set(rows.map((row) => row.endMs))];
  const placed = columns.map(({ blocks, ...column }) => ({
    ...column,
    placed: placeBlocks(rows, blocks.map(omitKnownTime)),
  }));
  return { rows, ...toBands(placed, width, minColumnWidth) };

  /** Omits times that the lines show. They cannot show another day, or which of two equal times is meant. */
  function omitKnownTime(block: Block): Block {
    const { time, startMs, endMs } = block;
    if (time === undefined || /[‹›AB?]/.test(time.whole) || !starts.has(startMs)) return block;
    return { ...block, time: ends.has(endMs) ? undefined : { ...time, from: '' } };
  }
}

/** Gives each block the lines it touches, except a last line in which another block begins. */
function placeBlocks(rows: readonly TimeRow[], blocks: readonly Block[]): readonly PlacedBlock[] {
  const latestStart = new Map<number, number>();
  const placed = blocks.map((block) => ({ block, from: findRow(rows, block.startMs) }));
  for (const { block, from } of placed) {
    latestStart.set(from, Math.max(latestStart.get(from) ?? block.startMs, block.startMs));
  }
  return placed.map(({ block, from }) => {
    const last = findRow(rows, block.endMs - 1);
    const isTaken = (latestStart.get(last) ?? Number.NEGATIVE_INFINITY) >= block.endMs;
    return { block, from, to: Math.max(from, isTaken ? last - 1 : last) + 1 };
  });
}

/** Shares the width: as many readable columns side by side as possible, the same number in each band. */
function toBands(columns: readonly PlacedColumn[], width: number, minColumnWidth = defaultMinWidth) {
  const room = Math.max(minLaneWidth, width - gutter);
  const maxLanes = Math.max(1, Math.floor(Math.min(minColumnWidth, room) / minLaneWidth));
  const parts = columns.flatMap((column) => splitColumn(column, maxLanes));
  const fitting = Math.max(1, Math.floor((room + 1) / (minColumnWidth + 1)));
  const perBand = Math.ceil(parts.length / Math.ceil(parts.length / fitting));
  const columnWidth = Math.min(maxColumnWidth, Math.floor((room + 1) / perBand) - 1);
  const bands = Array.from({ length: Math.ceil(parts.length / perBand) }, (_, index) =>
    parts.slice(index * perBand, (index + 1) * perBand),
  );
  return { bands, columnWidth };
}

/** A column with too many overlapping blocks becomes several. */
function splitColumn(column: PlacedColumn, maxLanes: number): readonly PlacedColumn[] {
  const inLanes = toLanes(column.placed);
  const lanes = inLanes.reduce((most, { lane }) => Math.max(most, lane + 1), 1);
  const count = Math.ceil(lanes / maxLanes);
  if (count === 1) return [column];
  const parts = Map.groupBy(inLanes, ({ lane }) => Math.floor(lane / maxLanes));
  return Array.from({ length: count }, (_, part) => ({
    ...column,
    heading: `${part + 1}/${count} ${column.heading}`,
    placed: (parts.get(part) ?? []).map(({ item }) => item),
  }));
}

/** Number of blocks that share the width of their column. */
function countShared(bands: readonly (readonly PlacedColumn[])[]): number {
  return bands.flat().flatMap(({ placed }) => toLanes(placed).filter(({ lanes }) => lanes > 1)).length;
}

/** One line of a calendar. */
export interface TimeRow extends TimeSpan {
  /** The start of an hour, a part of one, or several empty hours. */
  readonly kind: 'hour' | 'part' | 'gap';
  /** The time on the left; empty within an hour. */
  readonly label: string;
  /** Whether the clocks change at its start. */
  readonly isClockChange: boolean;
}

/** More empty hours than this between appointments become one line. */
const maxEmptyHours = 3;

/** The lines from the hour of the first appointment to that of the last, without gaps in time; `slotMs` each. */
export function createTimeRows(
  spans: readonly TimeSpan[],
  { day, clock, slotMs }: { readonly day: TimeSpan; readonly clock: LineClock; readonly slotMs: number },
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
function findRow(rows: readonly TimeRow[], instantMs: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.startMs ?? 0) <= instantMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

function toHourRows(hour: TimeSpan, clock: LineClock, slotMs: number): readonly TimeRow[] {
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
  { wall, change }: LineClock,
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
