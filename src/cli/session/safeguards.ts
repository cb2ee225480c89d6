import { SalonError } from '../../contract/errors.ts';
import type { Session } from './session.ts';

/** Throws `confirmation_required` where the profile only reads. */
export function assertWritable({ profileName, settings }: Session): void {
  if (!settings.readOnly.value) return;
  throw new SalonError('confirmation_required', `Profile ${profileName} is read-only: nothing was changed.`, {
    hint: `Choose another with --profile, or allow it: salon profiles set ${profileName} read-only false`,
  });
}

/** What an account is called where somebody has to say that they mean it. */
export interface AccountNames {
  /** As people know it. */
  readonly shown: string;
  /** Its identifier does as well. */
  readonly accepted: readonly string[];
}

/** The names of the account that the session's key belongs to; the profile's where it is not known; else none. */
export function toAccountNames({ profileName, profile, settings }: Session): AccountNames | undefined {
  // A key from the environment may be one of another account than the profile knows.
  const account = settings.credential?.source === 'profile' ? profile?.account : undefined;
  const name = account?.name.trim().normalize();
  if (account && name) return { shown: name, accepted: [name, account.id] };
  return profileName === undefined ? undefined : { shown: profileName, accepted: [profileName] };
}
