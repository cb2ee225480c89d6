import { accessSync, constants, existsSync, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../../../contract/errors.ts';
import { readMigrations } from '../migrate.ts';
import { damagedHint, isDamaged, isNotADatabase, toDatabaseError } from './errors.ts';
import { publishFile } from './publish-file.ts';

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

/** Whether there is a file. Throws `usage` for one that cannot be a database, or not be read and written. */
function findFile(file: string): boolean {
  const refuse = (why: string, cause?: unknown) => {
    const hint = 'Choose a file that you can read and write.';
    return new SalonError('usage', `Cannot open the database ${file}: ${why}.`, { hint, cause });
  };
  let found: Stats | undefined;
  try {
    found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile() && found.size > 0) accessSync(file, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    throw refuse(`access failed (${String(code)})`, cause);
  }
  if (found === undefined) return false;
  const what = describeOther(found);
  if (what !== undefined) throw refuse(`it is ${what}`);
  if (found.size > 0) return true;
  throw new SalonError('usage', `${file} is empty: it contains no salon.`, {
    hint: 'Restore a backup, or delete the file to start with an empty salon.',
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
  const message = `${open} contains personal data, and every user has access to it (mode ${mode}).`;
  throw new SalonError('usage', message, { hint: `Run: chmod o= ${files.join(' ')}` });
}

/** An empty file may become a salon database; a file with tables of another program may not. */
export function assertSalonDatabase(connection: DatabaseSync, file: string): void {
  const mark = connection.prepare('pragma application_id').get()?.['application_id'];
  const tables = connection.prepare('select count(*) as count from sqlite_schema').get()?.['count'];
  if (mark === applicationId || tables === 0) return;
  throw new SalonError('usage', `${file} belongs to another program.`, { hint: otherFileHint });
}

const otherFileHint = 'Choose a new file, or the database of the salon.';

/** Translates an error of a file that is opened, or read as a whole. Names the file. */
export function toFileError(error: unknown, file: string): unknown {
  if (isNotADatabase(error)) {
    return new SalonError('usage', `${file} is not a database.`, { hint: otherFileHint, cause: error });
  }
  if (!isDamaged(error)) return toDatabaseError(error);
  const options = { retryable: true, hint: damagedHint, cause: error };
  return new SalonError('service_unavailable', `The database ${file} is damaged.`, options);
}

/** Readers wait only for a process that recovers the log of a crashed one. */
const recoveryTimeoutMs = 5000;

/**
 * Opens a connection that only reads. It does not map the file into memory: truncating the file would then kill
 * the process. Its cache keeps SQLite's usual 2 MB: what is in a larger one has left the processor's caches, and takes
 * as long to read as from the system.
 */
export function openReading(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: recoveryTimeoutMs });
}

/**
 * Creates a database without tables that only its owner can read, if there is no file. An empty file is refused:
 * something has gone wrong with it. Throws `usage`.
 */
export async function ensureFile(file: string): Promise<void> {
  if (findFile(file)) return;
  const folder = dirname(file);
  if (!existsSync(folder)) {
    throw new SalonError('usage', `The folder ${folder} does not exist.`, {
      hint: 'Create it first, or choose another file.',
    });
  }
  await publishFile(file, async (draft) => {
    using created = new DatabaseSync(draft);
    created.exec(`pragma application_id = ${applicationId}`);
  }).catch((error: unknown) => {
    // Another process was faster.
    if (!existsSync(file)) throw error;
  });
}

const headerBytes = 100;
const magic = 'SQLite format 3\0';
/** This page size does not fit into its two bytes. */
const maxPageBytes = 65_536;

/**
 * Reads the header of an open file and its length; the header is undefined if the file has none. Source:
 * https://sqlite.org/fileformat2.html#the_database_header
 */
export function readFileHeader(handle: number) {
  const buffer = Buffer.alloc(headerBytes);
  const count = readSync(handle, buffer, 0, headerBytes, 0);
  const bytes = fstatSync(handle).size;
  if (count < headerBytes || buffer.toString('latin1', 0, magic.length) !== magic) {
    return { header: undefined, bytes };
  }
  const pageBytes = buffer.readUInt16BE(16) === 1 ? maxPageBytes : buffer.readUInt16BE(16);
  const header = {
    /** How many bytes the file must have. */
    bytes: pageBytes * buffer.readUInt32BE(28),
    /** Grows with changes of the first page, and never shrinks. */
    changeCounter: buffer.readUInt32BE(24),
    userVersion: buffer.readUInt32BE(60),
    applicationId: buffer.readUInt32BE(68),
  };
  return { header, bytes };
}

export interface Inspection {
  /** What is damaged; undefined for a database that is whole. */
  readonly problem?: string;
  /** The newest migration. */
  readonly schema?: string;
}

/** Checks that a database file is whole, and changes nothing in it. */
export async function inspectSqlite(file: string): Promise<Inspection> {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const [result] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
    if (result !== 'ok') return { problem: String(result) };
    const run = async <Row>(text: string) => database.prepare(text).all() as Row[];
    return { schema: (await readMigrations({ kind: 'sqlite', run })).at(-1) ?? 'none' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The version of SQLite in use; Node may be built with one of the system. */
export function readSqliteVersion(): string {
  using memory = new DatabaseSync(':memory:');
  return String(memory.prepare('select sqlite_version() as version').get()?.['version']);
}
