import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { isJsonNumber, isSameJson, tryParseJson } from '../../text/json.ts';
import { type CopyTable, columnsOfCopy } from './copy-layout.ts';

/** How a table differs from a complete list, by the IDs of the records. */
export interface TableDifference {
  readonly listed: number;
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  readonly extra: readonly string[];
}

/** Prepares writing rows of a table. `add` and `put` return the ID of the record, and whether its row was added or changed. */
export function createRowWriter(database: DatabaseSync, table: CopyTable) {
  const { names, read } = openRecords(table);
  const find = database.prepare(`select raw from ${table} where id = ?`);
  const replace = database.prepare(
    `replace into ${table} (${names.join(', ')}, raw) values (?${', ?'.repeat(names.length)})`,
  );
  const write = <Effect>({ id, raw, toValues }: ReturnType<typeof read>, effect: Effect) => {
    replace.run(...toValues(), raw);
    return { id, effect };
  };
  return {
    /** For a record that is known to be new, which then is not looked for. */
    add: (record: Fields) => write(read(record), 'added' as const),
    put(record: Fields) {
      const given = read(record);
      const known = find.get(given.id)?.['raw'];
      if (known === given.raw) return { id: given.id, effect: undefined };
      return write(given, known === undefined ? ('added' as const) : ('changed' as const));
    },
  };
}

/** Compares a table with a complete list, page by page: each row as a sync would have written it. */
export async function compareRows(
  database: DatabaseSync,
  table: CopyTable,
  pages: AsyncIterable<readonly Fields[]>,
): Promise<TableDifference> {
  const list = openListedIds(database);
  const { names, read } = openRecords(table);
  const isSame = names.map((name) => `${name} is ?`).join(' and ');
  const find = database.prepare(`select ${isSame} as same, raw from ${table} where id = ?`);
  const missing: string[] = [];
  const changed: string[] = [];
  let listed = 0;
  for await (const rows of pages) {
    for (const record of rows) {
      const { id, raw, toValues } = read(record);
      listed += list(id);
      const row = find.get(...toValues(), id);
      const hasRecord = row?.['raw'] === raw || isSameJson(tryParseJson(String(row?.['raw'])), record);
      if (row === undefined) missing.push(id);
      else if (row['same'] !== 1 || !hasRecord) changed.push(id);
    }
  }
  const others = database.prepare(`select id from ${table} where ${isUnlisted}`).all();
  return { listed, missing, changed, extra: others.map(({ id }) => String(id)) };
}

/** The SQL condition that a row is not in the list that was read last. */
export const isUnlisted = 'id not in (select id from listed)';

/** Prepares collecting the IDs of a list. The function returns 1 for a new ID, and 0 for one that it was given before. */
export function openListedIds(database: DatabaseSync): (id: string) => number {
  database.exec(
    'create temp table if not exists listed (id text primary key) without rowid; delete from listed',
  );
  const insert = database.prepare('insert or ignore into listed values (?)');
  return (id) => Number(insert.run(id).changes);
}

/** The columns of a table, and what they have of a record. */
function openRecords(table: CopyTable) {
  const columns = columnsOfCopy(table);
  return {
    names: columns.map(({ key }) => `"${key}"`),
    read(record: Fields) {
      const id = toIdText(record['id']);
      if (id === undefined)
        throw new SalonError('unexpected_response', `The server sent a record of ${table} without an ID.`);
      const toValues = () => columns.map(({ key, type }) => toSqlValue(record[key], type));
      return { id, raw: JSON.stringify(record), toValues };
    },
  };
}

/** The value of a column. What the contract does not have there is kept as text. */
function toSqlValue(value: unknown, type: string): SQLInputValue {
  if (value === null || value === undefined || typeof value === 'string') return value ?? null;
  if (typeof value === 'boolean' && type === 'integer') return Number(value);
  if (typeof value === 'number' && type === 'integer') return value;
  return isJsonNumber(value) ? String(value) : JSON.stringify(value);
}
