const listEscapes = /[\\;]/g;

/**
 * A value as a cell of a machine format: text as it is, nothing for null, `true` and `false`, nested values as
 * JSON. A list of texts is joined with `;`, where a `;` or `\` inside is written `\;` or `\\`; a list that
 * could not be read back from this is JSON.
 */
export function toValueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return toListText(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The list a cell of `toValueText` holds. Throws SyntaxError for a cell that begins like JSON and is none. */
export function parseListText(cell: string): unknown[] {
  if (cell === '') return [];
  if (cell.startsWith('[')) return JSON.parse(cell);
  if (!cell.includes('\\')) return cell.split(';');
  return Array.from(cell.matchAll(/(?:^|;)((?:\\.|[^\\;])*)/gsu), ([, item = '']) =>
    item.replace(/\\(.)/gsu, '$1'),
  );
}

function toListText(list: readonly unknown[]): string {
  if (!list.every((item) => typeof item === 'string' && item !== '')) return JSON.stringify(list);
  const text = list.map((item) => String(item).replace(listEscapes, '\\$&')).join(';');
  return text.startsWith('[') ? JSON.stringify(list) : text;
}

const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const harmlessStart = /^[A-Za-z0-9]/;
const number = /^[+-](?:\d[\d.,]*|[.,]\d+)(?:e[+-]?\d+)?%?$/i;
const phone = /^\+(?=(?:\D*\d){7,15}\D*$)[\d ().-]+$/;

/**
 * The cell as Excel may safely open it: one that would run as a formula gets `'` in front. Numbers and phone
 * numbers stay as they are. `removeExcelGuard` gives back exactly what went in, whatever it was.
 */
export function addExcelGuard(cell: string): string {
  return isRisky(cell) ? `'${cell}` : cell;
}

export function removeExcelGuard(cell: string): string {
  return cell.startsWith("'") && isRisky(cell) ? cell.slice(1) : cell;
}

/** Cells that look guarded already are risky too: they get one more `'`, which removal takes off again. */
function isRisky(cell: string): boolean {
  if (harmlessStart.test(cell)) return false;
  const bare = cell.replace(/^'+/, '');
  return formulaStart.test(bare) && !number.test(bare) && !phone.test(bare);
}
