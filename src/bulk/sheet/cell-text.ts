import { parseJson } from '../../contract/json.ts';

/**
 * The text of a value in CSV and tab-separated output: empty for null, JSON for objects. The items of a list are
 * joined with `;`, with `\;` and `\\` for those characters; a list that would not parse back is written as JSON.
 */
export function toCellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return toListText(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
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
  if (!list.every((item) => typeof item === 'string' && item !== '')) return JSON.stringify(list);
  const text = list.map((item) => String(item).replace(/[\\;]/g, '\\$&')).join(';');
  return text.startsWith('[') ? JSON.stringify(list) : text;
}

const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const harmlessStart = /^[A-Za-z0-9]/;
const number = /^[+-](?:\d[\d.,]*|[.,]\d+)(?:e[+-]?\d+)?%?$/i;
const phone = /^\+(?=(?:\D*\d){7,15}\D*$)[\d ().-]+$/;

/**
 * Puts `'` before a cell that Excel would run as a formula. Numbers and phone numbers stay unchanged.
 * `removeExcelGuard` restores every cell exactly.
 */
export function addExcelGuard(cell: string): string {
  return isRisky(cell) ? `'${cell}` : cell;
}

export function removeExcelGuard(cell: string): string {
  return cell.startsWith("'") && isRisky(cell) ? cell.slice(1) : cell;
}

/** Cells that already look guarded get another `'`, so that removing one restores them. */
function isRisky(cell: string): boolean {
  if (harmlessStart.test(cell)) return false;
  const bare = cell.replace(/^'+/, '');
  return formulaStart.test(bare) && !number.test(bare) && !phone.test(bare);
}
