import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { platform } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../../../contract/errors.ts';
import { damagedHint, isDamaged, isNotADatabase, toDatabaseError } from './errors.ts';
import { readSqliteVersion } from './inspect.ts';

/** Marks a file as a salon database ("saln"). */
export const applicationId = 0x73616c6e;
/** Earlier versions can damage a database in WAL mode that processes share: https://sqlite.org/wal.html#walresetbug */
const oldestSafeVersion = [3, 51, 3];

/** Throws `usage` for a version of SQLite that can damage the database. Node may be built with one of the system. */
export function assertSafeVersion(version = readSqliteVersion()): void {
  const numbers = version.split('.').map(Number);
  const differing = oldestSafeVersion.findIndex((number, index) => number !== numbers[index]);
  if (differing === -1 || (numbers[differing] ?? 0) > (oldestSafeVersion[differing] ?? 0)) return;
  throw new SalonError('usage', `SQLite ${version} can damage a database that several processes use.`, {
    hint: 'Use Node 24.15 or newer, with SQLite 3.51.3 or newer.',
  });
}

/** Throws `usage` if there is a file that cannot be a database. Returns whether there is one at all. */
export function findFile(file: string): boolean {
  const found = readStats(file);
  if (found === undefined) return false;
  const what = describeOther(found);
  if (what !== undefined) {
    throw new SalonError('usage', `Cannot open the database ${file}: it is ${what}.`, {
      hint: 'Choose a file that you can read and write.',
    });
  }
  if (found.size === 0) {
    throw new SalonError('usage', `${file} is empty: it contains no salon.`, {
      hint: 'Restore a backup, or delete the file to start with an empty salon.',
    });
  }
  return true;
}

function readStats(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw accessFailed(file, error);
  }
}

/** Throws `usage` unless the file can be read and written. */
export function assertAccess(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw accessFailed(file, error);
  }
}

function accessFailed(file: string, cause: unknown): SalonError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return new SalonError('usage', `Cannot open the database ${file}: access failed (${String(code)}).`, {
    hint: 'Choose a file that you can read and write.',
    cause,
  });
}

/** What a path leads to if not to a file. Opening a pipe would wait for a writer. */
function describeOther(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/** SQLite gives the files beside a database the mode that it had. */
export function assertPrivate(file: string): void {
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
export function assertSalonDatabase(connection: DatabaseSync, file: string): void {
  const mark = connection.prepare('pragma application_id').get()?.['application_id'];
  const tables = connection.prepare('select count(*) as count from sqlite_schema').get()?.['count'];
  if (mark !== applicationId && tables !== 0) {
    throw new SalonError('usage', `${file} belongs to another program.`, {
      hint: 'Choose a new file, or the database of the salon.',
    });
  }
}

/** Translates an error of a file that is opened, or read as a whole. Names the file. */
export function toFileError(error: unknown, file: string): unknown {
  if (isNotADatabase(error)) return notADatabase(file, error);
  if (!isDamaged(error)) return toDatabaseError(error);
  const options = { retryable: true, hint: damagedHint, cause: error };
  return new SalonError('service_unavailable', `The database ${file} is damaged.`, options);
}

function notADatabase(file: string, cause: unknown): SalonError {
  return new SalonError('usage', `${file} is not a database.`, {
    hint: 'Choose a new file, or the database of the salon.',
    cause,
  });
}
