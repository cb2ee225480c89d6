import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { ColumnKind } from './columns.ts';
import { cutEnd, cutMiddle } from './cut-text.ts';
import { type DrawnColumn, gap } from './table-layout.ts';

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
