import { SalonError } from '../../contract/errors.ts';
import { dayMs, hourMs } from '../../time/time.ts';
import { wasUsed } from '../db/audit/entries.ts';
import type { Database } from '../db/database.ts';
import { deleteOldEvents } from '../db/deliveries/delivery-maintenance.ts';
import { deleteExpiredSignIns } from '../db/identity/sessions.ts';
import { foldAgain } from '../db/records/folded-columns.ts';
import { deleteExpiredResults } from '../db/records/idempotency.ts';
import { deleteErasures, type Erasure, readPendingErasures } from '../db/records/removed-clients.ts';
import { pruneAuditLog } from './audit-retention.ts';
import { eraseExpiredArchives } from './client-erasure.ts';
import type { Environment } from './context.ts';
import { deliveriesKeptDays, idempotencyKeySeconds, sessionLimits } from './limits.ts';

/** A salon used within these days is in regular use: its clock has not just jumped ahead by months. */
const recentDays = 7;

/**
 * Deletes traces of what was erased and, with `isPruning`, some of the data that has been kept long enough by the clock.
 * `hasMore` says whether there may be more of it. `hasTraces` says whether traces stay in the files, because the database
 * is busy or too large to rewrite; it is not checked, and false, while there is more.
 */
export async function cleanUp(
  database: Database,
  environment: Environment,
  { isPruning }: { readonly isPruning: boolean },
) {
  const nowMs = environment.now().getTime();
  const hasMore = isPruning && (await prune(database, environment));
  // A process of the release before may still write.
  await foldAgain(database);
  await database.updateStatistics();
  return { hasMore, hasTraces: !hasMore && !(await compactWhenQuiet(database, nowMs)) };
}

/**
 * The clean-up of a closing process: one with an embedded salon ends before its regular clean-up is due. It may have
 * started with a wrong clock; with `if in regular use` it only prunes a salon used in an earlier hour of the last days.
 */
export async function cleanUpBeforeClose(
  database: Database,
  environment: Environment,
  { prunes }: { readonly prunes: 'always' | 'if in regular use' | 'never' },
): Promise<void> {
  const nowMs = environment.now().getTime();
  const period = { fromMs: nowMs - recentDays * dayMs, toMs: nowMs - (nowMs % hourMs) };
  const isPruning = prunes === 'always' || (prunes !== 'never' && (await wasUsed(database.reader, period)));
  if (isPruning) {
    await deleteExpiredResults(database, nowMs - idempotencyKeySeconds * 1000);
    await eraseExpiredArchives(database, environment);
    await pruneAuditLog(database, environment);
  }
  await database.updateStatistics();
  await compactBeforeClose(database);
}

async function prune(database: Database, environment: Environment): Promise<boolean> {
  const nowMs = environment.now().getTime();
  await deleteExpiredSignIns(database, { nowMs, idleSinceMs: nowMs - sessionLimits.idleMs });
  return [
    await deleteOldEvents(database, nowMs - deliveriesKeptDays * dayMs),
    await deleteExpiredResults(database, nowMs - idempotencyKeySeconds * 1000),
    await eraseExpiredArchives(database, environment),
    await pruneAuditLog(database, environment),
  ].some(Boolean);
}

/** Erasures in quick succession share one rewrite. */
const quietMs = 60_000;
const maxWaitMs = 600_000;

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
  const isQuiet = Math.abs(nowMs - lastMs) >= quietMs || nowMs - firstMs >= maxWaitMs;
  const isSmall = (await database.readBytes()) <= maxBytes;
  if (isQuiet && isSmall) return rewrite(database, pending);
  // At least empty the log: another process may have been reading it before.
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
