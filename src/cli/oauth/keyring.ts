import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';

/** What the keyring is called on this system. */
export function nameKeyring(platform: Io['platform']): string {
  if (platform === 'darwin') return 'Keychain';
  return platform === 'win32' ? 'Credential Manager' : 'system keyring (Secret Service)';
}

/**
 * Opens a secret in the Keychain, the Credential Manager or the Secret Service. Throws `output_failed` where the keyring
 * cannot be used.
 */
export async function useKeyring<Result>(
  name: string,
  platform: Io['platform'],
  act: (entry: InstanceType<typeof import('@napi-rs/keyring')['AsyncEntry']>) => Promise<Result>,
): Promise<Result> {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    // The kernel's own keyring would forget everything at the next start.
    return await act(new AsyncEntry('salon', name, { linux: { store: 'secret-service' } }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
    throw new SalonError('output_failed', `The ${nameKeyring(platform)} cannot be used: ${reason}.`, {
      hint: 'Unlock it, or sign in again with --no-keyring to store the sign-in in the profile file.',
      cause,
    });
  }
}
