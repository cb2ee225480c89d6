import { deliveriesKeptDays } from '../../contract/delivery.ts';
import { idempotencyKeySeconds } from '../../contract/limits.ts';
import type { Database } from '../db/database.ts';
import { deleteOldDeliveries } from '../db/delivery-maintenance.ts';
import { deleteExpiredResults } from '../db/idempotency.ts';
import { maintainAuditLog } from './audit-retention.ts';
import { eraseExpiredArchives } from './client-erasure.ts';
import { compactBeforeClose, compactWhenQuiet } from './compaction.ts';
import type { Environment } from './context.ts';
import { dayMs } from './validation.ts';

/** Deletes some of the data that has been kept long enough. Returns whether there may be more. */
export async function cleanUp(database: Database, environment: Environment): Promise<boolean> {
  const nowMs = environment.now().getTime();
  const hasMore = [
    await deleteOldDeliveries(database, nowMs - deliveriesKeptDays * dayMs),
    await deleteExpiredResults(database, nowMs - idempotencyKeySeconds * 1000),
    await eraseExpiredArchives(database, environment),
    await maintainAuditLog(database, environment),
  ].some(Boolean);
  if (!hasMore) await compactWhenQuiet(database, nowMs);
  return hasMore;
}

/** The part that cannot wait for the next service: processes of an embedded salon end before the clean-up is due. */
export async function cleanUpBeforeClose(database: Database, environment: Environment): Promise<void> {
  await eraseExpiredArchives(database, environment);
  await maintainAuditLog(database, environment);
  await compactBeforeClose(database);
}
