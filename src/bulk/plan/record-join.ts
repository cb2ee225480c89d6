import type { StatementSync } from 'node:sqlite';
import type { Fields } from '../../client/json-object.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import { parseJson } from '../../text/json.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { toMatchKey } from '../input/edit-fields.ts';
import { toTempFailure } from '../jobs/file-access.ts';

/** A row of a sheet or plan, with the key of the record it names; null where it names none. */
interface KeyedRow<Item> {
  readonly row: number;
  readonly line: number;
  readonly key: string | null;
  readonly item: Item;
}

/** A row with the record it names. */
export interface JoinedRow<Item> extends KeyedRow<Item> {
  /** The newest record that was added with the key, and the IDs of all of them, at most five. */
  readonly found: { readonly record: Fields; readonly ids: readonly string[] } | undefined;
  /** Lines of every row with this key, at most five. */
  readonly lines: readonly number[];
}

const maxListed = 5;
const cacheKib = 32_768;

const schema = `
  CREATE TABLE rows (row INTEGER PRIMARY KEY, line INTEGER, key TEXT, item TEXT);
  CREATE TABLE records (key TEXT, id TEXT, record TEXT);`;

/** `match` is the record's field that the keys belong to. */
export function openRecordJoin<Item>(match: string, phones?: Phones) {
  const database = openTempDatabase(schema, cacheKib);
  const insertRow = database.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)');
  const insertRecord = database.prepare('INSERT INTO records VALUES (?, ?, ?)');
  let findRow: StatementSync | undefined;
  let size = 0;

  return {
    /** Rows come in ascending order, before any record. */
    addRow({ row, line, key, item }: KeyedRow<Item>) {
      write(insertRow, row, line, key, JSON.stringify(item));
      if (key !== null) size += 1;
    },
    /** Number of rows that name a record. */
    get size() {
      return size;
    },
    /** Rows whose key, or value of an own field, an earlier row has. */
    duplicates(field?: 'external_id', { withoutId = false } = {}) {
      const value = field === undefined ? 'key' : `nullif(nullif(trim(item ->> '${field}'), ''), '\\N')`;
      const key = withoutId ? `CASE WHEN coalesce(item ->> 'id', '') = '' THEN ${value} END` : value;
      return database
        .prepare(`
        SELECT row, line, firstLine FROM (
          SELECT row, line, first_value(line) OVER same AS firstLine, min(row) OVER same AS firstRow
          FROM (SELECT row, line, ${key} AS key FROM rows) WHERE key IS NOT NULL
          WINDOW same AS (PARTITION BY key ORDER BY row))
        WHERE row > firstRow ORDER BY row`)
        .iterate() as Iterable<unknown> as Iterable<{
        row: number;
        line: number;
        firstLine: number;
      }>;
    },
    /** Keeps a record if a row names it. */
    addRecord(record: Fields) {
      const key = toMatchKey(match, record[match], phones);
      if (key === undefined) return;
      findRow ??= prepare('SELECT 1 FROM rows WHERE key = ? LIMIT 1', ['rows']);
      if (findRow.get(key) === undefined) return;
      write(insertRecord, key, keyOf(record), JSON.stringify(record));
    },
    /** Keys of rows without a record, each once. */
    *missing() {
      const page = prepare(`
        SELECT DISTINCT key FROM rows
        WHERE key > ? AND NOT EXISTS (SELECT 1 FROM records WHERE records.key = rows.key)
        ORDER BY key LIMIT 1000`);
      for (let last = ''; ; ) {
        const keys = page.all(last).map(({ key }) => String(key));
        if (keys.length === 0) return;
        yield* keys;
        last = keys.at(-1) ?? '';
      }
    },
    /** All rows in their order. */
    *joined() {
      const repeated = new Map<string, number[]>();
      const sameKey = 'SELECT key FROM rows WHERE key IS NOT NULL GROUP BY key HAVING count(*) > 1';
      const lines = `SELECT key, line FROM rows WHERE key IN (${sameKey}) ORDER BY row`;
      for (const { key, line } of select<{ key: string; line: number }>(lines)) {
        const known = repeated.get(key) ?? [];
        if (known.length < maxListed) repeated.set(key, [...known, line]);
      }
      const rows = select<Stored>(`
        SELECT rows.row, rows.line, rows.key, item, id, record
        FROM rows LEFT JOIN records ON records.key = rows.key ORDER BY rows.row, records.rowid`);
      // Records of a row come in the order they were added, so the last one seen is the newest.
      let open: { latest: Stored; ids: string[] } | undefined;
      for (const latest of rows) {
        if (open !== undefined && open.latest.row !== latest.row) yield toJoined<Item>(open, repeated);
        const ids: string[] = open?.latest.row === latest.row ? open.ids : [];
        if (latest.id !== null && ids.length < maxListed && !ids.includes(latest.id)) ids.push(latest.id);
        open = { latest, ids };
      }
      if (open !== undefined) yield toJoined<Item>(open, repeated);
    },
    [Symbol.dispose]: () => database.close(),
  };

  /** Indexes tables when first needed: indexing a whole table is faster than indexing each insert. */
  function prepare(sql: string, tables: readonly string[] = ['rows', 'records']): StatementSync {
    for (const table of tables) {
      write(database.prepare(`CREATE INDEX IF NOT EXISTS ${table}_by_key ON ${table} (key)`));
    }
    return database.prepare(sql);
  }

  function select<Row>(sql: string, tables?: readonly string[]): Iterable<Row> {
    return prepare(sql, tables).iterate() as Iterable<unknown> as Iterable<Row>;
  }
}

/** Rows and the records they name, joined by key. Small sets stay in memory, large ones in a temporary file. */
export type RecordJoin<Item> = ReturnType<typeof openRecordJoin<Item>>;

interface Stored extends KeyedRow<string> {
  readonly id: string | null;
  readonly record: string | null;
}

function toJoined<Item>(
  { latest, ids }: { readonly latest: Stored; readonly ids: readonly string[] },
  repeated: ReadonlyMap<string, readonly number[]>,
): JoinedRow<Item> {
  const { row, line, key, item, record } = latest;
  const found = record === null ? undefined : { record: parseJson(record) as Fields, ids };
  const lines = (key === null ? undefined : repeated.get(key)) ?? [line];
  return { row, line, key, item: parseJson(item) as Item, found, lines };
}

/** Throws `output_failed` if the disk is full. */
function write(statement: StatementSync, ...values: (string | number | null)[]): void {
  try {
    statement.run(...values);
  } catch (error) {
    throw toTempFailure(error) ?? error;
  }
}
