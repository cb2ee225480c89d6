import { closeSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../../../contract/errors.ts';
import { retryUntil, toDatabaseError } from './errors.ts';
import type { Statements } from './statements.ts';

/** How long a purge waits for other processes that read, such as a backup. */
const purgeTimeoutMs = 1000;

/** Copies a database, as of one moment, into a new file that only its owner can read. Writers are not blocked. */
export async function backupDatabase(statements: Statements, file: string): Promise<void> {
  try {
    // Fails when the file exists.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    throw new SalonError('usage', `Cannot create the backup ${file}.`, {
      hint: 'Choose a new file name in an existing folder.',
      cause,
    });
  }
  try {
    statements.run('vacuum into ?', [file]);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/**
 * Moves the write-ahead log into the database file and truncates it: overwritten data would stay in the log while the
 * service runs. Returns false when another process reads for longer: the next purge or the end of the service does it.
 */
export async function purgeLog(sqlite: DatabaseSync): Promise<boolean> {
  const truncate = () => sqlite.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
  try {
    return await retryUntil(() => !sqlite.isTransaction && truncate(), purgeTimeoutMs);
  } catch (error) {
    throw toDatabaseError(error);
  }
}
