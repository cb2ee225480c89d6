import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { DatabaseSnapshot } from '../engine.ts';
import { type Transferred, type TransferredRow, type TransferTarget, transferRows } from '../transfer.ts';
import { openSqlite } from './engine.ts';
import { markAsCopy } from './epoch.ts';
import { toDatabaseError } from './errors.ts';
import { publishFile } from './publish-file.ts';
import { toFileError } from './salon-file.ts';
import { openSalonFile, readBatches, readSqliteSnapshot, readTables } from './snapshot.ts';

export interface SqliteTransfer {
  /** Whether the collections get new versions when the copy is first opened; for a copy whose original stays in use. */
  readonly givesNewVersions: boolean;
  /** Accepts the new database before it gets its name. */
  verify(snapshot: DatabaseSnapshot): Promise<void>;
}

/** Copies a database of any engine into a new file. Throws `usage` if the file exists. */
export async function transferToSqlite(
  source: DatabaseSnapshot,
  file: string,
  { givesNewVersions, verify }: SqliteTransfer,
): Promise<Transferred> {
  let transferred: Transferred | undefined;
  const write = async (draft: string) => {
    // An empty file would be refused as what remains of a salon.
    rmSync(draft);
    await (await openSqlite(draft)).close();
    const writing = new DatabaseSync(draft, { enableForeignKeyConstraints: false });
    try {
      // The file has no name yet, and is flushed before it gets one.
      writing.exec('pragma synchronous = off; begin immediate');
      transferred = await transferRows(source, createTarget(writing));
      writing.exec('commit');
      // A mark is certain only without a log.
      writing.exec('pragma journal_mode = delete');
      if (givesNewVersions) markAsCopy(writing);
    } catch (error) {
      throw toDatabaseError(error);
    } finally {
      writing.close();
    }
    await readSqliteSnapshot(draft, verify);
  };
  await publishFile(file, write, { isLarge: true });
  return transferred ?? { tables: 0, rows: 0 };
}

function createTarget(writing: DatabaseSync): TransferTarget {
  return {
    readTables: async () => readTables(writing),
    async clear(table) {
      writing.exec(`delete from ${table}`);
    },
    async insert(table, columns, rows) {
      const places = columns.map(() => '?').join(', ');
      const statement = writing.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`);
      for (const row of rows) statement.run(...columns.map((column) => row[column] ?? null));
    },
    readRows: (text) => readBatches<TransferredRow>(writing, text),
  };
}

/**
 * Copies a database, as of one moment, into a new file that only its owner can read. Writers are not blocked, and the
 * copy is not migrated, so that a service of an earlier version can run on. The file gets its name only when `verify`
 * has read the draft without throwing. Throws `usage` if the file exists.
 */
export async function backupSqlite(
  file: string,
  copy: string,
  { givesNewVersions, verify }: SqliteTransfer,
): Promise<void> {
  const write = async (draft: string) => {
    const reading = openSalonFile(file);
    try {
      reading.prepare('vacuum into ?').run(draft);
    } catch (error) {
      throw toFileError(error, file);
    } finally {
      reading.close();
    }
    if (givesNewVersions) {
      using written = new DatabaseSync(draft);
      markAsCopy(written);
    }
    await readSqliteSnapshot(draft, verify);
  };
  await publishFile(copy, write, { isLarge: true });
}
