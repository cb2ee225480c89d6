import type { EnvironmentVariables } from '../contract/settings.ts';
import { readMail } from './config.ts';
import { type Database, inspectDatabase, openDatabase, readEngineVersion } from './db/database.ts';
import { readLastPositions } from './db/records/records.ts';
import type { Inspection } from './db/sqlite/salon-file.ts';
import { createAccount, listAccounts } from './domain/accounts.ts';
import { type TrustedHead, verifyAuditLog } from './domain/audit-verification.ts';
import { compactNow } from './domain/compaction.ts';
import type { Environment } from './domain/context.ts';
import { readRetentionOfAccount, setRetentionOfAccount } from './domain/operator.ts';
import { loadRecords } from './domain/sample/load-records.ts';
import { readSamplePlan, seedAccount } from './domain/sample/seed.ts';
import {
  readSecretsStatus,
  rotateSecrets,
  type SecretRotation,
  type SecretsStatus,
} from './domain/secret-rotation.ts';
import { openIdentity } from './identity/open-identity.ts';
import { createOperatorKey, revokeOperatorKey } from './identity/operator-keys.ts';
import {
  createOwnedAccount,
  deactivatePerson,
  erasePersonByEmail,
  invitePerson,
  listPeople,
  type OperatorServices,
  requireFactorOf,
  resetPerson,
} from './identity/operator-people.ts';
import { listOperatorSecrets } from './identity/operator-secrets.ts';
import { isKeyAccepted } from './identity/read-credential.ts';
import { openSecrets } from './secrets/secrets.ts';

type Bound<Act> = Act extends (
  database: Database,
  environment: Environment,
  ...rest: infer Rest
) => infer Result
  ? (...rest: Rest) => Result
  : never;

type Served<Act> = Act extends (services: OperatorServices, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** Direct administration of a service's database: accounts, API keys, sample data. */
export interface Administration extends AsyncDisposable {
  createAccount: Bound<typeof createAccount>;
  listAccounts(): ReturnType<typeof listAccounts>;
  /** Whether the account has never had a record. */
  isUnused(accountId: string): Promise<boolean>;
  createApiKey: Bound<typeof createOperatorKey>;
  listSecrets: Bound<typeof listOperatorSecrets>;
  revokeApiKey: Bound<typeof revokeOperatorKey>;
  createOwnedAccount: Served<typeof createOwnedAccount>;
  listPeople: Served<typeof listPeople>;
  invitePerson: Served<typeof invitePerson>;
  resetPerson: Served<typeof resetPerson>;
  deactivatePerson: Served<typeof deactivatePerson>;
  erasePerson: Served<typeof erasePersonByEmail>;
  requireSecondFactor: Served<typeof requireFactorOf>;
  /** Whether a key is known and valid. */
  isKeyAccepted(key: string): Promise<boolean>;
  seedAccount: Bound<typeof seedAccount>;
  loadRecords: Bound<typeof loadRecords>;
  /** Removes what deleted clients left in the files of the database. Throws `service_unavailable`. */
  compact(): ReturnType<typeof compactNow>;
  readSecretsStatus(): Promise<SecretsStatus>;
  rotateSecrets(): Promise<SecretRotation>;
  /** Recomputes the audit logs of all accounts. */
  verifyAuditLog(trusted: readonly TrustedHead[]): ReturnType<typeof verifyAuditLog>;
  readAuditRetention: Bound<typeof readRetentionOfAccount>;
  setAuditRetention: Bound<typeof setRetentionOfAccount>;
}

/**
 * Opens a database or creates it. A service may be running on it. Mails go through the server in SALON_SMTP_URL. Throws
 * `usage` if it cannot be opened.
 */
export async function openAdministration(
  location: string,
  environment: Environment & { readonly env?: EnvironmentVariables },
): Promise<Administration> {
  const secrets = openSecrets({ location, environment });
  const mail = readMail(environment.env ?? {});
  const database = await openDatabase(location);
  const identity = openIdentity({
    environment,
    mail,
    onError: (error) => {
      throw error;
    },
  });
  const services = { database, environment, secrets, identity };
  return {
    createAccount: (input) => createAccount(database, environment, input),
    listAccounts: () => listAccounts(database),
    isUnused: async (accountId) =>
      (await readSamplePlan(database.reader, accountId)) !== undefined ||
      Object.values(await readLastPositions(database.reader, accountId)).every((last) => last === 0),
    createApiKey: (input) => createOperatorKey(database, environment, input),
    listSecrets: (input) => listOperatorSecrets(database, environment, input),
    revokeApiKey: (id) => revokeOperatorKey(database, environment, id),
    createOwnedAccount: (input) => createOwnedAccount(services, input),
    listPeople: (input) => listPeople(services, input),
    invitePerson: (input) => invitePerson(services, input),
    resetPerson: (input) => resetPerson(services, input),
    deactivatePerson: (input) => deactivatePerson(services, input),
    erasePerson: (email) => erasePersonByEmail(services, email),
    requireSecondFactor: (input) => requireFactorOf(services, input),
    isKeyAccepted: (key) => isKeyAccepted({ database, environment }, key),
    seedAccount: (input) => seedAccount(database, environment, input),
    loadRecords: (input) => loadRecords(database, environment, input),
    compact: () => compactNow(database),
    readSecretsStatus: () => readSecretsStatus(database.reader, secrets),
    rotateSecrets: () => rotateSecrets(database, environment, secrets),
    verifyAuditLog: (trusted) => verifyAuditLog(database.reader, trusted),
    readAuditRetention: (accountId) => readRetentionOfAccount(database, environment, accountId),
    setAuditRetention: (input) => setRetentionOfAccount(database, environment, input),
    [Symbol.asyncDispose]: async () => {
      await identity.close();
      await database.close();
    },
  };
}

/** Checks that a database is whole, and changes nothing in it. Throws `usage` for an unusable location. */
export function inspectService(location: string): Promise<Inspection> {
  return inspectDatabase(location);
}

/** The name and version of the database engine. */
export function describeEngine(): string {
  return readEngineVersion();
}
