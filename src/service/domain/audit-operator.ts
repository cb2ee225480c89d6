import type { Database } from '../db/database.ts';
import { findAccount } from './accounts.ts';
import { readAuditRetention, setAuditRetention } from './audit-retention.ts';
import type { Environment } from './context.ts';
import { toOperator } from './operator.ts';

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
