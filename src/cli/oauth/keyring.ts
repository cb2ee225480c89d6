import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';

const service = 'salon';

/** What the keyring is called on this system. */
export function nameKeyring(platform: Io['platform']): string {
  if (platform === 'darwin') return 'Keychain';
  return platform === 'win32' ? 'Credential Manager' : 'system keyring (Secret Service)';
}

/** Opens the Keychain, the Credential Manager or the Secret Service. */
export function openKeyring(platform: Io['platform']) {
  return {
    /** Undefined where it has no such secret. */
    read: async (name: string) => (await attempt(name, (entry) => entry.getPassword())) ?? undefined,
    write: (name: string, secret: string) => attempt(name, (entry) => entry.setPassword(secret)),
    remove: async (name: string) => {
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

/** Secrets in the system keyring. Every method throws `output_failed` where the keyring cannot be used. */
export type Keyring = ReturnType<typeof openKeyring>;

type Entry = InstanceType<typeof import('@napi-rs/keyring')['AsyncEntry']>;
