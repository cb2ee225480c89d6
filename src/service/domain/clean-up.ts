import { deliveriesKeptDays } from '../../contract/delivery.ts';
import { idempotencyKeySeconds, sessionLimits } from '../../contract/limits.ts';
import { dayMs, hourMs } from '../../contract/time.ts';
import { wasUsed } from '../db/audit/entries.ts';
import type { Database } from '../db/database.ts';
import { deleteOldEvents } from '../db/deliveries/delivery-maintenance.ts';
import { deleteExpiredSignIns } from '../db/identity/sessions.ts';
import { deleteExpiredResults } from '../db/records/idempotency.ts';
import { pruneAuditLog } from './audit-retention.ts';
import { eraseExpiredArchives } from './client-erasure.ts';
import { compactBeforeClose, compactWhenQuiet } from './compaction.ts';
import type { Environment } from './context.ts';

export interface CleanUpResult {
  /** Whether there may be more to delete. */
  readonly hasMore: boolean;
  /** Whether traces of erased clients stay in the files, because the database is busy or too large to rewrite. */
  readonly hasTraces: boolean;
}

interface CleanUpOptions {
  /** Whether to delete what is old by the clock. */
  readonly isPruning: boolean;
}

/** A clock that jumps this far ahead expires data of a month or a year. */
const recentDays = 7;

/** Deletes some of the data that has been kept long enough, and traces of what was erased. */
export async function cleanUp(
  database: Database,
  environment: Environment,
  { isPruning }: CleanUpOptions,
): Promise<CleanUpResult> {
  const nowMs = environment.now().getTime();
  const hasMore = isPruning && (await prune(database, environment));
  await database.updateStatistics();
  return { hasMore, hasTraces: !hasMore && !(await compactWhenQuiet(database, nowMs)) };
}

/**
 * The part that cannot wait for the next service: processes of an embedded salon end before the clean-up is due. Such a
 * process may have begun with a wrong clock, so it only prunes a salon that was used in an earlier hour of the last days.
 */
export async function cleanUpBeforeClose(
  database: Database,
  environment: Environment,
  { isPruning: wanted }: { readonly isPruning: boolean | 'if in regular use' },
): Promise<void> {
  const nowMs = environment.now().getTime();
  const period = { fromMs: nowMs - recentDays * dayMs, toMs: nowMs - (nowMs % hourMs) };
  const isPruning = wanted === true || (wanted !== false && (await wasUsed(database.reader, period)));
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
