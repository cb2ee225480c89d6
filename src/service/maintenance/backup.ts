import { SalonError } from '../../contract/errors.ts';
import { copyDatabase, readSnapshot } from '../db/database.ts';
import type { DatabaseSnapshot } from '../db/snapshot.ts';
import { readSecretsStatus } from '../domain/secret-rotation.ts';
import { findKeySource, openSecrets } from '../secrets/secrets.ts';
import { assertSound } from './check.ts';

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface Backup {
  /** The variable or file with the key of the secrets, which is not copied; null if there is none. */
  readonly secretsKey: string | null;
}

/** Writes a database into a new file, unmigrated. A service may be running on it. Throws `usage`. */
export async function backupDatabase(
  location: string,
  file: string,
  env: EnvironmentVariables,
): Promise<Backup> {
  await copyDatabase(location, file, assertReadable);
  return { secretsKey: findKeySource(location, env) };
}

/** A database with wrong counters can be backed up: there may be no other. */
async function assertReadable(snapshot: DatabaseSnapshot): Promise<void> {
  const [damage] = await snapshot.findDamage();
  if (damage === undefined) return;
  throw new SalonError('service_unavailable', `The database is damaged: ${damage}`, {
    hint: 'Restore the last backup, and keep the damaged file.',
  });
}

export interface Restored {
  readonly accounts: number;
  /** Secrets that need a key which is missing, and the IDs of those keys. */
  readonly unreadable: number;
  readonly missingKeys: readonly string[];
}

/**
 * Checks a backup and makes it a new database, whose collections have versions that were never used. Throws `usage` if
 * there is a database already, and `service_unavailable` for a damaged backup; nothing is created then.
 */
export async function restoreDatabase(
  file: string,
  location: string,
  environment: { readonly env: EnvironmentVariables; random(size: number): Uint8Array },
): Promise<Restored> {
  const secrets = openSecrets({ location, environment });
  await copyDatabase(file, location, assertSound);
  return readSnapshot(location, async ({ reader, readTables }) => {
    const accounts = await reader.run('select id from accounts', []);
    // Earlier versions sealed nothing.
    const hasSecrets = (await readTables()).get('users')?.includes('totp_secret') === true;
    const { unreadable, missing_keys: missingKeys } = hasSecrets
      ? await readSecretsStatus(reader, secrets)
      : { unreadable: 0, missing_keys: [] };
    return { accounts: accounts.length, unreadable, missingKeys };
  });
}
