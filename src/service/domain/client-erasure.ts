import { mergeReversibleDays } from '../../contract/client-merge.ts';
import { deliveriesKeptDays } from '../../contract/delivery.ts';
import { dayMs } from '../../contract/time.ts';
import type { Database } from '../db/database.ts';
import type { Writer } from '../db/engine.ts';
import { insertErasure } from '../db/erasures.ts';
import type { ErasedClient } from '../db/events.ts';
import {
  readAccountsWithExpiredArchives,
  readClientsMergedInto,
  readExpiredArchives,
  readMergesOf,
  replaceArchive,
} from '../db/merged-clients.ts';
import { eraseAuditValues } from './audit.ts';
import type { Context, Environment } from './context.ts';
import { eraseEvents, eraseResults } from './erased-logs.ts';
import { eraseRecords } from './erased-records.ts';

/** Events of the other client from before the reversal of a merge are deleted by then. */
const tracesKeptDays = mergeReversibleDays + deliveriesKeptDays;

/** Small enough for a short transaction. */
const maxErased = 50;

/**
 * Erases the personal data of a client that is being deleted: texts of its appointments and payments, what logs hold of
 * it and of the clients archived under it, and what the clients that it was once merged into were given of it.
 */
export async function eraseClient(tx: Writer, context: Context, clientId: string): Promise<void> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  const nowMs = environment.now().getTime();
  await insertErasure(tx, { account_id: accountId, id: clientId, erased_ms: nowMs });
  await eraseWithArchives(tx, environment, { accountId, clientId });
  const records = await eraseRecords(tx, context, clientId);
  const seen = new Set([clientId]);
  const oldestMs = nowMs - tracesKeptDays * dayMs;
  for (const id of seen) {
    for (const { into_id, merged_ms } of await readMergesOf(tx, { accountId, id })) {
      if (seen.has(into_id) || merged_ms < oldestMs) continue;
      seen.add(into_id);
      await eraseTraces(tx, environment, { accountId, clientId: into_id, sinceMs: merged_ms, records });
    }
  }
}

/** Erases some of the archived clients whose merge can no longer be reversed. Returns whether there may be more. */
export async function eraseExpiredArchives(
  { reader, transaction, requestPurge }: Pick<Database, 'reader' | 'transaction' | 'requestPurge'>,
  environment: Environment,
): Promise<boolean> {
  const nowMs = environment.now().getTime();
  const beforeMs = nowMs - mergeReversibleDays * dayMs;
  let hasMore = false;
  for (const accountId of await readAccountsWithExpiredArchives(reader, beforeMs)) {
    const count = await transaction({ accountId }, async (tx) => {
      const rows = await readExpiredArchives(tx, { accountId, beforeMs, limit: maxErased });
      for (const row of rows) {
        await insertErasure(tx, { account_id: accountId, id: row.id, erased_ms: nowMs });
        await replaceArchive(tx, row, null);
        await eraseWithArchives(tx, environment, { accountId, clientId: row.id });
      }
      return rows.length;
    });
    requestPurge();
    hasMore ||= count === maxErased;
  }
  return hasMore;
}

async function eraseWithArchives(
  tx: Writer,
  environment: Environment,
  { accountId, clientId }: ErasedClient,
): Promise<void> {
  await eraseTraces(tx, environment, { accountId, clientId });
  for (const merged of await readClientsMergedInto(tx, { accountId, id: clientId })) {
    if (merged.archive === null) continue;
    await replaceArchive(tx, merged, null);
    await eraseWithArchives(tx, environment, { accountId, clientId: merged.id });
  }
}

/** `records` limits what is erased of appointments and payments to those with these IDs. */
async function eraseTraces(
  tx: Writer,
  environment: Environment,
  client: ErasedClient & { readonly records?: ReadonlySet<string> },
): Promise<void> {
  await eraseResults(tx, client);
  await eraseEvents(tx, { ...client, nowMs: environment.now().getTime() });
  const { accountId, clientId, sinceMs } = client;
  await eraseAuditValues(tx, environment, { accountId, sinceMs, subject: { kind: 'client', id: clientId } });
}
