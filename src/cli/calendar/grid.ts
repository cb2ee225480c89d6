import type { ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { cleanText } from '../messages/clean-text.ts';
import { cutEnd, wrapText } from '../output/fit-text.ts';
import { type StatusLook, signOf } from './frame.ts';
import { type InLane, type Placed, toLanes } from './grid-layout.ts';
import { rowAt, type Span, type TimeRow } from './time-rows.ts';

/** Something that takes time in a column. */
export interface Block extends Span, BlockText {}

/** What stands under one heading. */
export interface GridColumn {
  readonly heading: string;
  /** Said in short on the right of the heading. */
  readonly note: string;
  readonly placed: readonly PlacedBlock[];
  /** Where the moment that it is now lies, if it is in this column. */
  readonly nowMs: number | undefined;
}

/** A block with the lines that it takes. */
export interface PlacedBlock extends Placed {
  readonly block: Block;
}

export interface GridStyle {
  readonly chalk: ChalkInstance;
  readonly lookOf: (status: string) => StatusLook;
  /** Of one column. */
  readonly width: number;
  /** What the clock says now. */
  readonly now: string;
}

/** Width of the times on the left, with the space behind them. */
export const gutter = 7;

/** Columns of a calendar side by side, below their headings. No line is wider than gutter and columns with a space each. */
export function renderGrid(
  rows: readonly TimeRow[],
  columns: readonly GridColumn[],
  style: GridStyle,
): readonly string[] {
  const { chalk, width } = style;
  const drawn = columns.map((column) => drawColumn(rows, column, style));
  const line = (beside: string, cells: readonly string[]) => (beside + cells.join(' ')).trimEnd();
  return [
    line(
      ' '.repeat(gutter),
      columns.map((column) => renderHeading(column, style)),
    ),
    line(
      ' '.repeat(gutter),
      columns.map(() => chalk.dim('─'.repeat(width))),
    ),
    ...rows.map((row, index) =>
      line(
        renderTime(row, columns, style),
        drawn.map((cells) => cells[index] ?? ''),
      ),
    ),
  ];
}

/** The lines that each block takes: those it touches, less one where the next block begins in the same. */
export function placeBlocks(rows: readonly TimeRow[], blocks: readonly Block[]): readonly PlacedBlock[] {
  const latestStart = new Map<number, number>();
  const placed = blocks.map((block) => ({ block, from: rowAt(rows, block.startMs) }));
  for (const { block, from } of placed) {
    latestStart.set(from, Math.max(latestStart.get(from) ?? block.startMs, block.startMs));
  }
  return placed.map(({ block, from }) => {
    const last = rowAt(rows, block.endMs - 1);
    const isTaken = (latestStart.get(last) ?? Number.NEGATIVE_INFINITY) >= block.endMs;
    return { block, from, to: Math.max(from, isTaken ? last - 1 : last) + 1 };
  });
}

function renderHeading({ heading, note }: GridColumn, { chalk, width }: GridStyle): string {
  const name = cleanText(heading);
  const room = Math.max(1, width - note.length - 1);
  return width < note.length + 4
    ? chalk.bold(toWidth(name, width))
    : `${chalk.bold(toWidth(name, room))} ${chalk.dim(note)}`;
}

function renderTime(row: TimeRow, columns: readonly GridColumn[], { chalk, now }: GridStyle): string {
  const isNow = columns.some(({ nowMs }) => isWithin(row, nowMs));
  if (isNow) return chalk.red.bold(toWidth(`${now}▸`, gutter));
  return (row.kind === 'hour' ? (text: string) => text : chalk.dim)(toWidth(row.label, gutter));
}

function isWithin({ startMs, endMs }: Span, instantMs: number | undefined): boolean {
  return instantMs !== undefined && instantMs >= startMs && instantMs < endMs;
}

/** The cells of a column, one for each line. */
function drawColumn(rows: readonly TimeRow[], column: GridColumn, style: GridStyle): readonly string[] {
  const inLanes = toLanes(column.placed);
  const byRow: string[][] = rows.map(() => []);
  const covered: number[] = rows.map(() => 0);
  for (const placed of inLanes.toSorted((a, b) => a.lane - b.lane)) {
    drawBlock(placed, { byRow, covered, column, rows, style });
  }
  return rows.map((row, index) => {
    const left = style.width - (covered[index] ?? 0);
    return (byRow[index] ?? []).join('') + renderFree(row, left, { column, style });
  });
}

interface Drawing {
  readonly byRow: readonly string[][];
  /** Columns of the terminal that each line has taken already. */
  readonly covered: number[];
  readonly column: GridColumn;
  readonly rows: readonly TimeRow[];
  readonly style: GridStyle;
}

function drawBlock({ item, lane, lanes }: InLane<PlacedBlock>, drawing: Drawing): void {
  const { byRow, covered, column, rows, style } = drawing;
  const [start, end] = [laneEdge(lane, lanes, style.width), laneEdge(lane + 1, lanes, style.width)];
  const size = { width: end - start, lines: item.to - item.from };
  const lines = renderBlock(item.block, size, style.lookOf(item.block.status));
  for (const [offset, line] of lines.entries()) {
    const at = item.from + offset;
    const row = rows[at];
    if (row === undefined) continue;
    byRow[at]?.push(renderFree(row, start - (covered[at] ?? 0), { column, style }), line);
    covered[at] = end;
  }
}

function laneEdge(lane: number, lanes: number, width: number): number {
  return Math.floor((lane * width) / lanes);
}

/** Time in which nobody comes: blank, but for the moment it is now and a change of the clocks. */
function renderFree(
  row: TimeRow,
  width: number,
  { column, style }: { readonly column: GridColumn; readonly style: GridStyle },
): string {
  if (width <= 0) return '';
  const { chalk } = style;
  if (isWithin(row, column.nowMs)) return chalk.red('─'.repeat(width));
  if (row.isShift) return chalk.dim('┄'.repeat(width));
  return row.kind === 'hour' ? chalk.dim(`·${' '.repeat(width - 1)}`) : ' '.repeat(width);
}

/** What stands in a block of a calendar. */
export interface BlockText {
  readonly status: string;
  readonly client: string;
  readonly service: string;
  /** When it begins, empty where it does with its first line, and the whole of its time; undefined where lines say all. */
  readonly time: { readonly from: string; readonly whole: string } | undefined;
}

export interface BlockSize {
  readonly width: number;
  readonly lines: number;
}

const bar = '▌';
// Half a bar at the foot keeps two blocks apart that follow one another.
const foot = '▘';
/** Columns that a time and a name need at least. */
const roomForTime = 15;

/** The lines of a block, each exactly as wide as asked: sign and client first, then service and time as far as they fit. */
export function renderBlock(text: BlockText, size: BlockSize, look: StatusLook): readonly string[] {
  const { width, lines } = size;
  const room = Math.max(0, width - 1);
  const texts = fillLines(text, { width: room, lines });
  return Array.from({ length: lines }, (_, index) => {
    const edge = lines > 1 && index === lines - 1 ? foot : bar;
    return look.bar(edge) + look.fill(toWidth(texts[index] ?? '', room));
  });
}

/** A text in exactly this many columns. */
export function toWidth(text: string, width: number): string {
  const cut = cutEnd(text, width);
  return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)));
}

function fillLines({ status, client, service, time }: BlockText, { width, lines }: BlockSize): string[] {
  const sign = signOf(status);
  const [who, what] = [cleanText(client), cleanText(service)];
  const from = time?.from && width >= roomForTime ? `${time.from} ` : '';
  if (lines === 1) return [`${sign} ${from}${who} · ${what}`];
  const second = lines === 2 ? `${from}${what}` : what;
  const whole = lines > 2 && time !== undefined ? [time.whole] : [];
  const room = Math.max(1, width - 2);
  const behind = [second, ...whole].flatMap((part) => wrapText(part, room));
  const name = wrapText(who, room);
  // A name gets a second line where the rest has enough all the same.
  const nameLines = lines >= name.length + behind.length ? name : [who];
  const left = lines - nameLines.length;
  const kept = behind.length <= left ? behind : [second, ...whole].slice(0, left);
  return [...nameLines, ...kept].map((line, index) => `${index === 0 ? sign : ' '} ${line}`);
}
