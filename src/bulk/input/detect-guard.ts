import { createCsvSplitter } from './csv-splitter.ts';
import { addExcelGuard, removeExcelGuard } from './excel-guard.ts';
import { readText } from './read-text.ts';
import type { SheetForm } from './sheet-form.ts';

/**
 * Whether the cells of a CSV carry the `'` that an export for Excel puts before formulas. They do where some have it,
 * none that would have got it is without, and the file has something that spreadsheet programs and that export leave
 * behind and a plain export does not: CRLF, a byte order mark, another encoding or delimiter. A `'=x` in any other CSV
 * is text.
 */
export async function detectGuard(path: string, form: SheetForm): Promise<boolean> {
  if (form.format !== 'csv' || !isOfSpreadsheet(form)) return false;
  const splitter = createCsvSplitter(form.delimiter ?? ',');
  let hasGuarded = false;
  for await (const piece of readText(path, form)) {
    for (const { cells } of splitter.write(piece)) {
      if (cells.some(isUnguarded)) return false;
      hasGuarded ||= cells.some(isGuarded);
    }
  }
  const rest = splitter.end().flatMap(({ cells }) => cells);
  return !rest.some(isUnguarded) && (hasGuarded || rest.some(isGuarded));
}

function isOfSpreadsheet({ lineEnd, hasByteOrderMark, encoding, delimiter }: SheetForm): boolean {
  return lineEnd === '\r\n' || hasByteOrderMark || encoding !== 'utf-8' || delimiter !== ',';
}

function isGuarded(cell: string): boolean {
  return removeExcelGuard(cell) !== cell;
}

function isUnguarded(cell: string): boolean {
  return !cell.startsWith("'") && addExcelGuard(cell) !== cell;
}
