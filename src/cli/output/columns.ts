import { appointment } from '../../contract/appointment.ts';
import { client } from '../../contract/client.ts';
import { closest } from '../../contract/closest.ts';
import { delivery } from '../../contract/delivery.ts';
import { SalonError } from '../../contract/errors.ts';
import { payment } from '../../contract/payment.ts';
import { stylist } from '../../contract/stylist.ts';
import { webhook } from '../../contract/webhook.ts';

/** How a value is shown to people; machine formats do not care. */
export type ColumnKind =
  | 'text'
  | 'instant'
  | 'day'
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
  /** A table may leave it out where there is no room. */
  readonly optional?: boolean;
}

/** The fields of one kind of record. */
export interface ColumnSet {
  /** Every field of the contract, in its order. */
  readonly all: readonly Column[];
  /** Names of the few that a table shows when nothing else is asked for, the most telling first. */
  readonly table: readonly string[];
  /** Names of those that a narrow table leaves out first, from the last on; references to other records are too. */
  readonly optional?: readonly string[];
}

export interface ColumnChoice {
  /** What --columns says. */
  readonly requested?: string | undefined;
  /** The fields that came: they may be asked for beside those of the contract. */
  readonly sample?: Row | undefined;
  /** Whether a person reads the result: a table starts from its few columns, everything else from all. */
  readonly forPeople?: boolean | undefined;
}

export const appointmentColumns: ColumnSet = {
  all: toColumns(appointment.properties),
  table: ['id', 'start_time', 'duration', 'service', 'status', 'client_id', 'stylist_id'],
};

export const clientColumns: ColumnSet = {
  all: toColumns(client.properties),
  table: ['id', 'first_name', 'last_name', 'email', 'phone'],
};

export const stylistColumns: ColumnSet = {
  all: toColumns(stylist.properties),
  table: ['id', 'display_name', 'first_name', 'last_name', 'active', 'services'],
};

export const webhookColumns: ColumnSet = {
  all: toColumns(webhook.properties).map((column) =>
    column.key === 'active' ? { ...column, kind: 'activity' } : column,
  ),
  table: ['id', 'url', 'events', 'active', 'description'],
  optional: ['events', 'description'],
};

/** Deliveries with what tells most of them put beside: how often they were tried, and what came of the last try. */
export const deliveryColumns: ColumnSet = {
  all: [
    ...toColumns(delivery.properties),
    { key: 'tries', kind: 'integer' },
    { key: 'last_answer', kind: 'text' },
  ],
  table: ['created_at', 'event_type', 'status', 'tries', 'last_answer', 'next_attempt_at', 'id'],
  optional: ['next_attempt_at', 'id'],
};

export const paymentColumns: ColumnSet = {
  all: toColumns(payment.properties),
  table: ['id', 'created_at', 'status', 'amount', 'refunded_amount', 'method', 'tip_amount', 'client_id'],
  optional: ['tip_amount', 'refunded_amount', 'method'],
};

/** The columns of records that are salon's own, such as profiles: each shown always, in this order. */
export function columnSet(kinds: Readonly<Record<string, ColumnKind>>): ColumnSet {
  const all = Object.entries(kinds).map(([key, kind]) => ({ key, kind }));
  return { all, table: all.map(({ key }) => key) };
}

/**
 * The columns to print. A request is a list of names, `a,b,c`; when it begins with `+` its names come after
 * the ones shown anyway, and `+all` stands for every field there is. Throws `usage` for a name nobody knows.
 */
export function chooseColumns(set: ColumnSet | undefined, choice: ColumnChoice): readonly Column[] {
  const { requested, sample, forPeople } = choice;
  const own = set?.all ?? [];
  const known = new Map([...own, ...columnsOf(sample ?? {}, set)].map((column) => [column.key, column]));
  const usual = set === undefined ? [...known.keys()] : forPeople ? set.table : own.map(({ key }) => key);
  if (requested === undefined) {
    const usualColumns = pick(usual, known);
    return forPeople ? usualColumns.map((column) => toUsualColumn(column, set?.optional)) : usualColumns;
  }
  const asked = requested
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (asked.length === 0) throw unknownColumn(requested, [...known.keys()]);
  const start = asked[0]?.startsWith('+') ? usual : [];
  const names = asked.flatMap((name) => (name === '+all' ? [...known.keys()] : [name.replace(/^\+/, '')]));
  return pick([...start, ...names], known);
}

/** The fields of a record as columns, in the record's order; kinds come from the contract where it has the field. */
export function columnsOf(row: Row, set?: ColumnSet): readonly Column[] {
  const kinds = new Map(
    [...clientColumns.all, ...appointmentColumns.all, ...(set?.all ?? [])].map(({ key, kind }) => [
      key,
      kind,
    ]),
  );
  return Object.entries(row).map(([key, value]) => ({ key, kind: kinds.get(key) ?? kindOf(value) }));
}

/** One record with the fields of all of these, each with the first value it has. */
export function joinFields(rows: readonly Row[]): Row {
  const fields = new Map<string, unknown>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) fields.set(key, fields.get(key) ?? value);
  }
  return Object.fromEntries(fields);
}

/** Names of the fields that a record has and a set does not know. */
export function findOtherFields({ all }: ColumnSet, row: Row): readonly string[] {
  const known = new Set(all.map(({ key }) => key));
  return Object.keys(row).filter((key) => !known.has(key));
}

/** References to other records are the first to go from a narrow table, unless somebody asked for them. */
function toUsualColumn(column: Column, optional: readonly string[] = []): Column {
  return column.key.endsWith('_id') || optional.includes(column.key) ? { ...column, optional: true } : column;
}

function pick(names: readonly string[], known: ReadonlyMap<string, Column>): readonly Column[] {
  return [...new Set(names)].map((name) => {
    const column = known.get(name);
    if (column === undefined) throw unknownColumn(name, [...known.keys()]);
    return column;
  });
}

function unknownColumn(name: string, known: readonly string[]): SalonError {
  const near = closest(name, known);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  return new SalonError('usage', `There is no column "${name}".${question}`, {
    hint: `Columns: ${known.join(', ')}`,
  });
}

function kindOf(value: unknown): ColumnKind {
  if (typeof value === 'boolean') return 'boolean';
  if (Number.isInteger(value)) return 'integer';
  if (Array.isArray(value)) return 'list';
  return 'text';
}

/** The part of a JSON Schema that tells how a value is shown. */
interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly oneOf?: readonly object[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
}

function toColumns(properties: Readonly<Record<string, PropertySchema>>): readonly Column[] {
  return Object.entries(properties).map(([key, schema]) => ({ key, kind: schemaKind(key, schema) }));
}

function schemaKind(key: string, { type, format, enum: values }: PropertySchema): ColumnKind {
  if (key === 'duration') return 'minutes';
  if (key === 'url') return 'address';
  if (/(?:^|_)amount$/.test(key)) return 'amount';
  if (format === 'date-time') return 'instant';
  if (format === 'date') return 'day';
  if (values !== undefined) return 'status';
  if (type === 'boolean' || type === 'integer') return type;
  return type === 'array' ? 'list' : 'text';
}

/** One record to print: its members as they came. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Records in, text out, page by page. The whole is `begin()`, any number of `rows()`, `end()`, in this order;
 * what each answers is written before the next is asked for.
 */
export interface Printer {
  begin(): string;
  rows(rows: readonly Row[]): string;
  end(): string;
}
