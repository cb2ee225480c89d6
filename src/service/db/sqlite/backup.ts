import { closeSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { SalonError } from '../../../contract/errors.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { toStoreError, waitUntil } from './errors.ts';

/**
 * Copies a database into a new file, as it stands at one moment; whoever writes meanwhile is not held up.
 * Throws `usage` when the file exists or cannot be made.
 */
export async function backupDatabase({ reader }: Pick<Database, 'reader'>, file: string): Promise<void> {
  try {
    // Made here, so that only its owner can read it and nothing that exists is written over.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    throw new SalonError('usage', `The backup ${file} cannot be made there.`, {
      hint: 'Name a file that does not exist yet, in a folder that does.',
      cause,
    });
  }
  try {
    await sql`vacuum into ${file}`.execute(reader);
  } catch (fault) {
    rmSync(file, { force: true });
    throw fault;
  }
}

/** Who erases somebody waits no longer for another process that reads, such as one that makes a backup. */
const patienceMs = 1000;

/**
 * Makes what moves the log into the file and cuts it off. What is overwritten in the file stays in the log beside
 * it otherwise, for as long as the service runs. Where somebody reads for longer, that is left to the next purge,
 * or to the end of the service.
 */
export function createPurge(sqlite: DatabaseSync): Engine['purge'] {
  return async () => {
    await waitUntil(() => !sqlite.isTransaction && cutOffLog(sqlite), patienceMs);
  };
}

function cutOffLog(sqlite: DatabaseSync): boolean {
  try {
    return sqlite.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
  } catch (fault) {
    throw toStoreError(fault);
  }
}
