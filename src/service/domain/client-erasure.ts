import { mergeReversibleDays } from '../../contract/client-merge.ts';
import { deliveriesKeptDays } from '../../contract/delivery.ts';
import type { Database } from '../db/database.ts';
import type { Writer } from '../db/engine.ts';
import { type ErasedClient, eraseEvents } from '../db/events.ts';
import { eraseIdempotencyRecords } from '../db/idempotency.ts';
import {
  eraseArchive,
  readClientsMergedInto,
  readExpiredArchives,
  readMergesOf,
} from '../db/merged-clients.ts';
import { eraseAuditValues } from './audit.ts';
import type { Environment } from './context.ts';
import { dayMs } from './validation.ts';

/** Events of the other client from before the reversal of a merge are deleted by then. */
const tracesKeptDays = mergeReversibleDays + deliveriesKeptDays;

/** Small enough for a short transaction. */
const maxErased = 50;

/**
 * Erases the personal data of a deleted client: its own, that of the clients archived under it, and what the clients
 * that it was once merged into were given of it.
 */
export async function eraseClient(
  tx: Writer,
  environment: Environment,
  { accountId, clientId }: ErasedClient,
): Promise<void> {
  const nowMs = environment.now().getTime();
  await eraseWithArchives(tx, environment, { accountId, clientId });
  const seen = new Set([clientId]);
  const oldestMs = nowMs - tracesKeptDays * dayMs;
  for (const id of seen) {
    for (const { into_id, merged_ms } of await readMergesOf(tx, { accountId, id })) {
      if (seen.has(into_id) || merged_ms < oldestMs) continue;
      seen.add(into_id);
      await eraseTraces(tx, environment, { accountId, clientId: into_id, sinceMs: merged_ms });
    }
  }
}

/** Erases some of the archived clients whose merge can no longer be reversed. Returns whether there may be more. */
export async function eraseExpiredArchives(
  { reader, transaction, purge }: Pick<Database, 'reader' | 'transaction' | 'purge'>,
  environment: Environment,
): Promise<boolean> {
  const expired = { beforeMs: environment.now().getTime() - mergeReversibleDays * dayMs, limit: maxErased };
  // Almost always there is none, and then nothing is written.
  if ((await readExpiredArchives(reader, { ...expired, limit: 1 })).length === 0) return false;
  const count = await transaction(async (tx) => {
    const rows = await readExpiredArchives(tx, expired);
    for (const { seq, account_id: accountId, id: clientId } of rows) {
      await eraseArchive(tx, seq);
      await eraseWithArchives(tx, environment, { accountId, clientId });
    }
    return rows.length;
  });
  await purge();
  return count === maxErased;
}

async function eraseWithArchives(
  tx: Writer,
  environment: Environment,
  { accountId, clientId }: ErasedClient,
): Promise<void> {
  await eraseTraces(tx, environment, { accountId, clientId });
  for (const { seq, id, archive } of await readClientsMergedInto(tx, { accountId, id: clientId })) {
    if (archive === null) continue;
    await eraseArchive(tx, seq);
    await eraseWithArchives(tx, environment, { accountId, clientId: id });
  }
}

async function eraseTraces(tx: Writer, environment: Environment, client: ErasedClient): Promise<void> {
  await eraseIdempotencyRecords(tx, client);
  await eraseEvents(tx, { ...client, nowMs: environment.now().getTime() });
  await eraseAuditValues(tx, environment, client);
}
