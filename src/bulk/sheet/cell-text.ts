import { cleanText } from '../../text/clean-text.ts';
import { parseJson, renderJson } from '../../text/json.ts';

/**
 * The text of a value in CSV and tab-separated output: empty for null, JSON for objects. The items of a list are
 * joined with `;`, with `\;` and `\\` for those characters; a list that would not parse back is written as JSON.
 */
export function toCellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return toListText(value);
  return typeof value === 'object' ? renderJson(value) : String(value);
}

/** Parses a list that `toCellText` wrote. Throws SyntaxError for a cell that begins with `[` and is not JSON. */
export function parseCellList(cell: string): unknown[] {
  if (cell === '') return [];
  if (cell.startsWith('[')) return parseJson(cell) as unknown[];
  if (!cell.includes('\\')) return cell.split(';');
  return Array.from(cell.matchAll(/(?:^|;)((?:\\.|[^\\;])*)/gsu), ([, item = '']) =>
    item.replace(/\\(.)/gsu, '$1'),
  );
}

function toListText(list: readonly unknown[]): string {
  if (!list.every((item) => typeof item === 'string' && item !== '')) return renderJson(list);
  const text = list.map((item) => String(item).replace(/[\\;]/g, '\\$&')).join(';');
  return text.startsWith('[') ? renderJson(list) : text;
}

const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const number = /^[+-]?(?:\d[\d.,]*|[.,]\d+)(?:e[+-]?\d+)?%?$/i;
const phone = /^\+(?=(?:\D*\d){7,15}\D*$)[\d ().-]+$/;
/** A text that programs make a date, time, sum of money or error of. ISO dates stay dates. */
const convertible =
  /^(?:\d{1,2}[-/]\d{1,2}(?:[-/]\d{1,4})?$|\d{1,3}:\d\d|\d{1,2}[ .-]+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\(?[€$£¥]?[\d.,]+\)?$|#|err:)/i;
/** Longer numbers are shown, and saved as CSV, with fewer digits. */
const plainNumber = /^(?=.{1,11}$)-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Puts `'` before a cell that spreadsheet programs would run as a formula or change as a number: `+447700900123`,
 * `00123`, `1234567890123`. `removeExcelGuard` restores every cell exactly.
 */
export function addExcelGuard(cell: string): string {
  return isRisky(cell) ? `'${cell}` : cell;
}

export function removeExcelGuard(cell: string): string {
  return cell.startsWith("'") && isRisky(cell) ? cell.slice(1) : cell;
}

/** Whether a cell is a formula that an export for Excel would have guarded; people type numbers without guard. */
export function isOpenFormula(cell: string): boolean {
  return formulaStart.test(cell) && !number.test(cell) && !phone.test(cell);
}

/** Cells that already look guarded get another `'`, so that removing one restores them. */
function isRisky(cell: string): boolean {
  if (/^[A-Za-z]/.test(cell)) return false;
  const bare = cell.replace(/^'+/, '');
  return number.test(bare) ? !plainNumber.test(bare) : formulaStart.test(bare) || convertible.test(bare);
}

/** Whether a cell is what an export writes for a value: with or without --excel, into a file or a pipe. */
export function isExportOf(cell: string, current: unknown, delimiter: string | null): boolean {
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

/** What spreadsheet programs show for a formula that has failed. */
export const formulaError =
  /^(?:#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!)|Err:5\d\d)$/;

/** `E5` for the fifth column of line 5. */
export function toAddress(index: number, line: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${line}`;
}

/** Limits of every program that opens .xlsx. */
export const xlsxLimits = { rows: 1_048_576, columns: 16_384, characters: 32_767 };
