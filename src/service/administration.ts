import type { EnvironmentVariables } from '../settings.ts';
import { readMail } from './config.ts';
import type { ChainHead } from './db/audit/entries.ts';
import { inspectDatabase, openDatabase, readEngineVersion } from './db/database.ts';
import { readLastPositions } from './db/records/records.ts';
import type { Inspection } from './db/sqlite/salon-file.ts';
import { createAccount, listAccounts } from './domain/accounts.ts';
import { readRetentionOfAccount, setRetentionOfAccount } from './domain/audit-retention.ts';
import { verifyAuditLog } from './domain/audit-verification.ts';
import { compactNow } from './domain/clean-up.ts';
import type { Environment } from './domain/context.ts';
import { loadRecords } from './domain/sample/load-records.ts';
import { readSamplePlan, seedAccount } from './domain/sample/seed.ts';
import { readSecretsStatus, rotateSecrets } from './domain/secret-rotation.ts';
import { isKeyAccepted } from './identity/credentials.ts';
import { openIdentity } from './identity/identity.ts';
import { createOperatorKey, listOperatorSecrets, revokeOperatorKey } from './identity/operator-keys.ts';
import {
  createOwnedAccount,
  deactivatePerson,
  erasePersonByEmail,
  invitePerson,
  listPeople,
  requireFactorOf,
  resetPerson,
} from './identity/operator-people.ts';
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
  const bind =
    <Rest extends unknown[], Result>(act: (from: typeof services, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      act(services, ...rest);
  return {
    createAccount: bind(createAccount),
    listAccounts: () => listAccounts(database),
    /** Whether the account has never had a record. */
    isUnused: async (accountId: string): Promise<boolean> =>
      (await readSamplePlan(database.reader, accountId)) !== undefined ||
      Object.values(await readLastPositions(database.reader, accountId)).every((last) => last === 0),
    createApiKey: bind(createOperatorKey),
    listSecrets: bind(listOperatorSecrets),
    revokeApiKey: bind(revokeOperatorKey),
    createOwnedAccount: bind(createOwnedAccount),
    listPeople: bind(listPeople),
    invitePerson: bind(invitePerson),
    resetPerson: bind(resetPerson),
    deactivatePerson: bind(deactivatePerson),
    erasePerson: bind(erasePersonByEmail),
    requireSecondFactor: bind(requireFactorOf),
    isKeyAccepted: bind(isKeyAccepted),
    seedAccount: bind(seedAccount),
    loadRecords: bind(loadRecords),
    /** Removes what deleted clients left in the files of the database. Throws `service_unavailable`. */
    compact: () => compactNow(database),
    readSecretsStatus: () => readSecretsStatus(database.reader, secrets),
    rotateSecrets: () => rotateSecrets(database, environment, secrets),
    /** Recomputes the audit logs of all accounts. */
    verifyAuditLog: (trusted: readonly ChainHead[]) => verifyAuditLog(database.reader, trusted),
    readAuditRetention: bind(readRetentionOfAccount),
    setAuditRetention: bind(setRetentionOfAccount),
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
