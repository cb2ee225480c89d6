import { type Database, openDatabase } from './db/database.ts';
import { readLastPositions } from './db/records.ts';
import { createAccount, listAccounts } from './domain/accounts.ts';
import { authenticate, createApiKey, revokeApiKey } from './domain/api-keys.ts';
import type { Environment } from './domain/context.ts';
import { loadRecords } from './domain/sample/load-records.ts';
import { seedAccount } from './domain/sample/seed.ts';

type Bound<Act> = Act extends (
  database: Database,
  environment: Environment,
  ...rest: infer Rest
) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** What whoever hosts a service does to its database directly: accounts, keys, sample data, copies. */
export interface Administration extends AsyncDisposable {
  createAccount: Bound<typeof createAccount>;
  listAccounts(): ReturnType<typeof listAccounts>;
  /** Whether an account never had a record. */
  isUnused(accountId: string): Promise<boolean>;
  createApiKey: Bound<typeof createApiKey>;
  revokeApiKey: Bound<typeof revokeApiKey>;
  /** Who a key belongs to. Throws `invalid_token`. */
  authenticate: Bound<typeof authenticate>;
  seedAccount: Bound<typeof seedAccount>;
  loadRecords: Bound<typeof loadRecords>;
  /** Copies the database into a new file, as it stands at one moment, while a service may go on working with it. */
  backup(file: string): Promise<void>;
}

/** Opens a database, made when new, beside or without a running service. Throws `usage` when it cannot be one. */
export async function openAdministration(
  location: string,
  environment: Environment,
): Promise<Administration> {
  const database = await openDatabase(location);
  return {
    createAccount: (input) => createAccount(database, environment, input),
    listAccounts: () => listAccounts(database),
    isUnused: async (accountId) =>
      Object.values(await readLastPositions(database.reader, accountId)).every((last) => last === 0),
    createApiKey: (input) => createApiKey(database, environment, input),
    revokeApiKey: (id) => revokeApiKey(database, environment, id),
    authenticate: (key) => authenticate(database, environment, key),
    seedAccount: (input) => seedAccount(database, environment, input),
    loadRecords: (input) => loadRecords(database, environment, input),
    backup: (file) => database.backup(file),
    [Symbol.asyncDispose]: () => database.close(),
  };
}
