import type { Fields } from '../../client/json-object.ts';
import { appointment } from '../../contract/appointment.ts';
import { client } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/closest.ts';
import { isJsonNumber } from '../../text/json.ts';

/** How a value is printed for people; machine formats ignore it. */
export type ColumnKind =
  | 'text'
  | 'instant'
  /** The value of any field, which may be an instant. */
  | 'value'
  | 'day'
  /** A code of the audit log, in words. */
  | 'action'
  /** What changed, in words; of the whole entry. */
  | 'changes'
  | 'integer'
  | 'minutes'
  | 'amount'
  | 'boolean'
  | 'activity'
  | 'address'
  | 'list'
  | 'status';

export interface Column {
  readonly key: string;
  readonly kind: ColumnKind;
  /** In a table, instead of the name of the field in words. */
  readonly heading?: string;
  /** Whether a narrow table may leave it out. */
  readonly optional?: boolean;
}

/** The fields of a resource. */
export interface ColumnSet {
  /** All fields of the contract, in its order. */
  readonly all: readonly Column[];
  /** Fields that a table shows by default. */
  readonly table: readonly string[];
  /** Fields that a narrow table leaves out, the last one first. IDs of those in `names` are left out too. */
  readonly optional?: readonly string[];
  /** Columns about people, which are looked up, and the field with the ID of each. */
  readonly names?: Readonly<Record<string, string>>;
}

interface ColumnChoice {
  /** The value of --columns. */
  readonly requested?: string | undefined;
  /** A record as received: its fields may be requested too. */
  readonly sample?: Fields | undefined;
  /** Whether to use the default fields of a table instead of all fields. */
  readonly forPeople?: boolean;
}

/** How a client is called and reached: one request gives all of it. */
export const contactColumns = {
  ...{ client_name: 'client_id', client_phone: 'client_id', client_email: 'client_id' },
};

/** Columns of local records such as profiles; all of them are always shown. */
export function columnSet(kinds: Readonly<Record<string, ColumnKind>>): ColumnSet {
  const all = Object.entries(kinds).map(([key, kind]) => ({ key, kind }));
  return { all, table: all.map(({ key }) => key) };
}

/**
 * Chooses the columns to print. A request is a list such as `a,b,c`; `+a` adds to the default columns, `+all` adds all
 * fields. Throws `usage` for an unknown name.
 */
export function chooseColumns(contractSet: ColumnSet | undefined, choice: ColumnChoice): readonly Column[] {
  const { requested, sample = {}, forPeople = false } = choice;
  const set = requested === undefined && isForeign(sample, contractSet) ? undefined : contractSet;
  const own = set?.all ?? [];
  const others = columnsOf(sample, set).filter(({ key }) => own.every((column) => column.key !== key));
  const fields = [...own, ...others];
  const names = Object.keys(set?.names ?? {}).map((key): Column => ({ key, kind: 'text' }));
  const known = new Map([...fields, ...names].map((column) => [column.key, column]));
  const shown = forPeople ? set?.table.flatMap((key) => toShownColumns(key, set, sample)) : undefined;
  const defaults = shown ?? (set === undefined ? fields : own).map(({ key }) => key);
  if (requested === undefined) {
    // Default columns may be left out of a narrow table; requested ones may not.
    const optional = forPeople ? [...(set?.optional ?? []), ...Object.values(set?.names ?? {})] : [];
    const toDefault = (column: Column) =>
      optional.includes(column.key) ? { ...column, optional: true } : column;
    return pick(defaults, known).map(toDefault);
  }
  const wanted = splitNames(requested);
  if (wanted.length === 0) throw unknownColumn(requested, known);
  const expanded = wanted.flatMap((name) =>
    name === '+all' ? fields.map(({ key }) => key) : [name.replace(/^\+/, '')],
  );
  return pick([...(wanted[0]?.startsWith('+') ? defaults : []), ...expanded], known);
}

/** The names that a request, and a table without one or with a `+`, asks for. */
export function listWanted(table: readonly string[], requested: string | undefined): ReadonlySet<string> {
  const asked = requested === undefined ? ['+'] : splitNames(requested);
  const defaults = asked[0]?.startsWith('+') ? table : [];
  return new Set([...asked.map((name) => name.replace(/^\+/, '')), ...defaults]);
}

/** The columns about people that a request or a table shows. */
export function findWantedNames(
  { table, names = {} }: ColumnSet,
  { requested, forPeople }: Pick<ColumnChoice, 'requested' | 'forPeople'>,
): Readonly<Record<string, string>> {
  const wanted = listWanted(forPeople ? table : [], requested);
  return Object.fromEntries(Object.entries(names).filter(([column]) => wanted.has(column)));
}

/** The names in a request, with their `+`. */
function splitNames(requested: string): readonly string[] {
  const names = requested.trim().split(/\s*,\s*/);
  return names.filter(Boolean);
}

/** Whether a record of another server has no field of a set but its ID, so that the columns would be blank. */
export function isForeign(sample: Fields, set: ColumnSet | undefined): boolean {
  const fields = Object.keys(sample).filter((key) => key !== 'id');
  return fields.length > 0 && set?.all.some(({ key }) => fields.includes(key)) === false;
}

/** The fields of a record as columns, in its order. Fields that are not in the contract get a kind from their value. */
export function columnsOf(row: Fields, set?: ColumnSet): readonly Column[] {
  const kinds = new Map([...usualColumns, ...(set?.all ?? [])].map(({ key, kind }) => [key, kind]));
  return Object.entries(row).map(([key, value]) => ({ key, kind: kinds.get(key) ?? kindOf(value) }));
}

/** The fields of a record, names and contact details in front of the ID they belong to. */
export function columnsForPeople(row: Fields, set?: ColumnSet): readonly Column[] {
  const columns = columnsOf(row, set);
  const names = Object.entries(set?.names ?? {});
  return columns
    .filter(({ key }) => names.every(([name]) => name !== key))
    .flatMap((column) => {
      const named = names.filter(([, field]) => field === column.key).map(([name]) => name);
      return [...columns.filter(({ key }) => named.includes(key)), column];
    });
}

/** A record with the fields of all rows, each with its first value. */
export function joinFields(rows: readonly Fields[]): Fields {
  const fields = new Map<string, unknown>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) fields.set(key, fields.get(key) ?? value);
  }
  return Object.fromEntries(fields);
}

/** Names of a record's fields that are not in the set. */
export function findOtherFields({ all }: ColumnSet, row: Fields): readonly string[] {
  const known = new Set(all.map(({ key }) => key));
  return Object.keys(row).filter((key) => !known.has(key));
}

/** Where people cannot be read, a table shows the IDs instead of names, and no empty column for phones. */
function toShownColumns(key: string, { names }: ColumnSet, sample: Fields): readonly string[] {
  const id = names?.[key];
  if (id === undefined || sample[key] !== undefined || !(id in sample)) return [key];
  return key.endsWith('_name') ? [id] : [];
}

function pick(names: readonly string[], known: ReadonlyMap<string, Column>): readonly Column[] {
  return [...new Set(names)].map((name) => {
    const column = known.get(name);
    if (column === undefined) throw unknownColumn(name, known);
    return column;
  });
}

function unknownColumn(name: string, known: ReadonlyMap<string, Column>): SalonError {
  const names = [...known.keys()];
  return new SalonError('usage', `No column "${name}".${didYouMean(name, names)}`, {
    hint: `Columns: ${names.join(', ')}`,
  });
}

function kindOf(value: unknown): ColumnKind {
  if (typeof value === 'boolean') return 'boolean';
  if (isJsonNumber(value) && /^-?\d+$/.test(String(value))) return 'integer';
  if (Array.isArray(value)) return 'list';
  return 'text';
}

/** The part of a JSON Schema that decides how a value is printed. */
interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly oneOf?: readonly object[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
}

/** Fields that records of any server may have. */
const usualColumns = [...toColumns(client.properties), ...toColumns(appointment.properties)];

/** The columns of a record of the contract. `kinds` has those that its schema does not say. */
export function toColumns(
  properties: Readonly<Record<string, PropertySchema>>,
  kinds: Readonly<Record<string, ColumnKind>> = {},
): readonly Column[] {
  return Object.entries(properties).map(([key, schema]) => ({
    key,
    kind: kinds[key] ?? schemaKind(key, schema),
  }));
}

function schemaKind(key: string, { type, format, enum: values }: PropertySchema): ColumnKind {
  if (key === 'duration') return 'minutes';
  if (key === 'url') return 'address';
  if (/(?:^|_)amount$|^price$/.test(key)) return 'amount';
  if (format === 'date-time') return 'instant';
  if (format === 'salon-birthday') return 'day';
  if (values !== undefined) return 'status';
  if (type === 'boolean' || type === 'integer') return type;
  return type === 'array' ? 'list' : 'text';
}
