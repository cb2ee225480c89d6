import { SalonError } from '../../../contract/errors.ts';
import type { Administration } from '../../../service/administration.ts';
import type { Io } from '../../io.ts';
import type { Account } from '../../session/account.ts';

export interface SampleOptions {
  readonly database: string;
  readonly io: Io;
  readonly size: {
    readonly stylists: number;
    readonly clients: number;
    readonly appointments: number;
    readonly seed: number;
  };
  /** The key the profile has, if any. */
  readonly key: string | undefined;
}

export interface SampleSalon {
  readonly key: string;
  readonly account: Account;
  /** Whether anything had to be made. */
  readonly made: boolean;
}

const accountName = 'Salon Aurora (sample)';

/** Makes whatever of the sample salon is missing, so that a run that was cut off is completed by the next. */
export async function prepareSampleSalon({ database, io, size, key }: SampleOptions): Promise<SampleSalon> {
  const { openAdministration } = await import('../../../service/administration.ts');
  await using administration = await openAdministration(database, io);
  const known = (await administration.listAccounts())[0];
  const account = known ?? (await administration.createAccount({ name: accountName, plan: 'pro' }));
  const summary = { id: account.id, name: account.name, plan: account.plan, role: 'owner' };
  const made = await administration.isUnused(account.id);
  if (made) await administration.seedAccount({ accountId: account.id, ...size, today: io.now() });
  if (!made && key !== undefined && (await isAccepted(administration, key)))
    return { key, account: summary, made: false };
  const fresh = await administration.createApiKey({
    accountId: account.id,
    role: 'owner',
    name: 'salon demo',
  });
  return { key: fresh.key, account: summary, made };
}

async function isAccepted(administration: Administration, key: string): Promise<boolean> {
  try {
    await administration.authenticate(key);
    return true;
  } catch (error) {
    if (error instanceof SalonError && error.code === 'invalid_token') return false;
    throw error;
  }
}
