import { Chalk, type ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cleanText } from '../messages/clean-text.ts';
import { createCellRenderer } from './cell.ts';
import type { Column, ColumnKind, Printer, Row } from './columns.ts';
import { cutEnd, cutMiddle } from './fit-text.ts';
import { renderRecord } from './record.ts';
import { statusColor } from './status.ts';
import { type DrawnColumn, gap, moreColumn, settleLayout } from './table-layout.ts';

export interface TableOptions {
  readonly columns: readonly Column[];
  /** Columns of the terminal; no line is wider, unless `wide` is set. */
  readonly width: number;
  readonly color: boolean;
  /** IANA name of the zone that instants are shown in; it stands under their headings. */
  readonly timeZone: string;
  /** Lets every column be as wide as the first rows want it, for a pager that scrolls sideways. */
  readonly wide?: boolean;
}

/**
 * A table for people, streamed page by page: the first rows settle how wide each column is. Where the columns
 * cannot share the terminal's width, each record is a block of lines instead. Without rows nothing is printed.
 */
export function createTablePrinter(options: TableOptions): Printer {
  const { columns, timeZone, wide = false } = options;
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  const renderCell = createCellRenderer({ timeZone });
  const headings = toHeadings(columns, { timeZone, chalk });
  let settled: { readonly drawRow: ((row: CellRow) => string) | undefined } | undefined;

  function toCells(row: Row): CellRow {
    return new Map(
      columns.map(({ key, kind }) => {
        const text = renderCell(row[key], kind, row);
        return [key, { text, paint: statusColor(chalk, kind, text) }];
      }),
    );
  }

  function settle(rows: readonly CellRow[]) {
    const width = wide ? Number.POSITIVE_INFINITY : options.width;
    const layout = settleLayout({ columns, texts: toTexts(columns, rows), width });
    return { drawRow: layout && createRowDrawing(layout) };
  }

  return {
    begin: () => '',
    rows(rows) {
      if (rows.length === 0) return '';
      const first = settled === undefined;
      const cells = [...(first ? headings : []), ...rows.map(toCells)];
      settled ??= settle(cells);
      if (settled.drawRow !== undefined) return cells.map(settled.drawRow).join('');
      return rows
        .map((row, index) => (first && index === 0 ? '' : '\n') + renderRecord(row, options))
        .join('');
    },
    end: () => '',
  };
}

/** The names of the columns, and a second line with the zone where there are instants. */
function toHeadings(
  columns: readonly Column[],
  { timeZone, chalk }: { readonly timeZone: string; readonly chalk: ChalkInstance },
): readonly CellRow[] {
  const names = columns.map(({ key }): [string, Cell] => [key, { text: cleanText(key), paint: chalk.bold }]);
  names.push([moreColumn.key, { text: moreColumn.key, paint: chalk.dim }]);
  const zones = columns
    .filter(({ kind }) => kind === 'instant')
    .map(({ key }): [string, Cell] => [key, { text: timeZone, paint: chalk.dim }]);
  return zones.length === 0 ? [new Map(names)] : [new Map(names), new Map(zones)];
}

function toTexts(
  columns: readonly Column[],
  rows: readonly CellRow[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(columns.map(({ key }) => [key, rows.map((row) => row.get(key)?.text ?? '')]));
}

/** A text for one cell and how it is emphasised once it has its width. */
export interface Cell {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** Cells of one row, by the key of their column. */
export type CellRow = ReadonlyMap<string, Cell>;

// Nothing but spaces between columns: a table of records needs no fence around each of them.
const lines = {
  ...{
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
  },
  ...{ 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
  middle: ' '.repeat(gap),
};
const standIn = '\u{E000}';
const standIns = new RegExp(`${standIn}+`, 'g');
const rightAligned: ReadonlySet<ColumnKind> = new Set(['integer', 'minutes', 'amount']);

/**
 * Draws rows of a table, each a line with its line break. cli-table3 measures text by older rules than today's
 * terminals and takes its time, so it draws one row of stand-ins, in whose places the cells of every row go.
 */
export function createRowDrawing(columns: readonly DrawnColumn[]): (row: CellRow) => string {
  const table = new Table({
    chars: lines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: columns.map(({ width }) => width),
  });
  table.push(columns.map(({ width }) => standIn.repeat(width)));
  const shape = table.toString();
  return (row) => {
    const cells = columns.map((column) => fitCell(row.get(column.key), column)).values();
    return `${shape.replace(standIns, () => cells.next().value ?? '').trimEnd()}\n`;
  };
}

function fitCell(cell: Cell | undefined, { key, kind, width }: DrawnColumn): string {
  if (cell === undefined) return ' '.repeat(width);
  const cut = isIdentifier(key) ? cutMiddle : cutEnd;
  const text = cut(cell.text, width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return rightAligned.has(kind) ? space + cell.paint(text) : cell.paint(text) + space;
}

function isIdentifier(key: string): boolean {
  return key === 'id' || key.endsWith('_id');
}
