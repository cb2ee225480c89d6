import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../../../contract/errors.ts';
import { retryWhileBusy } from './errors.ts';
import { readFileHeader } from './salon-file.ts';

/** The `user_version` of a copy that was never opened. A database in use has 0. */
export const copyMark = 1;

/** Marks a copy, so that it gives its collections new versions when it is first opened. */
export function markAsCopy(connection: DatabaseSync): void {
  connection.exec(`pragma user_version = ${copyMark}`);
}

/**
 * Gives the collections of a copy versions that the original has not given out since: tags and proofs of what was
 * written there after the copy would otherwise be valid for other lists. Versions go on at 100 a millisecond since 1970,
 * which no collection reaches by writing. Runs before the database is in WAL mode, so that the mark in the file's header
 * is certain.
 */
export async function beginEpoch(connection: DatabaseSync): Promise<void> {
  const isCopy = () => connection.prepare('pragma user_version').get()?.['user_version'] === copyMark;
  const raiseVersions = `update collections
    set version = max(version + 1, cast(unixepoch('subsec') * 100000 as integer)); pragma user_version = 0`;
  await retryWhileBusy(() => {
    if (!isCopy()) return;
    connection.exec('begin immediate');
    try {
      if (isCopy()) connection.exec(raiseVersions);
      connection.exec('commit');
    } catch (error) {
      if (connection.isTransaction) connection.exec('rollback');
      throw error;
    }
  });
}

/**
 * Throws `usage` for a copy that lies beside the write-ahead log of another database, as after copying a backup over
 * a database: SQLite would write the log into it. Reads the file without opening the database, which would do that.
 */
export function refuseForeignLog(file: string): void {
  const log = `${file}-wal`;
  if (!existsSync(log) || statSync(log).size === 0) return;
  using shared = openSharedFile(file);
  if (readFileHeader(shared.handle).header?.userVersion !== copyMark) return;
  throw new SalonError('usage', `${log} belongs to another database than ${file}.`, {
    hint: `Stop every salon process that uses it and delete ${log} and ${file}-shm, or use "salon server restore".`,
  });
}

const open = new Map<string, { readonly handle: number; uses: number }>();

/**
 * Opens a database file for reading, apart from SQLite. Closing a file ends all locks of the process on it, also those of
 * SQLite, and other processes would take the database for unused. So it stays open until nothing here uses it.
 */
export function openSharedFile(file: string) {
  const { dev, ino } = statSync(file);
  const key = `${dev}:${ino}`;
  const known = open.get(key) ?? { handle: openSync(file, 'r'), uses: 0 };
  open.set(key, known);
  known.uses += 1;
  let isReleased = false;
  return {
    handle: known.handle,
    /** May close the file. */
    [Symbol.dispose]() {
      if (isReleased) return;
      isReleased = true;
      known.uses -= 1;
      if (known.uses > 0) return;
      open.delete(key);
      closeSync(known.handle);
    },
  };
}
