import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { SqlValue } from '../conditions.ts';
import type { Engine, Reader, StatementObserver } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { createBackgroundPurge } from './background-purge.ts';
import { compactFile, purgeLog, readFileBytes } from './compact.ts';
import { createDialect, createReadingDialect } from './dialect.ts';
import { beginEpoch, refuseForeignLog } from './epoch.ts';
import { retryWhileBusy } from './errors.ts';
import { createGroupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import { openReading } from './open-reading.ts';
import { createPageReader, isShort } from './pages.ts';
import {
  applicationId,
  assertPrivate,
  assertSafeVersion,
  assertSalonDatabase,
  ensureFile,
  toOpeningError,
} from './salon-file.ts';
import { createStatements, type Statements } from './statements.ts';
import { createReadThreads } from './threads/read-threads.ts';

const cacheKib = 32_768;

/**
 * Opens a database file with one connection for writing and one for reading, and brings its schema up to date.
 * Creates a new file that only its owner can read. Throws `usage` when the file is not a salon database, and leaves
 * the file unchanged.
 */
export async function openSqlite(file: string, observe?: StatementObserver): Promise<Engine> {
  assertSafeVersion();
  ensureFile(file);
  refuseForeignLog(file);
  const writing = new DatabaseSync(file);
  let reading: DatabaseSync | undefined;
  try {
    await retryWhileBusy(() => assertSalonDatabase(writing, file));
    assertPrivate(file);
    await beginEpoch(writing);
    await configureWriter(writing);
    reading = openReading(file);
    const connections = { writing, reading };
    const { writer, ...engine } = createEngine(file, connections, observe);
    await migrate({ reader: engine.reader, writer }, file);
    return engine;
  } catch (error) {
    reading?.close();
    writing.close();
    throw toOpeningError(error, file);
  }
}

function createEngine(
  file: string,
  { writing, reading }: { readonly writing: DatabaseSync; readonly reading: DatabaseSync },
  observe: StatementObserver | undefined,
): Engine & { readonly writer: Reader } {
  const writes = createStatements(writing, observe);
  const reads = createStatements(reading, observe);
  const query = <Row>(text: string, values: readonly SqlValue[]) => reads.run<Row>(text, values).rows;
  const readPage = createPageReader(query);
  const threads = createReadThreads(file, observe);
  const writer = createRunner(writing, writes);
  const reader = createRunner(reading, reads);
  const commits = createGroupCommit(writer);
  const purges = createBackgroundPurge(() => purgeLog(writing));
  return {
    kind: 'sqlite',
    writer,
    reader,
    transaction: (_lock, body) => commits.transaction(body),
    scan: (accountId) => {
      const runner = threads.toRunner(accountId);
      return Object.assign(new Kysely<Tables>({ dialect: createReadingDialect(runner) }), runner);
    },
    openSnapshot: threads.openSnapshot,
    readPage: async (request) => {
      if (!isShort(query, request)) return threads.readPage(request);
      reads.run('begin', []);
      try {
        return readPage(request);
      } finally {
        reads.run('commit', []);
      }
    },
    readDataVersion: () =>
      reads.run<{ data_version: number }>('pragma data_version', []).rows[0]?.data_version ?? 0,
    // Other processes are noticed by the data version.
    listen: () => () => {},
    purge: () => purgeLog(writing),
    requestPurge: purges.request,
    compact: () => compactFile(file),
    readBytes: async () => readFileBytes(file),
    close: async () => {
      await purges.close();
      await threads.close();
      await reader.destroy();
      await commits.settled();
      // The last connection to close moves the log into the file.
      await writer.destroy();
    },
  };
}

function createRunner(sqlite: DatabaseSync, statements: Statements): Reader {
  const kysely = new Kysely<Tables>({ dialect: createDialect(sqlite, statements) });
  return Object.assign(kysely, {
    run: async <Row>(text: string, values: Parameters<Reader['run']>[1]) =>
      statements.run<Row>(text, values).rows,
  });
}

async function configureWriter(connection: DatabaseSync): Promise<void> {
  await retryWhileBusy(() => connection.exec('pragma journal_mode = wal'));
  connection.exec('pragma synchronous = full');
  connection.exec('pragma foreign_keys = on');
  // Savepoints would otherwise write every page they may have to restore to a temporary file.
  connection.exec('pragma temp_store = memory');
  // Deleted data is overwritten, so that an erased client cannot be found in the file.
  connection.exec('pragma secure_delete = on');
  connection.exec(`pragma cache_size = -${cacheKib}`);
  if (connection.prepare('pragma application_id').get()?.['application_id'] !== applicationId) {
    await retryWhileBusy(() => connection.exec(`pragma application_id = ${applicationId}`));
  }
}
