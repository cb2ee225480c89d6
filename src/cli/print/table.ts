import { Chalk, type ChalkInstance } from 'chalk';
import { createCellRenderer } from './cell.ts';
import { cleanText } from './clean-text.ts';
import type { Column } from './columns.ts';
import type { Printer, Row } from './printer.ts';
import { renderRecord } from './record.ts';
import { statusStyle } from './status-style.ts';
import { type Cell, drawRows } from './table-drawing.ts';
import { type DrawnColumn, moreColumn, settleLayout } from './table-layout.ts';

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

/** Cells of one row, by the key of their column. */
type CellRow = ReadonlyMap<string, Cell>;

/**
 * A table for people, streamed page by page: the first rows settle how wide each column is. Where the columns
 * cannot share the terminal's width, each record is a block of lines instead. Without rows nothing is printed.
 */
export function createTablePrinter(options: TableOptions): Printer {
  const { columns, timeZone, wide = false } = options;
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  const renderCell = createCellRenderer({ timeZone });
  const headings = toHeadings(columns, { timeZone, chalk });
  let started = false;
  let layout: readonly DrawnColumn[] | undefined;

  function toCells(row: Row): CellRow {
    return new Map(
      columns.map(({ key, kind }) => {
        const text = renderCell(row[key], kind);
        return [key, { text, paint: statusStyle(chalk, kind, text) }];
      }),
    );
  }

  return {
    begin: () => '',
    rows(rows) {
      if (rows.length === 0) return '';
      const body = rows.map(toCells);
      const lines = started ? body : [...headings, ...body];
      if (!started) {
        const width = wide ? Number.POSITIVE_INFINITY : options.width;
        layout = settleLayout({ columns, texts: toTexts(columns, lines), width });
      }
      const blocks = started ? [''] : [];
      started = true;
      if (layout !== undefined) return draw(lines, layout);
      return [...blocks, ...rows.map((row) => renderRecord(row, options))].join('\n');
    },
    end: () => '',
  };
}

function draw(rows: readonly CellRow[], columns: readonly DrawnColumn[]): string {
  return drawRows(
    rows.map((row) => columns.map(({ key }) => row.get(key))),
    columns,
  );
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
