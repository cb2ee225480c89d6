import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { isJsonNumber } from '../../text/json.ts';
import { type CopyColumn, type CopyTable, copyTables } from './copy-layout.ts';

export type CopyRows = ReturnType<typeof createCopyRows>;

/** Runs what uses the database, and translates its errors. */
export type Attempt = <Result>(act: () => Result) => Result;

/** Reads and writes the records of a copy, and counts what changes. */
export function createCopyRows(database: DatabaseSync, attempt: Attempt) {
  const counts = { added: 0, changed: 0, deleted: 0 };
  const statements = new Map<CopyTable, ReturnType<typeof prepare>>();

  function prepare(table: CopyTable) {
    const { columns } = copyTables[table];
    const names = [...columns.map(({ key }) => `"${key}"`), 'raw'];
    const values = names.map(() => '?').join(', ');
    return {
      find: database.prepare(`select raw from ${table} where id = ?`),
      insert: database.prepare(`insert into ${table} (${names.join(', ')}) values (${values})`),
      update: database.prepare(
        `update ${table} set ${names.map((name) => `${name} = ?`).join(', ')} where id = ?`,
      ),
    };
  }

  function statementsOf(table: CopyTable) {
    const known = statements.get(table) ?? prepare(table);
    statements.set(table, known);
    return known;
  }

  /** Adds a record, or replaces an earlier state of it. Returns its ID. */
  function put(table: CopyTable, record: Fields): string {
    const id = toIdText(record['id']);
    if (id === undefined)
      throw new SalonError('unexpected_response', `The server sent a record without an ID for ${table}.`);
    const raw = JSON.stringify(record);
    const { find, insert, update } = statementsOf(table);
    const known = find.get(id)?.['raw'];
    if (known === raw) return id;
    const values = [
      ...copyTables[table].columns.map((column) => toSqlValue(record[column.key], column)),
      raw,
    ];
    if (known === undefined) insert.run(...values);
    else update.run(...values, id);
    counts[known === undefined ? 'added' : 'changed'] += 1;
    return id;
  }

  return {
    counts: () => counts,
    count: (table: CopyTable) =>
      Number(database.prepare(`select count(*) as rows from ${table}`).get()?.['rows']),
    /** Makes a table what a complete list has, page by page. */
    async replaceAll(table: CopyTable, pages: AsyncIterable<readonly Fields[]>): Promise<void> {
      attempt(() =>
        database.exec(
          'create temp table if not exists listed (id text primary key) without rowid; delete from listed',
        ),
      );
      const list = database.prepare('insert or ignore into listed values (?)');
      for await (const rows of pages) {
        attempt(() => {
          for (const row of rows) list.run(put(table, row));
        });
      }
      attempt(() => {
        const missing = database.prepare(`delete from ${table} where id not in (select id from listed)`);
        counts.deleted += Number(missing.run().changes);
      });
    },
  };
}

/** The value of a column; what the contract does not have there is kept as text. */
function toSqlValue(value: unknown, { type }: CopyColumn): SQLInputValue {
  if (value === null || value === undefined || typeof value === 'string') return value ?? null;
  if (typeof value === 'boolean') return type === 'integer' ? Number(value) : String(value);
  if (isJsonNumber(value)) return typeof value === 'number' && type === 'integer' ? value : String(value);
  return JSON.stringify(value);
}
