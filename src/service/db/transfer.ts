import { createHash } from 'node:crypto';
import { SalonError } from '../../contract/errors.ts';
import type { DatabaseSnapshot, Schema } from './engine.ts';

/** A database that is filled with rows in one transaction. Its tables exist. */
export interface TransferTarget {
  readTables(): Promise<Schema>;
  /** Deletes what creating the tables has left in one. */
  clear(table: string): Promise<void>;
  /** Inserts rows that have exactly these columns. */
  insert(table: string, columns: readonly string[], rows: readonly TransferredRow[]): Promise<void>;
  /** The rows of a query, some hundred at a time. */
  readRows(text: string): AsyncIterable<readonly TransferredRow[]>;
}

export type TransferredRow = Readonly<Record<string, string | number | null>>;

export interface Transferred {
  readonly tables: number;
  readonly rows: number;
}

/** What an engine keeps for itself. */
const ownTables = new Set(['kysely_migration', 'kysely_migration_lock', 'salon_migrations', 'service_lock']);
/** The number that the search index of SQLite refers to, given anew. */
const ownColumns = new Set(['clients.row']);

/**
 * Copies all rows of a database into an empty one of any engine, and reads them back: every value of every row must be
 * equal. Throws `usage` if the tables differ, and `internal_error` if a row does.
 */
export async function transferRows(source: DatabaseSnapshot, target: TransferTarget): Promise<Transferred> {
  const tables = listTables(await source.readTables());
  assertSameTables(tables, listTables(await target.readTables()));
  let total = 0;
  for (const [table, columns] of tables) {
    const names = columns.join(', ');
    await target.clear(table);
    const written = createFingerprint(columns);
    for await (const rows of source.readRows<TransferredRow>(`select ${names} from ${table}`)) {
      written.add(rows);
      await target.insert(table, columns, rows);
    }
    const read = createFingerprint(columns);
    for await (const rows of target.readRows(`select ${names} from ${table}`)) read.add(rows);
    if (written.text() !== read.text()) {
      throw new SalonError('internal_error', `The rows of ${table} were not copied exactly.`);
    }
    total += written.count();
  }
  return { tables: tables.size, rows: total };
}

function listTables(schema: Schema): Map<string, readonly string[]> {
  const tables = new Map<string, readonly string[]>();
  for (const [table, columns] of [...schema].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (ownTables.has(table) || table.startsWith('client_search')) continue;
    tables.set(table, columns.filter((column) => !ownColumns.has(`${table}.${column}`)).toSorted());
  }
  return tables;
}

function assertSameTables(
  source: ReadonlyMap<string, readonly string[]>,
  target: ReadonlyMap<string, readonly string[]>,
): void {
  if (JSON.stringify([...source]) === JSON.stringify([...target])) return;
  const unknown = [...source].flatMap(([table, columns]) =>
    columns.filter((column) => !target.get(table)?.includes(column)).map((column) => `${table}.${column}`),
  );
  if (unknown[0] !== undefined) {
    const message = `The database has a column that this version does not know: ${unknown[0]}.`;
    throw new SalonError('usage', message, { hint: 'Update salon and try again.' });
  }
  throw new SalonError('usage', 'The two databases have different tables.', {
    hint: 'Open both with this version of salon first, which updates their tables, e.g. with: salon server keys list',
  });
}

/** The number and the sum of digests of rows in any order. */
function createFingerprint(columns: readonly string[]) {
  let rows = 0;
  let sum = 0n;
  return {
    add(batch: readonly TransferredRow[]): void {
      for (const row of batch) {
        const text = JSON.stringify(columns.map((column) => row[column]));
        const digest = createHash('sha256').update(text).digest();
        sum = BigInt.asUintN(128, sum + digest.readBigUInt64LE(0) + (digest.readBigUInt64LE(8) << 64n));
        rows += 1;
      }
    },
    count: () => rows,
    text: () => `${rows}:${sum}`,
  };
}
