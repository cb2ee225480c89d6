import { minuteMs } from './calendar-days.ts';
import { type Block, type GridColumn, gutter, placeBlocks } from './grid.ts';
import type { TimeRow } from './time-rows.ts';

/** Columns before it is known how high a line is in time. */
export interface Timetable {
  /** The lines where each stands for so many milliseconds. */
  toRows(slotMs: number): readonly TimeRow[];
  readonly columns: readonly FullColumn[];
}

/** A column whose blocks say when they are, whether or not lines will do. */
export interface FullColumn extends Omit<GridColumn, 'placed'> {
  readonly blocks: readonly Block[];
}

export interface FittedTimetable extends Bands {
  readonly rows: readonly TimeRow[];
}

export interface Screen {
  readonly width: number;
  /** Lines for all bands. */
  readonly height: number;
  /** Least width of a column. */
  readonly least?: number;
}

const fine = 15 * minuteMs;
const usual = 30 * minuteMs;
/** Lines of a band beside those of its time. */
const linesOfHeading = 3;

/** A line is a quarter of an hour where all of that fits on the screen or half hours would crowd, else half an hour. */
export function fitToScreen(timetable: Timetable, screen: Screen): FittedTimetable {
  const inFine = settle(timetable, fine, screen);
  const lines = inFine.bands.length * (inFine.rows.length + linesOfHeading);
  if (lines <= screen.height) return inFine;
  const inUsual = settle(timetable, usual, screen);
  return countShared(inUsual) > countShared(inFine) ? inFine : inUsual;
}

function settle({ toRows, columns }: Timetable, slotMs: number, screen: Screen): FittedTimetable {
  const rows = toRows(slotMs);
  const [starts, ends] = [new Set(rows.map((row) => row.startMs)), new Set(rows.map((row) => row.endMs))];
  const say = (block: Block): Block => {
    if (isUnusual(block)) return block;
    const startsOnLine = starts.has(block.startMs);
    if (startsOnLine && ends.has(block.endMs)) return { ...block, time: undefined };
    return startsOnLine && block.time ? { ...block, time: { ...block.time, from: '' } } : block;
  };
  const placed = columns.map(({ blocks, ...column }) => ({
    ...column,
    placed: placeBlocks(rows, blocks.map(say)),
  }));
  return { rows, ...toBands(placed, screen) };
}

/** Whether a time is of another day, or comes twice: lines cannot say that. */
function isUnusual({ time }: Block): boolean {
  return time !== undefined && /[‹›AB]/.test(time.whole);
}

/** Blocks that stand beside others, over all columns. */
function countShared({ bands }: FittedTimetable): number {
  return bands.flat().flatMap(({ placed }) => toLanes(placed).filter(({ lanes }) => lanes > 1)).length;
}

/** Something that takes lines of a column, `from` inclusive, `to` exclusive. */
export interface Placed {
  readonly from: number;
  readonly to: number;
}

/** Where something stands beside others at the same time: the which-th of how many. */
export interface InLane<Item extends Placed> {
  readonly item: Item;
  readonly lane: number;
  readonly lanes: number;
}

/**
 * Puts what shares a line side by side, and nothing else: each gets the first lane that is free, and what hangs
 * together shares the width alike.
 */
export function toLanes<Item extends Placed>(items: readonly Item[]): readonly InLane<Item>[] {
  const sorted = items.toSorted((a, b) => a.from - b.from || b.to - a.to);
  const placed: InLane<Item>[] = [];
  let together: { readonly item: Item; readonly lane: number }[] = [];
  let freeFrom: number[] = [];
  const settle = () => {
    const lanes = freeFrom.length;
    for (const { item, lane } of together) placed.push({ item, lane, lanes });
    [together, freeFrom] = [[], []];
  };
  let end = 0;
  for (const item of sorted) {
    if (item.from >= end) settle();
    const free = freeFrom.findIndex((from) => from <= item.from);
    const lane = free === -1 ? freeFrom.length : free;
    freeFrom[lane] = item.to;
    end = Math.max(end, item.to);
    together.push({ item, lane });
  }
  settle();
  return placed;
}

/** Columns that stand side by side; those that do not fit follow below in further bands. */
export interface Bands {
  readonly bands: readonly (readonly GridColumn[])[];
  /** Of one column. */
  readonly columnWidth: number;
}

const narrowest = 15;
const widest = 36;
const narrowestLane = 4;

/**
 * Shares the terminal's width: as many columns side by side as can be read, the same number in each band. One with
 * more at the same time than can stand side by side becomes several.
 */
export function toBands(
  columns: readonly GridColumn[],
  { width, least = narrowest }: { readonly width: number; readonly least?: number | undefined },
): Bands {
  const room = Math.max(narrowestLane, width - gutter);
  const mostLanes = Math.max(1, Math.floor(Math.min(least, room) / narrowestLane));
  const parts = columns.flatMap((column) => splitColumn(column, mostLanes));
  const fitting = Math.max(1, Math.floor((room + 1) / (least + 1)));
  const perBand = Math.ceil(parts.length / Math.ceil(parts.length / fitting));
  const columnWidth = Math.min(widest, Math.floor((room + 1) / perBand) - 1);
  const bands = Array.from({ length: Math.ceil(parts.length / perBand) }, (_, index) =>
    parts.slice(index * perBand, (index + 1) * perBand),
  );
  return { bands, columnWidth };
}

function splitColumn(column: GridColumn, mostLanes: number): readonly GridColumn[] {
  const inLanes = toLanes(column.placed);
  const lanes = inLanes.reduce((most, { lane }) => Math.max(most, lane + 1), 1);
  const count = Math.ceil(lanes / mostLanes);
  if (count === 1) return [column];
  const parts = Map.groupBy(inLanes, ({ lane }) => Math.floor(lane / mostLanes));
  return Array.from({ length: count }, (_, part) => ({
    ...column,
    heading: `${part + 1}/${count} ${column.heading}`,
    placed: (parts.get(part) ?? []).map(({ item }) => item),
  }));
}
