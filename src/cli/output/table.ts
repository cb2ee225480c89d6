import { Chalk, type ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { Row } from '../../bulk/export/write-pages.ts';
import type { RowWriter } from '../../bulk/sheet/sheet-text.ts';
import { createCellRenderer } from './cell.ts';
import type { Column, ColumnKind } from './columns.ts';
import { statusColor, toHeadings } from './field-words.ts';
import { cutEnd } from './fit-text.ts';
import { type RecordOptions, renderRecord } from './record.ts';

type TableOptions = RecordOptions & Required<Pick<RecordOptions, 'columns'>>;

/** A column with its width in a table. */
interface TableColumn extends Pick<Column, 'key' | 'kind'> {
  readonly width: number;
}

/** Spaces between two columns. */
const gap = 2;

/** The last column if others were left out. */
const moreColumn: TableColumn = { key: '…', kind: 'text', width: 1 };

interface MeasuredColumn extends Column {
  /** Width of the longest text. */
  readonly preferred: number;
}

// Half a date is useless; a long name is still readable when cut.
const neverCut: ReadonlySet<string> = new Set(
  'instant day integer minutes amount boolean activity status action'.split(' '),
);
const maxWidth = 400;
const maxUncutWidth = 24;

/** Minimum widths, tried in turn. IDs and phones are never cut: a part of one is of no use. */
const minimums = [
  { address: 24, text: 16 },
  { address: 24, text: 12 },
  { address: 10, text: 6 },
] as const;

/** Whether a column holds IDs or phone numbers. */
function isWholeColumn(key: string): boolean {
  return /(?:^|_)(?:id|phone)$/.test(key);
}

/**
 * Chooses columns and widths that fit the terminal, leaving out optional columns if necessary. `texts` holds the
 * heading and the first rows of each column. Undefined if nothing readable fits.
 */
function fitColumns(
  columns: readonly Column[],
  texts: ReadonlyMap<string, readonly string[]>,
  width: number,
): readonly TableColumn[] | undefined {
  const measured = columns.map((column) => ({ ...column, preferred: measure(texts.get(column.key) ?? []) }));
  for (const minimum of minimums) {
    for (const kept of dropOptional(measured)) {
      const isShortened = kept.length < columns.length;
      const room = width - gap * (kept.length - 1) - (isShortened ? gap + moreColumn.width : 0);
      const widths = shareWidth(
        kept.map((column) => ({ ...column, min: minWidth(column, minimum) })),
        room,
      );
      if (widths === undefined) continue;
      const fitted = kept.map(({ key, kind }, index) => ({ key, kind, width: widths[index] ?? 1 }));
      return isShortened ? [...fitted, moreColumn] : widenLast(fitted, room);
    }
  }
  return undefined;
}

/** All columns, then one optional column fewer each time, from the right. */
function dropOptional(columns: readonly MeasuredColumn[]): readonly (readonly MeasuredColumn[])[] {
  const last = columns.findLastIndex(({ optional }) => optional);
  return last === -1 ? [columns] : [columns, ...dropOptional(columns.toSpliced(last, 1))];
}

function minWidth({ key, kind, preferred }: MeasuredColumn, minimum: (typeof minimums)[number]): number {
  if (neverCut.has(kind)) return Math.min(preferred, maxUncutWidth);
  if (kind === 'address') return Math.min(preferred, minimum.address);
  return isWholeColumn(key) ? preferred : Math.min(preferred, minimum.text);
}

/** Gives each column its minimum, then the rest to the narrowest first. Undefined if there is too little room. */
function shareWidth(
  columns: readonly { readonly preferred: number; readonly min: number }[],
  room: number,
): readonly number[] | undefined {
  const shares = columns.map(({ preferred, min }) => ({ preferred, width: min }));
  let left = room - shares.reduce((sum, { width }) => sum + width, 0);
  if (left < 0) return undefined;
  for (; left > 0; left -= 1) {
    const [narrowest] = shares
      .filter(({ width, preferred }) => width < preferred)
      .sort((one, other) => one.width - other.width);
    if (narrowest === undefined) break;
    narrowest.width += 1;
  }
  return shares.map(({ width }) => width);
}

/** Later pages may have longer texts; a last text column takes the room that is left. */
function widenLast(columns: readonly TableColumn[], room: number): readonly TableColumn[] {
  const last = columns.at(-1);
  const left = room - columns.reduce((sum, { width }) => sum + width, 0);
  if (last === undefined || !['text', 'changes'].includes(last.kind)) return columns;
  return columns.with(-1, { ...last, width: last.width + left });
}

function measure(texts: readonly string[]): number {
  let width = 1;
  for (const text of texts) {
    // A very long text needs no exact width.
    if (width < maxWidth) width = Math.max(width, text.length > maxWidth * 8 ? maxWidth : stringWidth(text));
  }
  return Math.min(maxWidth, width);
}

interface TableCell {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** The cells of a row by column. */
type TableRow = ReadonlyMap<string, TableCell>;

const rightAligned: ReadonlySet<ColumnKind> = new Set(['integer', 'minutes', 'amount']);
const noBorders = {
  ...{ top: '', 'top-left': '', 'top-mid': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-left': '', 'bottom-mid': '', 'bottom-right': '' },
  ...{ mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '', left: '', right: '' },
  middle: ' '.repeat(gap),
};
/** Latin, Greek and Cyrillic letters and punctuation: one column each in every version of Unicode. */
const oneColumnEach = /^[ -\u02ff\u0370-\u0482\u1e00-\u1eff‐-…€]*$/;
const placeholder = '\u{E000}';
const placeholders = new RegExp(`${placeholder}+`, 'g');

/**
 * A table for people, printed page by page: the first page decides the column widths. If the columns do not fit the
 * terminal, each record is a block of lines. Prints nothing without rows.
 */
export function createTableWriter(options: TableOptions): RowWriter {
  const { columns, timeZone, currency, width } = options;
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  const renderCell = createCellRenderer({ timeZone, currency });
  const headings = toHeadingRows(columns, timeZone, chalk);
  let layout: readonly TableColumn[] | 'blocks' | undefined;

  function toTableRow(row: Row): TableRow {
    return new Map(
      columns.map(({ key, kind }) => {
        const text = renderCell(row[key], kind, row);
        return [key, { text, paint: statusColor(chalk, kind, text) }];
      }),
    );
  }

  return {
    begin: () => '',
    rows(rows) {
      if (rows.length === 0) return '';
      const isFirst = layout === undefined;
      const body = rows.map(toTableRow);
      const texts = toTexts(columns, [...headings, ...body]);
      // IDs and phones of a later page may be longer: the table starts again with more room for them.
      const isLonger = ({ key, width: room }: TableColumn) =>
        isWholeColumn(key) && measure(texts.get(key) ?? []) > room;
      const kept = layout !== undefined && layout !== 'blocks' && layout.some(isLonger) ? undefined : layout;
      layout = kept ?? fitColumns(columns, texts, width) ?? 'blocks';
      if (layout !== 'blocks') return drawRows([...(kept === undefined ? headings : []), ...body], layout);
      const blocks = rows.map((row) => renderRecord(row, options));
      return (isFirst ? '' : '\n') + blocks.join('\n');
    },
    end: () => '',
  };
}

function drawRows(rows: readonly TableRow[], columns: readonly TableColumn[]): string {
  const table = new Table({
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ kind }) => (rightAligned.has(kind) ? 'right' : 'left')),
  });
  const replaced: string[] = [];
  for (const row of rows)
    table.push(columns.map((column) => toContent(row.get(column.key), column, replaced)));
  const texts = replaced.values();
  const lines = table.toString().replace(placeholders, () => texts.next().value ?? '');
  return lines.replace(/ *$/gm, '').concat('\n');
}

/** Text that cli-table3 measures differently from terminals is cut here and inserted after drawing. */
function toContent(cell: TableCell | undefined, { width }: TableColumn, replaced: string[]): string {
  if (cell === undefined) return '';
  const text = cutEnd(cell.text, width);
  if (oneColumnEach.test(text)) return cell.paint(text);
  replaced.push(text);
  return cell.paint(placeholder.repeat(Math.max(1, stringWidth(text))));
}

/** The columns in words, and a line with the time zone if there are times. */
function toHeadingRows(
  columns: readonly Column[],
  timeZone: string,
  chalk: ChalkInstance,
): readonly TableRow[] {
  const texts = toHeadings(columns.map(({ key }) => key));
  const names = columns.map(({ key, heading }): [string, TableCell] => [
    key,
    { text: heading ?? texts.get(key) ?? key, paint: chalk.bold },
  ]);
  names.push([moreColumn.key, { text: moreColumn.key, paint: chalk.dim }]);
  const zones = columns
    .filter(({ kind }) => kind === 'instant')
    .map(({ key }): [string, TableCell] => [key, { text: timeZone, paint: chalk.dim }]);
  return zones.length === 0 ? [new Map(names)] : [new Map(names), new Map(zones)];
}

function toTexts(
  columns: readonly Column[],
  rows: readonly TableRow[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(columns.map(({ key }) => [key, rows.map((row) => row.get(key)?.text ?? '')]));
}
