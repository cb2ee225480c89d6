import { removeExcelGuard } from '../sheet/cell-text.ts';
import { type CsvRow, createCsvSplitter } from '../sheet/csv-parser.ts';
import type { RowFault, SheetForm, SheetRow } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/text-encoding.ts';
import { createJsonRows } from './json-rows.ts';
import { createNdjsonRows } from './ndjson-rows.ts';

/**
 * The rows of a sheet in their order, in bounded memory. Blank ones are passed over; what is wrong with a row is in
 * its `fault`.
 */
export async function* readSheet(path: string, form: SheetForm): AsyncGenerator<SheetRow, void> {
  const reader = createReader(form);
  let number = 0;
  for await (const piece of readText(path, form)) {
    for (const row of reader.write(piece)) yield { number: ++number, ...row };
  }
  for (const row of reader.end()) yield { number: ++number, ...row };
}

function createReader(form: SheetForm): RowReader {
  if (form.format === 'csv') return createCsvRows(form);
  return form.format === 'json' ? createJsonRows() : createNdjsonRows();
}

/** Names the cells of a CSV by its heading, and takes off what an export for Excel put on them. */
export function createCsvRows({ delimiter, columns, hasSeparatorLine, isGuarded }: SheetForm): RowReader {
  const names = columns ?? [];
  const splitter = createCsvSplitter(delimiter ?? ',');
  let toSkip = hasSeparatorLine ? 2 : 1;
  return {
    write: (piece) => toRows(splitter.write(piece)),
    end: () => toRows(splitter.end()),
  };

  function toRows(found: readonly CsvRow[]): UnnumberedRow[] {
    const rows: UnnumberedRow[] = [];
    for (const row of found) {
      if (isBlankRow(row)) continue;
      if (toSkip > 0) toSkip -= 1;
      else rows.push(toRow(row));
    }
    return rows;
  }

  function toRow({ line, cells, unreadable }: CsvRow): UnnumberedRow {
    if (unreadable !== undefined) return toUnreadable(line, unreadable);
    const named = nameCells(cells);
    if (cells.length >= names.length && cells.slice(names.length).every(isBlank))
      return { line, cells: named };
    const reason = `The row has ${count(cells.length, 'cell')}, the heading ${count(names.length, 'name')}.`;
    return toFaulty(line, { code: 'width', reason, cells: named });
  }

  function nameCells(cells: readonly string[]): Record<string, string> {
    const named: Record<string, string> = {};
    for (const [index, name] of names.entries()) {
      const cell = cells[index] ?? '';
      named[name] = isGuarded ? removeExcelGuard(cell) : cell;
    }
    return named;
  }
}

/** Whether a row has no text in it, as spreadsheet programs leave many behind. */
export function isBlankRow({ cells, unreadable }: CsvRow): boolean {
  return unreadable === undefined && cells.every(isBlank);
}

export function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** Makes rows of a sheet's text, piece by piece. */
export interface RowReader {
  write(piece: string): UnnumberedRow[];
  end(): UnnumberedRow[];
}

export type UnnumberedRow = Omit<SheetRow, 'number'>;

/** A row that cannot be read at all. */
export function toUnreadable(line: number, reason: string): UnnumberedRow {
  return toFaulty(line, { code: 'unreadable', reason });
}

/** A row with something wrong about the whole of it. */
export function toFaulty(
  line: number,
  { cells = {}, ...fault }: Pick<RowFault, 'code' | 'reason'> & Partial<Pick<SheetRow, 'cells'>>,
): UnnumberedRow {
  return { line, cells, fault: { line, column: null, ...fault } };
}
