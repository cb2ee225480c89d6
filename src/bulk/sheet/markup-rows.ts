import { SalonError } from '../../contract/errors.ts';
import { renderCount } from '../../text/numbers.ts';
import { xlsxLimits } from './cell-text.ts';
import type { CsvRow } from './csv-parser.ts';
import { maxRowLength } from './sheet-form.ts';

/** A row of one of the tables of a file. */
export interface MarkupRow extends CsvRow {
  readonly table: string;
  /** How many rows like this follow one another, with this one. */
  readonly repeat: number;
}

/** A cell that is being read, and how many cells like this follow one another. */
export interface OpenCell {
  text: string;
  readonly column: number;
  readonly copies?: number;
}

/** Puts the cells of a table into rows, in bounded memory. `emit` gets every row with a value. Throws `usage`. */
export function createMarkupRows(table: string, emit: (row: MarkupRow) => void) {
  let cells: string[] | undefined;
  let [line, nextLine, repeat, length] = [0, 1, 1, 0];
  /** Columns that a cell above covers, and the last line of each. */
  const covered = new Map<number, number>();

  function place(column: number, text: string): void {
    if (text === '') return;
    if (column >= xlsxLimits.columns) {
      const message = `Row ${renderCount(line)} of "${table}" has more than 16,384 cells.`;
      throw new SalonError('usage', message, { hint: 'No spreadsheet has more columns: check the file.' });
    }
    length += text.length;
    if (cells === undefined) return;
    while (cells.length < column) cells.push('');
    cells[column] = length > maxRowLength ? '' : text;
  }

  return {
    table,
    openRow({ at = 0, copies = 1, skipped = 0 } = {}): void {
      line = Math.max(at, nextLine);
      repeat = copies;
      nextLine = line + copies + skipped;
      [cells, length] = [[], 0];
    },
    closeRow(): void {
      const found = cells;
      cells = undefined;
      if (found === undefined || found.length === 0) return;
      if (nextLine - 1 > xlsxLimits.rows) {
        const message = `"${table}" has row ${renderCount(nextLine - 1)}, but a spreadsheet has 1,048,576.`;
        throw new SalonError('usage', message, { hint: 'Save it as CSV, which has no such limit.' });
      }
      const problem = length > maxRowLength ? { problem: 'The row is longer than 1 MiB.', cells: [] } : {};
      emit({ table, line, cells: found, repeat, ...problem });
    },
    /** The first column from `at` on that no cell above covers. */
    nextColumn(at: number): number {
      let column = at;
      while ((covered.get(column) ?? 0) >= line) column += 1;
      return column;
    },
    /** Adds a cell to the open row, once for each copy. */
    add({ text, column, copies = 1 }: OpenCell): void {
      for (let copy = 0; copy < copies && text !== ''; copy += 1) place(column + copy, text);
    },
    /** Leaves the cells below blank that one covers. */
    cover({
      column,
      width,
      height,
    }: {
      readonly column: number;
      readonly width: number;
      readonly height: number;
    }) {
      for (let at = column; height > 1 && at < column + width; at += 1) covered.set(at, line + height - 1);
    },
    get hasRow() {
      return cells !== undefined;
    },
  };
}

export type MarkupRows = ReturnType<typeof createMarkupRows>;

/** A whole number of 1 or more; 1 for anything else. */
export function toCount(text: string | undefined): number {
  const count = Math.trunc(Number(text));
  return count >= 1 ? count : 1;
}

/** Throws `usage` for elements in one another that no program writes: each of them takes memory. */
export function assertDepth(depth: number): void {
  if (depth <= 300) return;
  throw new SalonError('usage', 'The file has more than 300 elements in one another.', {
    hint: 'It is damaged: save it again.',
  });
}
