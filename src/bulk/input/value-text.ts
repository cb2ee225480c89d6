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
