import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Engine, EngineOptions } from '../engine.ts';
import { createMigrationsTable, type MigrationTarget, migrate, readPending } from '../migrate.ts';
import { createPageReader } from '../page-reader.ts';
import { compactFile, createBackgroundPurge, purgeLog, updateStatistics } from './compact.ts';
import { beginEpoch, refuseForeignLog } from './epoch.ts';
import { retryWhileBusy, toDatabaseError } from './errors.ts';
import { createFileGuard } from './file-guard.ts';
import { isShort, shortPages } from './pages.ts';
import { createReadThreads } from './read-threads.ts';
import {
  applicationId,
  assertPrivate,
  assertSafeVersion,
  assertSalonDatabase,
  ensureFile,
  openReading,
  toFileError,
} from './salon-file.ts';
import { createRunner, toReader } from './statements.ts';
import { createTransactions, createWriteRefusals, inTransaction } from './transactions.ts';

const writerCacheKib = 8192;

/**
 * Opens a database file with one connection for writing and one for reading, and brings its schema up to date.
 * Creates a new file that only its owner can read. Throws `usage` when the file is not a salon database, and leaves
 * the file unchanged.
 */
export async function openSqlite(file: string, options: EngineOptions = {}): Promise<Engine> {
  assertSafeVersion();
  await ensureFile(file);
  refuseForeignLog(file);
  const writing = new DatabaseSync(file);
  let reading: DatabaseSync | undefined;
  try {
    await retryWhileBusy(() => assertSalonDatabase(writing, file));
    assertPrivate(file);
    const target = createMigrationTarget(writing, file);
    // A database of an unsupported version must not be changed.
    await readPending(target, file);
    await beginEpoch(writing);
    await configureWriter(writing);
    await migrate(target);
    reading = openReading(file);
    // The first read creates the files beside the database.
    reading.prepare('select 1 from sqlite_schema').get();
    return createEngine(file, { writing, reading }, options);
  } catch (error) {
    reading?.close();
    writing.close();
    throw toFileError(error, file);
  }
}

function createEngine(
  file: string,
  { writing, reading }: { readonly writing: DatabaseSync; readonly reading: DatabaseSync },
  options: EngineOptions,
): Engine {
  const { observe } = options;
  const guard = createFileGuard(file);
  const reader = toReader(createRunner(reading, observe), guard.assertUsable);
  const threads = createReadThreads(file, options);
  const readShort = createPageReader(() => reader, shortPages);
  // Moves what no reader needs any more into the file, and waits for the disk.
  const refusals = createWriteRefusals(() => writing.exec('pragma wal_checkpoint(passive)'));
  const admit = () => {
    guard.assertUsable();
    refusals.admit();
  };
  const disk = { ...refusals, admit, confirm: guard.confirm };
  const writes = toReader(createRunner(writing, observe));
  const { transaction, settled } = createTransactions(writing, writes, disk);
  const purge = async () => {
    guard.assertUsable();
    const isPurged = await purgeLog(writing);
    await guard.confirm();
    return isPurged;
  };
  const purges = createBackgroundPurge(purge);
  return {
    kind: 'sqlite',
    reader,
    transaction,
    scan: (accountId) => {
      guard.assertUsable();
      return threads.toReader(accountId);
    },
    openSnapshot: async (accountId) => {
      guard.assertUsable();
      return threads.openSnapshot(accountId);
    },
    readPage: async (request) => {
      guard.assertUsable();
      return (await isShort(reader, request)) ? readShort(request) : threads.readPage(request);
    },
    readDataVersion: createVersionReader(reading, guard.assertUsable),
    // Other processes are noticed by the data version.
    listen: () => () => {},
    purge,
    requestPurge: purges.request,
    compact: async () => {
      guard.assertUsable();
      return compactFile(file);
    },
    updateStatistics: () => transaction('service', updateStatistics).catch(() => {}),
    readBytes: async () => statSync(file).size,
    close: async () => {
      await purges.close();
      await threads.close();
      reading.close();
      await settled();
      guard.beforeClose();
      // The last connection to close moves the log into the file.
      writing.close();
      guard.close();
    },
  };
}

/** Every request reads it, so it has a separate statement. */
function createVersionReader(reading: DatabaseSync, admit: () => void): () => number {
  const statement = reading.prepare('pragma data_version');
  return () => {
    admit();
    try {
      return Number(statement.get()?.['data_version']);
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
}

/** Every commit looks through all of the page cache. Deletions of clients with many records need more than SQLite's 2 MB. */
async function configureWriter(connection: DatabaseSync): Promise<void> {
  await retryWhileBusy(() => connection.exec('pragma journal_mode = wal'));
  connection.exec('pragma synchronous = full');
  connection.exec('pragma foreign_keys = on');
  // Savepoints would otherwise write every page they may have to restore to a temporary file.
  connection.exec('pragma temp_store = memory');
  // Deleted data is overwritten, so that an erased client cannot be found in the file.
  connection.exec('pragma secure_delete = on');
  connection.exec(`pragma cache_size = -${writerCacheKib}`);
  if (connection.prepare('pragma application_id').get()?.['application_id'] !== applicationId) {
    await retryWhileBusy(() => connection.exec(`pragma application_id = ${applicationId}`));
  }
}

/** A database file to migrate, on the connection that writes. Each statement waits while another process has the lock. */
export function createMigrationTarget(writing: DatabaseSync, file: string): MigrationTarget {
  async function run<Row>(text: string): Promise<Row[]> {
    let rows: unknown[] = [];
    await retryWhileBusy(() => {
      rows = writing.prepare(text).all();
    });
    return rows as Row[];
  }

  return {
    kind: 'sqlite',
    name: file,
    run,
    transaction: (body) =>
      inTransaction(writing, async () => {
        await run(createMigrationsTable);
        await body();
      }),
  };
}
