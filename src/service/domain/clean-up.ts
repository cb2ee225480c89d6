import { deliveriesKeptDays } from '../../contract/delivery.ts';
import { idempotencyKeySeconds, sessionLimits } from '../../contract/limits.ts';
import type { Database } from '../db/database.ts';
import { deleteOldEvents } from '../db/delivery-maintenance.ts';
import { deleteExpiredSignIns } from '../db/expired-sign-ins.ts';
import { deleteExpiredResults } from '../db/idempotency.ts';
import { maintainAuditLog } from './audit-retention.ts';
import { eraseExpiredArchives } from './client-erasure.ts';
import { compactBeforeClose, compactWhenQuiet } from './compaction.ts';
import type { Environment } from './context.ts';
import { dayMs } from './validation.ts';

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

/** Deletes some of the data that has been kept long enough, and traces of what was erased. */
export async function cleanUp(
  database: Database,
  environment: Environment,
  { isPruning }: CleanUpOptions,
): Promise<CleanUpResult> {
  const nowMs = environment.now().getTime();
  const hasMore = [
    isPruning && (await prune(database, environment)),
    await maintainAuditLog(database, environment, { isPruning }),
  ].some(Boolean);
  return { hasMore, hasTraces: !hasMore && !(await compactWhenQuiet(database, nowMs)) };
}

/** The part that cannot wait for the next service: processes of an embedded salon end before the clean-up is due. */
export async function cleanUpBeforeClose(
  database: Database,
  environment: Environment,
  { isPruning }: CleanUpOptions,
): Promise<void> {
  if (isPruning) {
    await deleteExpiredResults(database, environment.now().getTime() - idempotencyKeySeconds * 1000);
    await eraseExpiredArchives(database, environment);
  }
  await maintainAuditLog(database, environment, { isPruning });
  await compactBeforeClose(database);
}

async function prune(database: Database, environment: Environment): Promise<boolean> {
  const nowMs = environment.now().getTime();
  await deleteExpiredSignIns(database, { nowMs, idleSinceMs: nowMs - sessionLimits.idleMs });
  return [
    await deleteOldEvents(database, nowMs - deliveriesKeptDays * dayMs),
    await deleteExpiredResults(database, nowMs - idempotencyKeySeconds * 1000),
    await eraseExpiredArchives(database, environment),
  ].some(Boolean);
}
