import { type RefusalRow, readRefusals, serviceChain, toChainLock } from '../db/audit/entries.ts';
import type { Database } from '../db/database.ts';
import { type Actor, recordSecurityEvent, toActor } from './audit.ts';
import type { Caller, Context, Environment, RequestSource } from './context.ts';

/** What was refused to whom. */
export interface RefusedAccess {
  /** Null for what concerns no account. */
  readonly accountId: string | null;
  readonly actor: Actor;
  /** The ID of the record, if the request named one. */
  readonly id?: string | undefined;
  /** Such as an operation of the API or the name of a page. */
  readonly operation: string;
  /** Such as `permission_denied`. */
  readonly code: string;
}

/** Refusals are counted over this time. */
const windowMs = 3_600_000;
const maxPerActor = 20;
/** Of all that have no credential of the account together. */
const maxAnonymous = 200;
const maxPerAccount = 1000;

/**
 * Records a refused request. The same refusal of the same credential and address is recorded once an hour, and the
 * number of entries is bounded, so that nobody can fill the log by being refused.
 */
export async function recordRefusal(
  database: Pick<Database, 'reader' | 'transaction'>,
  { environment, source }: { environment: Environment; source: RequestSource },
  refusal: RefusedAccess,
): Promise<void> {
  const { accountId, actor, id = null, operation, code } = refusal;
  const request = {
    accountId: accountId ?? serviceChain,
    sinceMs: environment.now().getTime() - windowMs,
    limit: maxPerAccount,
  };
  const isKnown = (rows: readonly RefusalRow[]) => isRecorded(rows, refusal, source);
  if (isKnown(await readRefusals(database.reader, request))) return;
  await database.transaction(toChainLock(request.accountId), async (tx) => {
    if (isKnown(await readRefusals(tx, request))) return;
    const details = { operation, code };
    const event = { accountId, actor, action: 'access.refused', id, details } as const;
    await recordSecurityEvent(tx, { environment, source }, event);
  });
}

/** Records that the caller of an operation was refused. */
export function recordRefusedCaller(
  {
    database,
    environment,
    source,
    caller,
  }: Pick<Context, 'database' | 'environment' | 'source'> & {
    readonly caller: Pick<Caller, 'account' | 'credential'>;
  },
  refusal: Pick<RefusedAccess, 'id' | 'operation' | 'code'>,
): Promise<void> {
  const who = { accountId: caller.account.id, actor: toActor(caller) };
  return recordRefusal(database, { environment, source }, { ...who, ...refusal });
}

function isRecorded(
  rows: readonly RefusalRow[],
  { actor, operation, code }: RefusedAccess,
  { address }: RequestSource,
): boolean {
  if (rows.length >= maxPerAccount) return true;
  const own = rows.filter((row) => row.actor_id === actor.id);
  if (own.length >= (actor.id === null ? maxAnonymous : maxPerActor)) return true;
  return own.some((row) => {
    const { details } = JSON.parse(row.changes ?? '{}');
    return row.address === address && details?.operation === operation && details?.code === code;
  });
}
