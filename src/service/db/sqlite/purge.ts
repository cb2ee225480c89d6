import type { DatabaseSync } from 'node:sqlite';
import type { Engine } from '../engine.ts';
import { toStoreError } from './faults.ts';
import { waitUntil } from './patience.ts';

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
