import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { SalonError } from '../../../contract/errors.ts';
import type { Engine, Reader } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { backupDatabase, purgeLog } from './backup.ts';
import { compactFile, readFileBytes } from './compact.ts';
import { createDialect } from './dialect.ts';
import { isNotADatabase, retryWhileBusy, toDatabaseError } from './errors.ts';
import { createGroupCommit } from './group-commit.ts';
import { readSqliteVersion } from './inspect.ts';
import { migrate } from './migrate.ts';
import { createPageReader } from './pages.ts';
import { createStatements, type Statements } from './statements.ts';

/** Marks a file as a salon database ("saln"). */
const applicationId = 0x73616c6e;
/** Earlier versions can damage a database in WAL mode that processes share: https://sqlite.org/wal.html#walresetbug */
const oldestSafeVersion = [3, 51, 3];
const cacheKib = 32_768;
/** The reader maps this much of the file into memory instead of copying pages. */
const mappedBytes = 4 * 2 ** 30;
/** Readers wait only for a process that recovers the log of a crashed one. */
const recoveryTimeoutMs = 5000;

/**
 * Opens a database file with one connection for writing and one for reading, and brings its schema up to date.
 * Creates a new file that only its owner can read. Throws `usage` when the file is not a salon database, and leaves
 * the file unchanged.
 */
export async function openSqlite(file: string): Promise<Engine> {
  assertSafeVersion();
  ensureFile(file);
  const writing = new DatabaseSync(file);
  let reading: DatabaseSync | undefined;
  try {
    await retryWhileBusy(() => assertSalonDatabase(writing, file));
    assertPrivate(file);
    await configureWriter(writing);
    reading = new DatabaseSync(file, { readOnly: true, timeout: recoveryTimeoutMs });
    reading.exec(`pragma mmap_size = ${mappedBytes}`);
    const connections = { writing, reading };
    const { writer, ...engine } = createEngine(file, connections);
    await migrate({ reader: engine.reader, writer }, file);
    return engine;
  } catch (error) {
    reading?.close();
    writing.close();
    throw isNotADatabase(error) ? notADatabase(file, error) : toDatabaseError(error);
  }
}

/** Throws `usage` for a version of SQLite that can damage the database. Node may be built with one of the system. */
export function assertSafeVersion(version = readSqliteVersion()): void {
  const numbers = version.split('.').map(Number);
  const differing = oldestSafeVersion.findIndex((number, index) => number !== numbers[index]);
  if (differing === -1 || (numbers[differing] ?? 0) > (oldestSafeVersion[differing] ?? 0)) return;
  throw new SalonError('usage', `SQLite ${version} can damage a database that several processes use.`, {
    hint: 'Use Node 24.15 or newer, with SQLite 3.51.3 or newer.',
  });
}

/** Copies a database into a new file without migrating it, so that a service of an earlier version can run on. */
export async function backupSqlite(file: string, copy: string): Promise<void> {
  assertSafeVersion();
  ensureFile(file);
  const reading = new DatabaseSync(file, { readOnly: true, timeout: recoveryTimeoutMs });
  try {
    assertSalonDatabase(reading, file);
    await backupDatabase(createStatements(reading), copy);
  } catch (error) {
    throw isNotADatabase(error) ? notADatabase(file, error) : toDatabaseError(error);
  } finally {
    reading.close();
  }
}

function createEngine(
  file: string,
  { writing, reading }: { readonly writing: DatabaseSync; readonly reading: DatabaseSync },
): Engine & { readonly writer: Reader } {
  const writes = createStatements(writing);
  const reads = createStatements(reading);
  const readPage = createPageReader((text, values) => reads.run<never>(text, values).rows);
  const writer = createRunner(writing, writes);
  const reader = createRunner(reading, reads);
  const commits = createGroupCommit(writer);
  return {
    kind: 'sqlite',
    writer,
    reader,
    transaction: (_lock, body) => commits.transaction(body),
    readPage: async (request) => {
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
    compact: () => compactFile(file),
    readBytes: async () => readFileBytes(file),
    close: async () => {
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

function ensureFile(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') {
      throw new SalonError('usage', `The folder ${dirname(file)} does not exist.`, {
        hint: 'Create it first, or choose another file.',
        cause: error,
      });
    }
    const reason = code === 'EISDIR' ? 'it is a folder' : `access failed (${String(code)})`;
    throw new SalonError('usage', `Cannot open the database ${file}: ${reason}.`, {
      hint: 'Choose a file that you can read and write.',
      cause: error,
    });
  }
}

/** SQLite gives the files beside a database the mode that it had. */
function assertPrivate(file: string): void {
  if (platform() === 'win32') return;
  const files = [file, `${file}-wal`, `${file}-shm`].filter((path) => existsSync(path));
  const open = files.find((path) => (statSync(path).mode & 0o007) !== 0);
  if (open === undefined) return;
  const mode = (statSync(open).mode & 0o777).toString(8);
  throw new SalonError(
    'usage',
    `${open} contains personal data, and every user has access to it (mode ${mode}).`,
    {
      hint: `Run: chmod o= ${files.join(' ')}`,
    },
  );
}

/** An empty file may become a salon database; a file with tables of another program may not. */
function assertSalonDatabase(connection: DatabaseSync, file: string): void {
  const mark = connection.prepare('pragma application_id').get()?.['application_id'];
  const tables = connection.prepare('select count(*) as count from sqlite_schema').get()?.['count'];
  if (mark !== applicationId && tables !== 0) {
    throw new SalonError('usage', `${file} belongs to another program.`, {
      hint: 'Choose a new file, or the database of the salon.',
    });
  }
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

function notADatabase(file: string, cause: unknown): SalonError {
  return new SalonError('usage', `${file} is not a database.`, {
    hint: 'Choose a new file, or the database of the salon.',
    cause,
  });
}
