import type { ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { cleanText } from '../../text/clean-text.ts';
import { cutEnd, padToWidth, wrapText } from '../output/fit-text.ts';
import { isWithin, overlaps } from './calendar-days.ts';
import { type StatusLook, statusSign } from './frame.ts';
import {
  type Block,
  gutter,
  type InLane,
  type PlacedBlock,
  type PlacedColumn,
  type TimeRow,
  toLanes,
} from './grid-layout.ts';

export interface GridStyle {
  readonly chalk: ChalkInstance;
  readonly lookOf: (status: string) => StatusLook;
  readonly columnWidth: number;
  /** The current time, such as `11:40`. */
  readonly now: string;
}

const bar = '▌';
// Half a bar at the end separates a block from the next one.
const lastBar = '▘';
/** Minimum width for a time in front of a name. */
const minWidthForTime = 15;

/** One band of a calendar: headings, and a line per row. */
export function renderGrid(
  rows: readonly TimeRow[],
  columns: readonly PlacedColumn[],
  style: GridStyle,
): readonly string[] {
  const { chalk, columnWidth } = style;
  const drawn = columns.map((column) => drawColumn(rows, column, style));
  const toLine = (left: string, cells: readonly string[]) => (left + cells.join(' ')).trimEnd();
  const indent = ' '.repeat(gutter);
  const headings = columns.map((column) => renderHeading(column, style));
  const rules = columns.map(() => chalk.dim('─'.repeat(columnWidth)));
  const body = rows.map((row, index) => {
    const cells = drawn.map((lines) => lines[index] ?? '');
    return toLine(renderTime(row, columns, style), cells);
  });
  return [toLine(indent, headings), toLine(indent, rules), ...body];
}

function renderHeading({ heading, note }: PlacedColumn, { chalk, columnWidth }: GridStyle): string {
  const name = cleanText(heading);
  const room = Math.max(1, columnWidth - note.length - 1);
  return columnWidth < note.length + 4
    ? chalk.bold(padToWidth(name, columnWidth))
    : `${chalk.bold(padToWidth(name, room))} ${chalk.dim(note)}`;
}

function renderTime(row: TimeRow, columns: readonly PlacedColumn[], { chalk, now }: GridStyle): string {
  const isNow = columns.some(({ nowMs }) => isWithin(nowMs, row));
  if (isNow) return chalk.red.bold(padToWidth(`${now}▸`, gutter));
  const text = padToWidth(row.label, gutter);
  return row.kind === 'hour' ? text : chalk.dim(text);
}

/** The lines of a column, each exactly as wide as the column. */
function drawColumn(
  rows: readonly TimeRow[],
  { placed, away, nowMs }: PlacedColumn,
  style: GridStyle,
): readonly string[] {
  const { chalk, columnWidth } = style;
  const lines = rows.map(() => '');
  const widths = rows.map(() => 0);
  for (const inLane of toLanes(placed).toSorted((a, b) => a.lane - b.lane)) drawBlock(inLane);
  const labels = placeLabels();
  return rows.map(
    (row, at) => (lines[at] ?? '') + renderFree(row, columnWidth - (widths[at] ?? 0), labels.get(at)),
  );

  function drawBlock({ item, lane, lanes }: InLane<PlacedBlock>): void {
    const start = Math.floor((lane * columnWidth) / lanes);
    const end = Math.floor(((lane + 1) * columnWidth) / lanes);
    const size = { width: end - start, lines: item.to - item.from };
    for (const [index, text] of renderBlock(item.block, size, style).entries()) {
      const at = item.from + index;
      const row = rows[at];
      if (row === undefined) continue;
      lines[at] += renderFree(row, start - (widths[at] ?? 0)) + text;
      widths[at] = end;
    }
  }

  /** Why the stylist is away, in lines that no block is in; with the time where the lines do not show it. */
  function placeLabels(): ReadonlyMap<number, string> {
    const labels = new Map<number, string>();
    const [first, last] = [rows[0]?.startMs ?? 0, rows.at(-1)?.endMs ?? 0];
    for (const { label, time, ...span } of away) {
      const free = [...rows.entries()].flatMap(([at, row]) =>
        overlaps(row, span) && widths[at] === 0 && !labels.has(at) ? [at] : [],
      );
      const startsRow = span.startMs <= first || rows.some(({ startMs }) => startMs === span.startMs);
      const endsRow = span.endMs >= last || rows.some(({ endMs }) => endMs === span.endMs);
      const words = startsRow && endsRow ? label : `${label} ${time}`;
      const texts = wrapText(words, Math.max(1, columnWidth - 2), 'cut');
      for (const [index, at] of free.slice(0, texts.length).entries())
        labels.set(at, index < free.length - 1 ? (texts[index] ?? '') : texts.slice(index).join(' '));
    }
    return labels;
  }

  /** Free time: blank except when away, at full hours, at the current time and where the clocks change. */
  function renderFree(row: TimeRow, width: number, label = ''): string {
    if (width <= 0) return '';
    if (away.some((time) => overlaps(time, row))) {
      if (label === '' || width < 3) return chalk.dim('░'.repeat(width));
      const text = cutEnd(label, width - 2);
      return `${chalk.dim('░')} ${text}${chalk.dim(` ${'░'.repeat(width)}`.slice(0, width - 2 - stringWidth(text)))}`;
    }
    if (isWithin(nowMs, row)) return chalk.red('─'.repeat(width));
    if (row.isClockChange) return chalk.dim('┄'.repeat(width));
    return row.kind === 'hour' ? chalk.dim(`·${' '.repeat(width - 1)}`) : ' '.repeat(width);
  }
}

/** The lines of a block, each exactly as wide as the block. */
function renderBlock(
  block: Block,
  { width, lines }: { readonly width: number; readonly lines: number },
  { lookOf }: GridStyle,
): readonly string[] {
  const room = Math.max(0, width - 1);
  const texts = fillLines(block, room, lines);
  const look = lookOf(block.status);
  return Array.from({ length: lines }, (_, index) => {
    const edge = lines > 1 && index === lines - 1 ? lastBar : bar;
    return look.bar(edge) + look.fill(padToWidth(texts[index] ?? '', room));
  });
}

/** Sign and client first, then service and time as far as they fit. */
function fillLines(block: Block, width: number, lines: number): readonly string[] {
  const { status, time, sameDay = '' } = block;
  const sign = `${statusSign(status)}${sameDay && '+'}`.padEnd(2);
  const [client, whole] = [cleanText(block.client), cleanText(block.service)];
  const work = [whole, sameDay].filter(Boolean).join(', ');
  const service = lines > 2 ? whole : work;
  const from = time?.from && width >= minWidthForTime ? `${time.from} ` : '';
  const room = Math.max(1, width - 2);
  if (lines === 1) return [`${sign}${cutEnd(`${from}${client} · ${service}`, room)}`];
  const second = lines === 2 ? `${from}${service}` : service;
  const details = lines > 2 && time !== undefined ? [second, time.whole] : [second];
  const wrap = (texts: readonly string[]) => texts.flatMap((text) => wrapText(text, room, 'cut'));
  // A whole name is worth more than the time, which the lines show roughly.
  const fitting = [
    ...(sameDay === '' ? [] : [wrap([client, work])]),
    wrap([client, ...details]),
    wrap([client, service]),
    [client, ...wrap(details)],
    [client, ...details],
  ].find((texts) => texts.length <= lines);
  return (fitting ?? [client, ...details].slice(0, lines)).map(
    (line, index) => `${index === 0 ? sign : '  '}${cutEnd(line, room)}`,
  );
}
