import { SalonError } from '../../contract/errors.ts';
import { type PlanName, plans } from '../../contract/limits.ts';
import { insertAccount, readAccounts } from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import type { Reader } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import type { Environment } from './context.ts';
import { createId, notFound } from './records.ts';

/** An account as it is shown to whoever runs the service. */
export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  /** Requests an hour. */
  readonly hourly_limit: number;
  readonly created_at: string;
}

export interface NewAccount {
  readonly name: string;
  readonly plan: PlanName;
  /** Another number of requests an hour than the plan's. */
  readonly hourlyLimit?: number;
}

/** Makes an account with empty lists. Throws `usage` for a limit that is no whole number above zero. */
export async function createAccount(
  database: Database,
  environment: Environment,
  { name, plan, hourlyLimit }: NewAccount,
): Promise<AccountRecord> {
  if (hourlyLimit !== undefined && !(Number.isSafeInteger(hourlyLimit) && hourlyLimit > 0)) {
    throw new SalonError('usage', `An account cannot have ${hourlyLimit} requests an hour.`, {
      hint: 'Give a whole number above zero.',
    });
  }
  const row = {
    id: createId('account', environment),
    name,
    plan,
    hourly_limit: hourlyLimit ?? null,
    created_at: environment.now().toISOString(),
  };
  await database.transaction((tx) => insertAccount(tx, row));
  return toAccount(row);
}

/** Every account, oldest first. */
export async function listAccounts(database: Pick<Database, 'reader'>): Promise<AccountRecord[]> {
  return (await readAccounts(database.reader)).map(toAccount);
}

/**
 * The account with an id, or without one the only account there is. Throws `not_found`, and `usage` where
 * there is none to choose or more than one.
 */
export async function findAccount(reader: Reader, id?: string): Promise<AccountRecord> {
  const accounts = (await readAccounts(reader)).map(toAccount);
  const [first, ...others] = id === undefined ? accounts : accounts.filter((account) => account.id === id);
  if (first === undefined) {
    throw id === undefined
      ? new SalonError('usage', 'The database has no account yet.', {
          hint: 'Make one: salon service account create',
        })
      : notFound('account', id);
  }
  if (others.length > 0) {
    throw new SalonError('usage', `The database has ${accounts.length} accounts; say which one.`, {
      hint: `Accounts: ${accounts.map((account) => account.id).join(', ')}`,
    });
  }
  return first;
}

/** Requests an hour: an account's own number, or its plan's. */
export function toHourlyLimit({
  plan,
  hourly_limit,
}: Pick<Tables['accounts'], 'plan' | 'hourly_limit'>): number {
  return hourly_limit ?? plans[plan];
}

function toAccount(row: Tables['accounts']): AccountRecord {
  const { id, name, plan, created_at } = row;
  return { id, name, plan, hourly_limit: toHourlyLimit(row), created_at };
}
