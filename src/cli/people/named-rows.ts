import type { Fields } from '../../client/json-object.ts';
import { readRows } from '../../client/pagination/paginate.ts';
import type { Written } from '../../client/resources/response-record.ts';
import { isSameJson } from '../../text/json.ts';
import { createCellRenderer } from '../output/cell.ts';
import type { ColumnSet } from '../output/columns.ts';
import { onePage, type RecordPage } from '../output/command-result.ts';
import { toFieldWords, toHeading } from '../output/field-words.ts';
import { cutEnd } from '../output/fit-text.ts';
import { readStyle } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { openClientNames } from './client-names.ts';
import { isReadByPeople } from './client-records.ts';
import { type ClientContact, inWords, readStylistsById, toText } from './names.ts';

/** Columns about people, and the field with the ID of each: `{client_name: 'client_id'}`. */
export type NameColumns = Readonly<Record<string, string>>;

const forPrograms = { deleted: null, nameless: null };

export interface NamedRows {
  readonly columns: NameColumns;
  /** Whether people read the rows: programs get null for somebody without a name. */
  readonly forPeople: boolean;
}

/**
 * Adds names, phones and email addresses to the rows of each page. Values from the server are kept.
 * Where people cannot be read, nothing is added.
 */
export async function* addNames<Page extends RecordPage>(
  pages: AsyncIterable<Page>,
  { columns, forPeople }: NamedRows,
  context: CommandContext,
): AsyncGenerator<Page, void> {
  await using clients = await openClientNames(context);
  let stylists: ReadonlyMap<string, string> | undefined;
  for await (const page of pages) {
    for (const entry of Object.entries(columns)) {
      const [column, field] = entry;
      const isStylist = field.endsWith('stylist_id');
      const [, detail] = /_(phone|email|consent)$/.exec(column) ?? [];
      const part = (detail ?? 'name') as keyof ClientContact;
      const words = forPeople && part === 'name' ? inWords : forPrograms;
      const contactOf = (id: string) => clients.contactOf(id)?.[part];
      const nameOf = isStylist ? (id: string) => stylists?.get(id) : contactOf;
      const unnamed = setKnownNames(page.rows, entry, nameOf);
      if (unnamed.size === 0) continue;
      if (isStylist) stylists ??= await readStylistsById(context);
      else await clients.load(unnamed.keys());
      const isAvailable = isStylist ? (stylists?.size ?? 0) > 0 : clients.isAvailable();
      if (!isAvailable) continue;
      for (const [id, rows] of unnamed) {
        const name = nameOf(id);
        for (const row of rows) row[column] = name === '' ? words.nameless : (name ?? words.deleted);
      }
    }
    yield page;
  }
}

type NamedRow = Record<string, unknown>;

/**
 * Sets the names that are known, and returns the other rows by the ID of the person. The rows themselves are changed:
 * they were read for this list, and copies of a million rows take time.
 */
function setKnownNames(
  rows: readonly NamedRow[],
  [column, field]: readonly [column: string, field: string],
  nameOf: (id: string) => string | undefined,
): ReadonlyMap<string, NamedRow[]> {
  const unnamed = new Map<string, NamedRow[]>();
  for (const row of rows) {
    const id = toText(row[field]);
    if (id === '' || row[column]) continue;
    const name = nameOf(id);
    if (name) {
      row[column] = name;
      continue;
    }
    const others = unnamed.get(id);
    if (others === undefined) unnamed.set(id, [row]);
    else others.push(row);
  }
  return unnamed;
}

/** A field before and after a change. */
export interface FieldChange {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** `: price 1.50 EUR → 2.00 EUR; active yes → no`. Reads names and the time zone only at a terminal. */
export async function renderUpdate(
  { before, record }: Written<object>,
  { change, columns }: { readonly change: object; readonly columns: ColumnSet },
  context: CommandContext,
): Promise<string> {
  const old = new Map(Object.entries(before ?? {}));
  // What records do not show, such as a password, is not shown here either.
  const rows = Object.entries(before && record ? record : {})
    .map(([field, value]) => ({ field, old: old.get(field) ?? null, new: value }))
    .filter((row) => Object.hasOwn(change, row.field) && !isSameJson(row.old, row.new));
  if (rows.length === 0) return '';
  const isRead = isReadByPeople(context);
  const named = await nameChanges(rows, isRead ? columns : { ...columns, names: {} }, context);
  const renderCell = createCellRenderer({ timeZone: isRead ? await context.timeZone() : 'UTC' });
  const render = (value: unknown) => cutEnd(renderCell(value, isRead ? 'value' : 'text', {}), 60) || '–';
  const parts = named.map((one) => `${toFieldWords(one.field)} ${render(one.old)} → ${render(one.new)}`);
  return `: ${parts.join('; ')}`;
}

/** The changes of a record for people: fields in words, names instead of IDs. */
export async function nameChanges(
  changes: readonly FieldChange[],
  { all, names = {} }: ColumnSet,
  context: CommandContext,
): Promise<readonly FieldChange[]> {
  const toRecord = (side: 'old' | 'new'): Fields =>
    Object.fromEntries(changes.map((change) => [change.field, change[side]]));
  const both = onePage([toRecord('old'), toRecord('new')]);
  const named = await readRows(addNames(both, { columns: names, forPeople: true }, context));
  const table = changes.map(({ field }) => field);
  const render = await openNumbers(all, table, context);
  return changes.map(({ field, ...values }) => {
    const [column = field] = Object.entries(names).find(([, id]) => id === field) ?? [];
    const show = (value: unknown, record: Fields | undefined) =>
      (column === field ? undefined : record?.[column]) ?? render(field, value);
    return { field: toHeading(column), old: show(values.old, named[0]), new: show(values.new, named[1]) };
  });
}

/** Renders the numbers of fields as a table does, such as prices with their currency. Other values stay. */
export async function openNumbers(all: ColumnSet['all'], table: readonly string[], context: CommandContext) {
  const renderCell = createCellRenderer(await readStyle(context, { all, table }));
  const kinds = new Map(all.map(({ key, kind }) => [key, kind]));
  return (field: string, value: unknown) =>
    typeof value === 'number' ? renderCell(value, kinds.get(field) ?? 'value', {}) : value;
}
