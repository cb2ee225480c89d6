import { SalonError } from '../../contract/errors.ts';
import { type PlanName, plans } from '../../contract/limits.ts';
import { scopes } from '../../contract/roles.ts';
import type { Database } from '../db/database.ts';
import type { Reader } from '../db/engine.ts';
import { type AccountRow, insertAccount, readAccounts } from '../db/identity/accounts.ts';
import { recordByOperator } from './audit.ts';
import type { Caller, Context } from './context.ts';
import { createId, notFound } from './records.ts';

/** An account as shown to the operator of a service. */
export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  /** Requests per hour. */
  readonly hourly_limit: number;
  readonly created_at: string;
  /** Whether the account is for trials; its API keys start with `slk_test_`. */
  readonly sandbox: boolean;
}

export interface NewAccount {
  readonly name: string;
  readonly plan: PlanName;
  /** Overrides the plan's requests per hour. */
  readonly hourlyLimit?: number | undefined;
  readonly isSandbox?: boolean;
}

/** What the operator's commands work with. */
export type OperatorServices = Pick<Context, 'database' | 'environment'>;

/** Creates an empty account. Throws `usage` for a limit that is not a whole number above zero. */
export async function createAccount(
  { database, environment }: OperatorServices,
  { name, plan, hourlyLimit, isSandbox = false }: NewAccount,
): Promise<AccountRecord> {
  if (hourlyLimit !== undefined && !(Number.isSafeInteger(hourlyLimit) && hourlyLimit > 0)) {
    throw new SalonError('usage', `${hourlyLimit} is not a valid number of requests per hour.`, {
      hint: 'Use a positive whole number.',
    });
  }
  const row: AccountRow = {
    id: createId('account', environment),
    name,
    plan,
    hourly_limit: hourlyLimit ?? null,
    sandbox: isSandbox ? 1 : 0,
    created_at: environment.now().toISOString(),
    requires_second_factor: 0,
  };
  await database.transaction('service', async (tx) => {
    await insertAccount(tx, row);
    const act = { action: 'account.created', id: row.id, object: row } as const;
    await recordByOperator(tx, environment, { accountId: row.id, ...act });
  });
  return toAccount(row);
}

/** All accounts, oldest first. */
export async function listAccounts(database: Pick<Database, 'reader'>): Promise<AccountRecord[]> {
  return (await readAccounts(database.reader)).map(toAccount);
}

/** Finds an account by ID; without one, the only account. Throws `not_found`, and `usage` when it is ambiguous. */
export async function findAccount(reader: Reader, id?: string): Promise<AccountRecord> {
  const accounts = (await readAccounts(reader)).map(toAccount);
  const [first, ...others] = id === undefined ? accounts : accounts.filter((account) => account.id === id);
  if (first === undefined) {
    if (id !== undefined) throw notFound('account', id);
    throw new SalonError('usage', 'The database has no account yet.', {
      hint: 'Create one: salon server accounts create',
    });
  }
  if (others.length > 0) {
    throw new SalonError('usage', `The database has ${accounts.length} accounts. Choose one of them.`, {
      hint: `Accounts: ${accounts.map((account) => account.id).join(', ')}`,
    });
  }
  return first;
}

/**
 * The context of the operator of the service, who may do in an account what its owner may. Without an ID, it is the only
 * account. Throws like `findAccount`.
 */
export async function toOperatorContext<Services extends OperatorServices>(
  services: Services,
  accountId?: string,
) {
  const account = await findAccount(services.database.reader, accountId);
  const { id, name, plan, hourly_limit: hourlyLimit } = account;
  const caller: Caller = {
    account: { id, name, plan, hourlyLimit, settings: {} },
    role: 'owner',
    scopes,
    stylistId: null,
    credential: { kind: 'operator' },
  };
  return { ...services, caller, source: { requestId: null, address: null } };
}

/** The account of a caller, from a credential's row. */
export function toCallerAccount(
  row: Pick<AccountRow, 'plan' | 'hourly_limit'> & {
    readonly account_id: string;
    readonly account_name: string;
    readonly settings?: string | null;
  },
): Caller['account'] {
  const { account_id: id, account_name: name, plan, settings } = row;
  return { id, name, plan, hourlyLimit: toHourlyLimit(row), settings: JSON.parse(settings ?? '{}') };
}

/** Requests per hour: the account's own number, or its plan's. */
function toHourlyLimit({ plan, hourly_limit }: Pick<AccountRow, 'plan' | 'hourly_limit'>): number {
  return hourly_limit ?? plans[plan];
}

function toAccount(row: AccountRow): AccountRecord {
  const { id, name, plan, created_at } = row;
  return { id, name, plan, hourly_limit: toHourlyLimit(row), created_at, sandbox: row.sandbox === 1 };
}
