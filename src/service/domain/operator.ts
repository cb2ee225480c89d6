import { scopes } from '../../contract/roles.ts';
import type { Database } from '../db/database.ts';
import { type AccountRecord, findAccount } from './accounts.ts';
import { readAuditRetention, setAuditRetention } from './audit-retention.ts';
import type { Caller, Environment } from './context.ts';

/** How long an account keeps its audit log. */
export interface AccountRetention {
  readonly account_id: string;
  readonly kept_days: number;
}

/** How long an account keeps its audit log; without an ID, the only account. Throws `usage` and `not_found`. */
export async function readRetentionOfAccount(
  { reader }: Database,
  _environment: Environment,
  accountId?: string,
): Promise<AccountRetention> {
  const { id } = await findAccount(reader, accountId);
  return { account_id: id, kept_days: await readAuditRetention(reader, id) };
}

/** Sets how long an account keeps its audit log. Throws `usage` and `not_found`. */
export async function setRetentionOfAccount(
  database: Database,
  environment: Environment,
  { accountId, days }: { accountId?: string | undefined; days: number },
): Promise<AccountRetention> {
  const account = await findAccount(database.reader, accountId);
  const source = { requestId: null, address: null };
  await setAuditRetention({ database, environment, caller: toOperator(account), source }, days);
  return { account_id: account.id, kept_days: days };
}

/** The operator of the service, who may do in an account what its owner may. */
export function toOperator({ id, name, plan, hourly_limit: hourlyLimit }: AccountRecord): Caller {
  return {
    account: { id, name, plan, hourlyLimit },
    role: 'owner',
    scopes,
    stylistId: null,
    credential: { kind: 'operator' },
  };
}
