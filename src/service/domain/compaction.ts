import { SalonError } from '../../contract/errors.ts';
import type { Database } from '../db/database.ts';
import { deleteErasures, type Erasure, readPendingErasures } from '../db/records/erasures.ts';

/** Erasures in quick succession share one rewrite. */
const quietMs = 60_000;
const longestWaitMs = 600_000;

/** Writes wait for the rewrite, some 4 s per GiB; a larger database is rewritten only on request. */
const maxBytes = 2 ** 30;

type CompactedDatabase = Pick<Database, 'reader' | 'transaction' | 'purge' | 'compact' | 'readBytes'>;

/**
 * Compacts the database once no more erasures follow. Returns false if that was not possible now, or only an operator
 * can do it.
 */
export async function compactWhenQuiet(database: CompactedDatabase, nowMs: number): Promise<boolean> {
  const pending = await readPendingErasures(database.reader);
  const [firstMs, lastMs] = [pending.at(0)?.erased_ms, pending.at(-1)?.erased_ms];
  if (firstMs === undefined || lastMs === undefined) return true;
  const isQuiet = Math.abs(nowMs - lastMs) >= quietMs || nowMs - firstMs >= longestWaitMs;
  const isSmall = (await database.readBytes()) <= maxBytes;
  if (isQuiet && isSmall) return rewrite(database, pending);
  // At least the log has to forget, should another process have been reading before.
  await database.purge();
  return isSmall;
}

/** Compacts a database before it closes: many processes run for a moment only. */
export async function compactBeforeClose(database: CompactedDatabase): Promise<void> {
  if ((await database.readBytes()) <= maxBytes) await compactAfterErasures(database);
}

/**
 * Removes what erasures have left in the files of the database, and nothing where there were none. Returns false if
 * other processes kept it busy; then it can be tried again.
 */
export async function compactAfterErasures(database: CompactedDatabase): Promise<boolean> {
  const pending = await readPendingErasures(database.reader);
  return pending.length === 0 || rewrite(database, pending);
}

/** Rewrites the database even if nothing was erased. Throws `service_unavailable` if others keep it busy. */
export async function compactNow(database: CompactedDatabase): Promise<{ readonly bytes: number }> {
  if (!(await rewrite(database, await readPendingErasures(database.reader)))) {
    throw new SalonError('service_unavailable', 'The database is busy.', {
      hint: 'Try again at a quieter time, or when a running backup has finished.',
    });
  }
  return { bytes: await database.readBytes() };
}

async function rewrite(database: CompactedDatabase, pending: readonly Erasure[]): Promise<boolean> {
  if (!(await database.compact()) || !(await database.purge())) return false;
  if (pending.length > 0) await database.transaction('rows', (tx) => deleteErasures(tx, pending));
  return true;
}
