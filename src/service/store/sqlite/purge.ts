import type { DatabaseSync } from 'node:sqlite';
import type { Engine } from '../engine.ts';
import { toStoreError } from './faults.ts';
import { waitUntil } from './patience.ts';

/**
 * Makes what moves the log into the file and cuts it off. What is overwritten in the file stays in the log beside
 * it otherwise, for as long as the service runs. A reader that is in the way for long leaves it to the next purge.
 */
export function createPurge(sqlite: DatabaseSync): Engine['purge'] {
  return async () => {
    await waitUntil(() => !sqlite.isTransaction && cutOffLog(sqlite));
  };
}

function cutOffLog(sqlite: DatabaseSync): boolean {
  try {
    return sqlite.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
  } catch (fault) {
    throw toStoreError(fault);
  }
}
