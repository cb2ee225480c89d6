import { Chalk, type ChalkInstance } from 'chalk';
import { cleanText } from '../messages/clean-text.ts';
import { createCellRenderer } from './cell.ts';
import type { Column } from './columns.ts';
import type { Printer, Row } from './printer.ts';
import { renderRecord } from './record.ts';
import { statusStyle } from './status-style.ts';
import { type Cell, type CellRow, createRowDrawing } from './table-drawing.ts';
import { moreColumn, settleLayout } from './table-layout.ts';

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
        return [key, { text, paint: statusStyle(chalk, kind, text) }];
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
