import { type CsvRow, createCsvSplitter } from './csv-splitter.ts';
import { removeExcelGuard } from './excel-guard.ts';
import { type RowReader, toFaulty, toUnreadable, type UnnumberedRow } from './row-reader.ts';
import type { SheetForm } from './sheet-form.ts';

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
