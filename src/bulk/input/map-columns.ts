import { decimalsOf } from '../../contract/currencies.ts';
import { SalonError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/closest.ts';
import { isLeftOut, lastNamePrefix, otherPhone, type SheetForm, toLeftOut } from '../sheet/sheet-form.ts';
import { foldHeading, recogniseHeading } from './column-words.ts';
import { targetOf } from './join-cells.ts';
import { nameOrders } from './person-names.ts';

/** The target of a column that is left out. */
export const leftOut = '-';

/** A heading, and what its column has: a field, `first_name last_name` or `last_name first_name`, or `-` to leave it out. */
export type ColumnTarget = readonly [heading: string, target: string];

/** A column that has values, and a heading that nothing recognises. */
export interface UnknownColumn {
  readonly heading: string;
  /** The first value. */
  readonly example: string;
  /** The field that its values clearly are of, unless another column has it. */
  readonly likely?: string | undefined;
}

export interface MappingOptions {
  readonly mapping?: readonly ColumnTarget[] | undefined;
  /** Whose headings of other programs and languages are recognised. */
  readonly recognises?: 'clients' | 'appointments' | undefined;
  /** Whether columns that are not recognised are left out where they are empty, or asked about. */
  readonly asksUnknown?: boolean | undefined;
  /** Asks what unknown columns have. Those that it does not name stay unknown. */
  readonly chooseFields?:
    | ((columns: readonly UnknownColumn[]) => Promise<readonly ColumnTarget[]>)
    | undefined;
}

type Columns = Pick<SheetForm, 'columns' | 'fields'>;

export function isTarget(target: string, known: readonly string[]): boolean {
  const field = parseAmountHeading(target)?.field ?? target;
  return target === leftOut || known.includes(field) || nameOrders.some((order) => order === target);
}

export function describeTargets(known: readonly string[]): string {
  const names = known.includes('first_name') ? '; for whole names "first_name last_name"' : '';
  return `${known.join(', ')}${names}; nothing to leave a column out`;
}

/** Whether a column is used or left out as its field says. */
export function isTaken(field: string, known: readonly string[]): boolean {
  return isTarget(field, known) || [otherPhone, lastNamePrefix].includes(field) || isLeftOut(field);
}

/**
 * The fields of columns as people say what they have, by index. Throws `usage` for a heading that the sheet does not have or
 * that is mapped twice, and for an unknown field.
 */
export function readMapping(
  columns: readonly string[],
  mapping: readonly ColumnTarget[],
  { name, known }: { readonly name: string; readonly known: readonly string[] },
): ReadonlyMap<number, string> {
  const mapped = new Map<number, string>();
  for (const [heading, target] of mapping) {
    const index = findColumn(heading, columns, name);
    if (mapped.has(index)) {
      throw new SalonError('usage', `Column "${columns[index]}" is mapped twice.`, {
        hint: 'Use one --map for a column.',
      });
    }
    if (!isTarget(target, known)) {
      const problem = `Column "${heading}" cannot be ${target}: no such field.${didYouMean(target, known)}`;
      throw new SalonError('usage', problem, { hint: `Fields: ${describeTargets(known)}.` });
    }
    mapped.set(index, target === leftOut ? toLeftOut(columns[index] ?? '') : target);
  }
  return mapped;
}

function findColumn(heading: string, columns: readonly string[], name: string): number {
  const exact = columns.indexOf(heading.trim());
  if (exact !== -1) return exact;
  const alike = columns.flatMap((column, index) =>
    foldHeading(column) === foldHeading(heading) ? [index] : [],
  );
  const [index] = alike;
  if (index !== undefined && alike.length === 1) return index;
  const problem =
    alike.length > 1
      ? `${name} has ${alike.length} columns like "${heading}".`
      : `${name} has no column "${heading}".`;
  throw new SalonError('usage', problem, { hint: `Its columns: ${columns.join(', ')}.` });
}

/** Throws `usage` if two columns have one field. */
export function assertDistinctFields({ fields = [], columns }: Columns, name: string): void {
  const owners = new Map<string, number>();
  for (const [index, field] of fields.entries()) {
    const parts: readonly string[] = nameOrders.some((order) => order === field) ? field.split(' ') : [field];
    for (const part of parts) {
      const first = owners.get(part);
      owners.set(part, index);
      if (first === undefined) continue;
      const [one = '', other = ''] = [columns?.[first], columns?.[index]];
      throw new SalonError('usage', `${name}: columns "${one}" and "${other}" are both ${part}.`, {
        hint: `Remove or rename one of them, or leave it out: ${toMapFlag(other)}`,
      });
    }
  }
}

/** The flag that says what a column has, as a shell reads it. */
export function toMapFlag(heading: string, target = ''): string {
  const text = `${heading}=${target}`;
  return /["$`\\!]/.test(text) ? `--map '${text.replaceAll("'", `'\\''`)}'` : `--map "${text}"`;
}

/** What a sheet does with columns that are not headed as their field, for people: `Nachname → last_name`, or not taken. */
export function describeColumns(
  { columns, fields = [], parts = [] }: Columns & Pick<SheetForm, 'parts'>,
  ignored: readonly string[],
) {
  const taken: ColumnTarget[] = [];
  const leftOut: string[] = [];
  for (const [index, heading] of (columns ?? []).entries()) {
    const field = fields[index] ?? heading;
    const isOther = foldHeading(heading) !== foldHeading(field);
    const role = parts.find((part) => part.field === field)?.role;
    const target = role === 'notes' ? role : role && targetOf(role);
    if (target !== undefined) taken.push([heading, target]);
    else if (role === 'label') continue;
    else if (isLeftOut(field) || (isOther && ignored.includes(field))) leftOut.push(heading);
    else if (isOther) taken.push([heading, field]);
  }
  return { taken, leftOut };
}

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
  ['client_email', 'client_id'],
  ['client_phone', 'client_id'],
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
  const fieldOf = new Map([...known].toReversed().map((name) => [foldHeading(name), name]));
  const own = new Set(known);
  const currencies: Record<string, string> = {};
  const fields = headings.map((heading) => {
    if (own.has(heading) && !nameColumns.has(heading)) return heading;
    const name = foldHeading(heading);
    const field =
      fieldOf.get(name) ??
      fieldOf.get(name.replace(/local$/, '')) ??
      fieldOf.get(foldHeading(otherNames.get(name) ?? ''));
    if (field !== undefined) return field;
    const amount = parseAmountHeading(heading);
    if (amount === undefined) return heading;
    currencies[amount.field] = amount.currency;
    return amount.field;
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

const signs: Readonly<Record<string, string>> = { '€': 'eur', '£': 'gbp', zł: 'pln' };

/** The field and the currency of `price_eur`, `Paid amount (EUR)`, `Preis in €` and the like, and how an export writes that. */
export function parseAmountHeading(text: string) {
  const [, amount = '', unit = ''] = /^(.+?)[ _(-]*(?:[ie]n )?([a-z]{3}|€|£|zł)\)?$/i.exec(text.trim()) ?? [];
  const code = signs[unit.toLowerCase()] ?? unit;
  const currency = code.toUpperCase();
  const isAmount = /(?:^|[ _-])amount$/i.test(amount);
  const isPrice = !isAmount && recogniseHeading(amount, 'appointments') === 'price';
  if (decimalsOf(currency) === undefined || !(isPrice || isAmount)) return undefined;
  const field = isPrice ? 'price' : amount.toLowerCase().replaceAll(/[ -]/g, '_');
  return { field, currency, heading: `${field}_${code.toLowerCase()}` };
}
