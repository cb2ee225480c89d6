import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { SalonError } from '../../../contract/errors.ts';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { createPurge } from './backup.ts';
import { createDialect } from './dialect.ts';
import { isNotADatabase, retryWhileBusy, toStoreError } from './errors.ts';
import { createRead, createReadMark, createRun } from './statements.ts';

/** Marks a file as a salon's ("saln"); nobody else's database is ever changed. */
const applicationId = 0x73616c6e;
const cacheKib = 32_768;
/** Readers take pages where the system keeps them, instead of copying them; beyond this much they copy. */
const mappedBytes = 4 * 2 ** 30;
/** Readers wait for nobody but a process that puts a log in order which another left behind when it died. */
const recoveryMs = 5000;

/**
 * Opens a database file with one connection that writes and one that reads; makes it, readable by its owner
 * alone, when it is new. Throws `usage` when the file cannot be a salon's database, and leaves it as it was.
 */
export async function openSqlite(file: string): Promise<Engine> {
  ensureFile(file);
  const writing = new DatabaseSync(file);
  try {
    await retryWhileBusy(() => assertOurs(writing, file));
    await prepareWriting(writing);
    writing.exec(`pragma cache_size = -${cacheKib}`);
    const reading = new DatabaseSync(file, { readOnly: true, timeout: recoveryMs });
    reading.exec(`pragma mmap_size = ${mappedBytes}`);
    return {
      writer: toKysely(writing),
      run: createRun(writing),
      reader: toKysely(reading),
      read: createRead(reading),
      readMark: createReadMark(reading),
      purge: createPurge(writing),
    };
  } catch (fault) {
    writing.close();
    throw isNotADatabase(fault) ? notADatabase(file, fault) : toStoreError(fault);
  }
}

function ensureFile(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
    if (code === 'ENOENT') {
      throw new SalonError('usage', `The folder ${dirname(file)} does not exist.`, {
        hint: 'Make it first, or name another file.',
        cause: fault,
      });
    }
    const reason = code === 'EISDIR' ? 'it is a folder' : `the system refuses it (${String(code)})`;
    throw new SalonError('usage', `The database ${file} cannot be opened: ${reason}.`, {
      hint: 'Name a file that may be read and written.',
      cause: fault,
    });
  }
}

/** An empty file may become a salon's database; one with somebody else's tables may not. */
function assertOurs(connection: DatabaseSync, file: string): void {
  const mark = connection.prepare('pragma application_id').get()?.['application_id'];
  const tables = connection.prepare('select count(*) as count from sqlite_schema').get()?.['count'];
  if (mark !== applicationId && tables !== 0) {
    throw new SalonError('usage', `${file} is a database of another program.`, {
      hint: 'Name a new file, or the one the salon was started with.',
    });
  }
}

async function prepareWriting(connection: DatabaseSync): Promise<void> {
  await retryWhileBusy(() => connection.exec('pragma journal_mode = wal'));
  connection.exec('pragma synchronous = full');
  connection.exec('pragma foreign_keys = on');
  // What a savepoint may have to take back would go to a file of its own, page by page.
  connection.exec('pragma temp_store = memory');
  // What is deleted is overwritten, so that an erased client cannot be found in the file.
  connection.exec('pragma secure_delete = on');
  if (connection.prepare('pragma application_id').get()?.['application_id'] !== applicationId) {
    await retryWhileBusy(() => connection.exec(`pragma application_id = ${applicationId}`));
  }
}

function toKysely(connection: DatabaseSync): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: createDialect(connection) });
}

function notADatabase(file: string, cause: unknown): SalonError {
  return new SalonError('usage', `${file} is not a database.`, {
    hint: 'Name a new file, or the one the salon was started with.',
    cause,
  });
}
