import { addExcelGuard, toValueText } from '../../bulk/sheet/cell-text.ts';
import type { Column, Printer, Row } from './columns.ts';

export interface CsvOptions {
  readonly columns: readonly Column[];
  /** As Excel wants it: byte order mark, CRLF, guarded formula cells. */
  readonly excel: boolean;
}

/** CSV after RFC 4180 with a header, in UTF-8. Lines end in LF, for Excel in CRLF; cells are those of `toValueText`. */
export function createCsvPrinter({ columns, excel }: CsvOptions): Printer {
  const keys = columns.map(({ key }) => key);
  const lineEnd = excel ? '\r\n' : '\n';
  // A line with nothing on it is no row to most readers.
  const blank = keys.length === 1 ? '""' : '';

  function toCell(value: unknown): string {
    const text = toValueText(value);
    const cell = excel && typeof value !== 'number' ? addExcelGuard(text) : text;
    return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell || blank;
  }

  // Exports run through here a million times over: one growing text is half the cost of mapped and joined lists.
  function renderRows(rows: readonly Row[]): string {
    let text = '';
    for (const row of rows) {
      let separator = '';
      for (const key of keys) {
        const value = row[key];
        text += separator;
        text += value === null || value === undefined ? blank : toCell(value);
        separator = ',';
      }
      text += lineEnd;
    }
    return text;
  }

  return {
    begin: () => (excel ? '\uFEFF' : '') + keys.map(toCell).join(',') + lineEnd,
    rows: renderRows,
    end: () => '',
  };
}

const special = /[",\r\n]/;
