import { type Bands, toBands } from './bands.ts';
import { minuteMs } from './day-clock.ts';
import { type Block, type GridColumn, placeBlocks } from './grid.ts';
import { toLanes } from './lanes.ts';
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
