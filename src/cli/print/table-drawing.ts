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
const rightAligned: ReadonlySet<ColumnKind> = new Set(['integer', 'minutes']);

/**
 * Rows of cells as lines, each ending in a line break. cli-table3 measures text by older rules than today's
 * terminals, so it draws with stand-ins of the right width, and the cells take their places afterwards.
 */
export function drawRows(
  rows: readonly (readonly (Cell | undefined)[])[],
  columns: readonly DrawnColumn[],
): string {
  const table = new Table({
    chars: lines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: columns.map(({ width }) => width),
  });
  const blank = columns.map(({ width }) => standIn.repeat(width));
  table.push(...rows.map(() => blank));
  const texts = rows.flatMap((row) => columns.map((column, index) => fitCell(row[index], column))).values();
  return table
    .toString()
    .replace(standIns, () => texts.next().value ?? '')
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
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
