import { decimalsOf } from '../../contract/numbers.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';

/** Words of people for fields. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['client', 'client_id'],
  ['created', 'created_at'],
  ['preferredstylist', 'preferred_stylist_id'],
  ['start', 'start_time'],
  ['stylist', 'stylist_id'],
  ['updated', 'updated_at'],
]);

/** Columns of an export with names of people. Without a column of IDs, they say whom a row means. */
const nameColumns: ReadonlyMap<string, string> = new Map([
  ['client_name', 'client_id'],
  ['stylist_name', 'stylist_id'],
  ['preferred_stylist_name', 'preferred_stylist_id'],
]);

/**
 * The field of each heading: `First Name`, `FIRST_NAME` and `first-name` are `first_name`. Times in the salon's zone are
 * headed `start_time_local`, amounts in a currency `amount_eur`. Other headings stay as they are.
 */
export function matchHeadings(
  headings: readonly string[],
  known: Iterable<string>,
): Partial<Pick<SheetForm, 'fields' | 'currencies'>> {
  // A field of the contract comes first: a server's own one may be spelt like it.
  const fieldOf = new Map([...known].toReversed().map((name) => [simplify(name), name]));
  const own = new Set(known);
  const currencies: Record<string, string> = {};
  const fields = headings.map((heading) => {
    if (own.has(heading) && !nameColumns.has(heading)) return heading;
    const name = simplify(heading);
    const field =
      fieldOf.get(name) ??
      fieldOf.get(name.replace(/local$/, '')) ??
      fieldOf.get(simplify(otherNames.get(name) ?? ''));
    if (field !== undefined) return field;
    const [, amount, code = ''] = /^(.*amount)[ _(-]*([a-z]{3})\)?$/i.exec(heading.trim()) ?? [];
    if (amount === undefined || decimalsOf(code.toUpperCase()) === undefined) return heading;
    const amountField = amount.toLowerCase().replaceAll(/[ -]/g, '_');
    currencies[amountField] = code.toUpperCase();
    return amountField;
  });
  for (const [index, field] of fields.entries()) {
    const idField = nameColumns.get(field);
    if (idField !== undefined && own.has(idField) && !fields.includes(idField)) fields[index] = idField;
  }
  return {
    ...(fields.every((field, index) => field === headings[index]) ? {} : { fields }),
    ...(Object.keys(currencies).length === 0 ? {} : { currencies }),
  };
}

function simplify(heading: string): string {
  // A byte order mark may have been read as Windows-1252.
  const bare = heading.replace(/^\u00EF\u00BB\u00BF/, '');
  return bare
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-.:]/g, '');
}
