import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';

/** Secrets in the system keyring. Every method throws `output_failed` where the keyring cannot be used. */
export interface Keyring {
  /** Undefined where it has no such secret. */
  read(name: string): Promise<string | undefined>;
  write(name: string, secret: string): Promise<void>;
  remove(name: string): Promise<void>;
}

const service = 'salon';

/** What the keyring is called on this system. */
export function nameKeyring(platform: Io['platform']): string {
  if (platform === 'darwin') return 'Keychain';
  return platform === 'win32' ? 'Credential Manager' : 'system keyring (Secret Service)';
}

/** Opens the Keychain, the Credential Manager or the Secret Service. */
export function openKeyring(platform: Io['platform']): Keyring {
  return {
    read: async (name) => (await attempt(name, (entry) => entry.getPassword())) ?? undefined,
    write: (name, secret) => attempt(name, (entry) => entry.setPassword(secret)),
    remove: async (name) => {
      await attempt(name, (entry) => entry.deletePassword());
    },
  };

  async function attempt<Result>(name: string, act: (entry: Entry) => Promise<Result>): Promise<Result> {
    try {
      const { AsyncEntry } = await import('@napi-rs/keyring');
      // The kernel's own keyring would forget everything at the next start.
      return await act(new AsyncEntry(service, name, { linux: { store: 'secret-service' } }));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
      throw new SalonError('output_failed', `The ${nameKeyring(platform)} cannot be used: ${reason}.`, {
        hint: 'Unlock it, or sign in again with --no-keyring to store the sign-in in the profile file.',
        cause,
      });
    }
  }
}

type Entry = InstanceType<typeof import('@napi-rs/keyring')['AsyncEntry']>;
