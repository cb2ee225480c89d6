import { createCsvSplitter } from './csv-splitter.ts';
import { addExcelGuard, removeExcelGuard } from './excel-guard.ts';
import { readText } from './read-text.ts';
import type { SheetForm } from './sheet-form.ts';

/**
 * Whether the cells of a CSV carry the `'` that an export for Excel puts before formulas. They do where some have it,
 * none that would have got it is without, and the file has what Excel and that export leave in a file and others
 * hardly do: CRLF, a byte order mark, or an encoding other than UTF-8. A `'=x` in any other CSV is text.
 */
export async function detectGuard(path: string, form: SheetForm): Promise<boolean> {
  const isOfExcel = form.lineEnd === '\r\n' || form.hasByteOrderMark || form.encoding !== 'utf-8';
  if (form.format !== 'csv' || !isOfExcel) return false;
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

export function isGuarded(cell: string): boolean {
  return removeExcelGuard(cell) !== cell;
}

function isUnguarded(cell: string): boolean {
  return !cell.startsWith("'") && addExcelGuard(cell) !== cell;
}
