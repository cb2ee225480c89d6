import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { EnvironmentVariables } from '../../settings.ts';
import {
  copyDatabase,
  describeLocation,
  findMissingMigrations,
  openDatabase,
  readSnapshot,
  transferDatabase,
} from '../db/database.ts';
import type { DatabaseSnapshot } from '../db/engine.ts';
import { isPostgresLocation } from '../db/postgres/location.ts';
import { copyMark } from '../db/sqlite/epoch.ts';
import { damagedHint } from '../db/sqlite/errors.ts';
import { removeIfKilled } from '../db/sqlite/publish-file.ts';
import { readSecretsStatus } from '../domain/secret-rotation.ts';
import { findKeySource, openSecrets, type SecretKeys } from '../secrets/secrets.ts';
import { assertSound } from './check.ts';

/**
 * Writes a database of any engine into a new SQLite file. A service may be running on the database. A SQLite database is
 * copied without migrating it. Throws `usage`.
 */
export async function backupDatabase(location: string, file: string, env: EnvironmentVariables) {
  const database = describeLocation(location);
  const verify = (snapshot: DatabaseSnapshot) => assertReadable(snapshot, database);
  const options = { givesNewVersions: true, verify };
  if (isPostgresLocation(location)) {
    await readSnapshot(location, (snapshot) => transferDatabase(snapshot, file, options));
  } else {
    await copyDatabase(location, file, options);
  }
  return {
    /** The database, without its password. */
    database,
    /** The variable or file with the key of the secrets, which is not copied; null if there is none. */
    secretsKey: findKeySource(location, env),
  };
}

interface SecretsEnvironment {
  readonly env: EnvironmentVariables;
  random(size: number): Uint8Array;
}

/** A database with wrong counters can be backed up: there may be no other. */
async function assertReadable(snapshot: DatabaseSnapshot, name: string): Promise<void> {
  const [damage] = await snapshot.findDamage();
  if (damage === undefined) return;
  throw new SalonError('service_unavailable', `The database ${name} is damaged: ${damage}`, {
    hint: damagedHint,
  });
}

/**
 * Checks a backup and makes it a new database, with collection versions that the original never sent to clients.
 * Throws `usage` if there is a database already, and `service_unavailable` for a damaged backup; nothing is created then.
 */
export async function restoreDatabase(file: string, location: string, environment: SecretsEnvironment) {
  const secrets = openSecrets({ location, environment });
  const verify = (snapshot: DatabaseSnapshot) => assertSound(snapshot, file);
  const options = { givesNewVersions: true, verify };
  if (isPostgresLocation(location)) {
    await readCurrent(file, async (snapshot) => {
      await verify(snapshot);
      return transferDatabase(snapshot, location, options);
    });
  } else {
    await copyDatabase(file, location, options);
  }
  return readSnapshot(location, (snapshot) => readAccounts(snapshot, { secrets, location }));
}

/**
 * Moves a salon to another engine or file: copies every row into a new database, with equal versions. The original is
 * not changed; stop using it. Throws `usage` and `service_unavailable` as a restore does.
 */
export async function copySalon(location: string, target: string, environment: SecretsEnvironment) {
  const secrets = openSecrets({ location: target, environment });
  const before = await readSnapshot(location, readProgress);
  const transferred = await readCurrent(location, async (snapshot) => {
    const verify = (one: DatabaseSnapshot) => assertSound(one, describeLocation(location));
    await verify(snapshot);
    return transferDatabase(snapshot, target, { givesNewVersions: await isUnopenedCopy(snapshot), verify });
  });
  /** Whether the original was changed while it was copied. */
  const isOutdated = (await readSnapshot(location, readProgress)) !== before;
  const restored = await readSnapshot(target, (snapshot) =>
    readAccounts(snapshot, { secrets, location: target }),
  );
  return { ...restored, ...transferred, isOutdated };
}

/** Reads a database of this version; a copy of a file of an earlier one is migrated for it. */
async function readCurrent<Result>(location: string, body: (snapshot: DatabaseSnapshot) => Promise<Result>) {
  const missing = (snapshot: DatabaseSnapshot) => findMissingMigrations(snapshot, location);
  if (isPostgresLocation(location) || (await readSnapshot(location, missing)).length === 0) {
    return readSnapshot(location, body);
  }
  using folder = createTemporaryFolder();
  const file = join(folder.path, 'migrated.db');
  await copyDatabase(location, file, { givesNewVersions: false, verify: async () => {} });
  await (await openDatabase(file)).close();
  return readSnapshot(file, body);
}

/** Whether this is a backup that was never opened: its original may have given out the next versions since. */
async function isUnopenedCopy({ kind, reader }: DatabaseSnapshot): Promise<boolean> {
  if (kind !== 'sqlite') return false;
  const [mark] = await reader.run<{ user_version: number }>('pragma user_version', []);
  return mark?.user_version === copyMark;
}

/** The copy has all data, so only its owner may read it. */
function createTemporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'salon-copy-'));
  const watcher = removeIfKilled([path]);
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
      watcher[Symbol.dispose]();
    },
  };
}

/** A text that differs after any change of a salon. */
async function readProgress({ reader }: DatabaseSnapshot): Promise<string> {
  const versions = await reader.run('select account_id, name, version from collections order by 1, 2', []);
  const text = 'select account_id, max(seq) as seq from audit_entries group by account_id order by 1';
  const heads = await reader.run(text, []);
  return JSON.stringify([versions, heads]);
}

/** The new database, without its password, and what is in it. */
async function readAccounts(
  { reader }: DatabaseSnapshot,
  { secrets, location }: { secrets: SecretKeys; location: string },
) {
  const accounts = await reader.run('select id from accounts', []);
  /** Secrets that need a key which is missing, and the IDs of those keys. */
  const { unreadable, missing_keys: missingKeys } = await readSecretsStatus(reader, secrets);
  return { database: describeLocation(location), accounts: accounts.length, unreadable, missingKeys };
}
