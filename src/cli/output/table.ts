import { Chalk, type ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { Row } from '../../bulk/export/write-pages.ts';
import type { RowWriter } from '../../bulk/sheet/row-writer.ts';
import { createCellRenderer } from './cell.ts';
import type { Column, ColumnKind } from './columns.ts';
import { breakWord, cutEnd } from './fit-text.ts';
import { toHeadings } from './heading.ts';
import { renderRecord } from './record.ts';
import { statusColor } from './status.ts';
import { fitColumns, gap, isIdColumn, moreColumn, type TableColumn } from './table-columns.ts';

export interface TableOptions {
  readonly columns: readonly Column[];
  /** Columns of the terminal; no line is wider, unless `wide` is set. */
  readonly width: number;
  readonly color: boolean;
  /** IANA name of the time zone, printed below the headings of times. */
  readonly timeZone: string;
  /** Makes every column as wide as the first page needs, for a pager that scrolls sideways. */
  readonly wide?: boolean;
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
  const { columns, timeZone, wide = false } = options;
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  const renderCell = createCellRenderer({ timeZone });
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
      const page = [...(isFirst ? headings : []), ...rows.map(toTableRow)];
      const width = wide ? Number.POSITIVE_INFINITY : options.width;
      layout ??= fitColumns({ columns, texts: toTexts(columns, page), width }) ?? 'blocks';
      if (layout !== 'blocks') return drawRows(page, layout);
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
function toContent(cell: TableCell | undefined, { key, width }: TableColumn, replaced: string[]): string {
  if (cell === undefined) return '';
  // An ID of a later page may be longer than the first page's: it goes on in the next line.
  if (isIdColumn(key) && oneColumnEach.test(cell.text)) return breakWord(cell.text, width).join('\n');
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
  const names = [...toHeadings(columns.map(({ key }) => key))].map(([key, text]): [string, TableCell] => [
    key,
    { text: columns.find((column) => column.key === key)?.heading ?? text, paint: chalk.bold },
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
