import { SalonError } from '../../contract/errors.ts';
import { dayMs } from '../../time/time.ts';
import {
  deleteEntriesThrough,
  readExpiredEntries,
  readKeptDays,
  saveKeptDays,
  serviceChain,
  toChainLock,
} from '../db/audit/entries.ts';
import type { Database } from '../db/database.ts';
import type { Reader } from '../db/engine.ts';
import { readAccounts } from '../db/identity/accounts.ts';
import { recordAudit, recordByService } from './audit.ts';
import { permissionDenied } from './authorization.ts';
import type { Context, Environment } from './context.ts';
import { auditKeptDays, auditKeptRange } from './limits.ts';

/** Small enough for a short transaction. */
const maxPruned = 500;

/** How many days an account keeps its audit log. */
export async function readAuditRetention(reader: Reader, accountId: string): Promise<number> {
  return (await readKeptDays(reader, accountId)) ?? auditKeptDays;
}

/**
 * Sets how many days the account keeps its audit log. Older entries are deleted within minutes. Throws
 * `permission_denied` for all but owners and the operator, and `usage`.
 */
export async function setAuditRetention(
  context: Pick<Context, 'database' | 'environment' | 'caller' | 'source'>,
  days: number,
): Promise<void> {
  const { database, caller } = context;
  if (caller.role !== 'owner' || caller.credential.kind === 'token') {
    throw permissionDenied(caller, 'oauth_clients.write');
  }
  const { least, most } = auditKeptRange;
  if (!Number.isSafeInteger(days) || days < least || days > most) {
    throw new SalonError('usage', `The audit log can be kept for ${least} to ${most} days.`, {
      hint: `Use a whole number, such as ${auditKeptDays}.`,
    });
  }
  const accountId = caller.account.id;
  await database.transaction({ accountId }, async (tx) => {
    const keptDays = await readAuditRetention(tx, accountId);
    if (keptDays === days) return;
    await saveKeptDays(tx, accountId, days);
    const change = { former: { audit_kept_days: keptDays }, object: { audit_kept_days: days } };
    await recordAudit(tx, context, { action: 'account.updated', id: accountId, ...change });
  });
}

/**
 * Deletes some of the entries older than their account keeps them. A checkpoint takes their place in the chain, and an
 * entry says how many they were. The last entry always stays. Returns whether there may be more.
 */
export async function pruneAuditLog(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  environment: Environment,
): Promise<boolean> {
  let hasMore = false;
  const accounts = await readAccounts(reader);
  for (const accountId of [...accounts.map(({ id }) => id), serviceChain]) {
    const nowMs = environment.now().getTime();
    const beforeMs = nowMs - (await readAuditRetention(reader, accountId)) * dayMs;
    const read = (from: Reader, limit: number) =>
      readExpiredEntries(from, { accountId, beforeMs, nowMs, limit });
    // Almost always there is none, and then nothing is written.
    if ((await read(reader, 1)).length === 0) continue;
    const count = await transaction(toChainLock(accountId), async (tx) => {
      const expired = await read(tx, maxPruned);
      const last = expired.at(-1);
      if (last === undefined) return 0;
      const details = {
        ...{ through: last.seq, hash: last.hash, entries: last.seq - last.first + 1 },
        before: new Date(beforeMs).toISOString(),
      };
      await recordByService(tx, environment, { accountId, action: 'audit_log.pruned', id: null, details });
      await deleteEntriesThrough(tx, accountId, last);
      return expired.length;
    });
    hasMore ||= count === maxPruned;
  }
  return hasMore;
}
