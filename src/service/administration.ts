import type { EnvironmentVariables } from '../settings.ts';
import { readMail } from './config.ts';
import type { ChainHead } from './db/audit/entries.ts';
import { inspectDatabase, openDatabase, readEngineVersion } from './db/database.ts';
import { readLastPositions } from './db/records/records.ts';
import type { Inspection } from './db/sqlite/salon-file.ts';
import { createAccount, listAccounts, type NewAccount, toOperatorContext } from './domain/accounts.ts';
import { readAuditRetention, setAuditRetention } from './domain/audit-retention.ts';
import { verifyAuditLog } from './domain/audit-verification.ts';
import { compactNow } from './domain/clean-up.ts';
import type { Environment } from './domain/context.ts';
import { type LoadOptions, loadRecords } from './domain/sample/load-records.ts';
import { readSamplePlan, type SeedOptions, seedAccount } from './domain/sample/seed.ts';
import { readSecretsStatus, rotateSecrets } from './domain/secret-rotation.ts';
import { createApiKey } from './identity/api-keys.ts';
import { isKeyAccepted } from './identity/credentials.ts';
import { openIdentity } from './identity/identity.ts';
import { findStylistId, listSecrets, revokeOperatorKey } from './identity/operator-keys.ts';
import {
  createOwnedAccount,
  deactivatePerson,
  type EndedAccess,
  erasePersonByEmail,
  invitePerson,
  listPeople,
  type NewOwnedAccount,
  type PersonReset,
  resetPerson,
} from './identity/operator-people.ts';
import { requireSecondFactor } from './identity/team.ts';
import { openSecrets } from './secrets/secrets.ts';

/** Direct administration of a service's database: accounts, people, API keys, secrets, sample data. */
export type Administration = Awaited<ReturnType<typeof openAdministration>>;

/**
 * Opens a database or creates it. A service may be running on it. Mails go through the server in SALON_SMTP_URL. Throws
 * `usage` if it cannot be opened.
 */
export async function openAdministration(
  location: string,
  environment: Environment & { readonly env?: EnvironmentVariables },
) {
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
  const services = { database, environment, secrets, identity, checkAddress: async () => undefined };
  const { reader } = database;
  return {
    createAccount: (account: NewAccount) => createAccount(services, account),
    createOwnedAccount: (account: NewOwnedAccount) => createOwnedAccount(services, account),
    listAccounts: () => listAccounts(database),
    /** Whether the account has never had a record. */
    isUnused: async (accountId: string): Promise<boolean> =>
      (await readSamplePlan(reader, accountId)) !== undefined ||
      Object.values(await readLastPositions(reader, accountId)).every((last) => last === 0),
    /** The operator as the caller of the functions below that take a context. Without an ID: in the only account. */
    inAccount: (accountId?: string) => toOperatorContext(services, accountId),
    ...{ createApiKey, findStylistId, listSecrets, listPeople, invitePerson },
    ...{ requireSecondFactor, readAuditRetention, setAuditRetention },
    seedAccount: (options: SeedOptions) => seedAccount(services, options),
    loadRecords: (options: LoadOptions) => loadRecords(services, options),
    revokeApiKey: (id: string) => revokeOperatorKey(services, id),
    resetPerson: (reset: PersonReset) => resetPerson(services, reset),
    deactivatePerson: (ending: EndedAccess) => deactivatePerson(services, ending),
    erasePerson: (email: string) => erasePersonByEmail(services, email),
    isKeyAccepted: (key: string) => isKeyAccepted(services, key),
    /** Removes what deleted clients left in the files of the database. Throws `service_unavailable`. */
    compact: () => compactNow(database),
    readSecretsStatus: () => readSecretsStatus(reader, secrets),
    rotateSecrets: () => rotateSecrets(database, environment, secrets),
    /** Recomputes the audit logs of all accounts. */
    verifyAuditLog: (trusted: readonly ChainHead[]) => verifyAuditLog(reader, trusted),
    [Symbol.asyncDispose]: async (): Promise<void> => {
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
