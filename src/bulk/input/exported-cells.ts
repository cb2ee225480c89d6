import { cleanText } from '../../text/clean-text.ts';
import { addExcelGuard, removeExcelGuard, toCellText } from '../sheet/cell-text.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';

/** Whether a cell is what an export writes for a value: with or without --excel, into a file or a pipe. */
export function isExportOf(cell: string, current: unknown, delimiter: SheetForm['delimiter']): boolean {
  const text = toCellText(current);
  if (text === cell || addExcelGuard(text) === cell) return true;
  const piped = delimiter === '\t' ? cleanText(text) : undefined;
  if (piped === cell || piped === `"${cell.replaceAll('"', '""')}"`) return true;
  // Gnumeric does not read or write these signs of a workbook.
  if (toCharacters(cell) === text || toCharacters(text) === cell) return true;
  // Spreadsheet programs have one kind of line break in a cell.
  const toLines = (lines: string) => lines.replace(/\r\n?/g, '\n');
  return `${text}${cell}`.includes('\r') && toLines(text) === toLines(removeExcelGuard(cell));
}

function toCharacters(text: string): string {
  return text.replace(/_x([\dA-F]{4})_/g, (_sign, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Marks that a list in a pipe has for characters that nobody sees. */
const marks = /[\u2400-\u2421⏎]|‹U\+[\dA-F]{4,6}›/g;

/** Whether a cell has marks that are no letters of the current value. */
export function hasOtherMarks(cell: string, current: unknown): boolean {
  const text = toCellText(current);
  return Array.from(cell.matchAll(marks)).some(([mark]) => !text.includes(mark));
}
