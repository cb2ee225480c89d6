import type { BeforeWrite } from '../../client/http/api-requester.ts';
import { SalonError } from '../../contract/errors.ts';
import type { ConfirmationFlags } from '../flags/options.ts';
import { cancelledMessage } from '../messages/errors.ts';
import type { Prompts } from '../messages/prompts.ts';
import { findSavedAccount, type Session } from './session.ts';

interface ConfirmationSources {
  readonly flags: ConfirmationFlags;
  readonly prompts: Prompts;
  readonly session: () => Promise<Session>;
}

/** Confirmation of changes to the session's salon. Refusals are `confirmation_required` or `read_only`. */
export function createConfirmation({ flags, prompts, session }: ConfirmationSources) {
  let confirmed: Promise<void> | undefined;
  return {
    /** Asks before something that cannot be undone. One answer covers the rest of the command. */
    confirm(question: string) {
      confirmed = session().then((current) => {
        assertWritable(current);
        return needsAccountName(current, flags)
          ? assertAccountConfirmed(question, current, { flags, prompts })
          : assertConfirmed(question, flags, prompts);
      });
      return confirmed;
    },
    /** Lets a write pass that is confirmed or needs no confirmation; asks where the profile is protected. */
    async beforeWrite({ method, path }: Parameters<BeforeWrite>[0]) {
      const current = await session();
      assertWritable(current);
      if (!needsAccountName(current, flags)) return;
      confirmed ??= assertAccountConfirmed(`Send ${method} ${path}?`, current, { flags, prompts });
      await confirmed;
    },
  };
}

/** Asks for a yes unless --yes is given. Throws `confirmation_required` without a yes or a terminal. */
export async function assertConfirmed(question: string, flags: ConfirmationFlags, prompts: Prompts) {
  if (flags.yes) return;
  if (!prompts.isInteractive) {
    throw new SalonError('confirmation_required', `${question} Confirmation is required.`, {
      hint: 'Add --yes to confirm.',
    });
  }
  if (await prompts.confirm(question)) return;
  throw new SalonError('confirmation_required', cancelledMessage);
}

/** --confirm is checked on profiles that do not require it, too. */
function needsAccountName({ settings }: Session, { confirm }: ConfirmationFlags): boolean {
  return settings.protected.value || confirm !== undefined;
}

/** Asks for the account's name unless --confirm gives it. Throws `confirmation_required` for any other name. */
async function assertAccountConfirmed(
  question: string,
  session: Session,
  { flags, prompts }: Pick<ConfirmationSources, 'flags' | 'prompts'>,
): Promise<void> {
  const names = toAccountNames(session);
  if (names === undefined) {
    const message = 'The account of this API key is unknown, so --confirm cannot be checked.';
    const hint = 'Omit --confirm, or sign in with "salon auth login".';
    throw new SalonError('confirmation_required', message, { hint });
  }
  const { shown, accepted } = names;
  if (flags.confirm === undefined && !prompts.isInteractive) {
    const message = `${question} ${shown} is protected: confirm with its name.`;
    throw new SalonError('confirmation_required', message, { hint: `Add --confirm="${shown}".` });
  }
  const normalize = (typed: string) => typed.trim().normalize();
  const name = normalize(
    flags.confirm ??
      (await prompts.text(`${question} ${shown} is protected. Type its name`, {
        validate: (typed) =>
          accepted.includes(normalize(typed)) ? undefined : `The account is ${shown}, not ${typed}.`,
      })),
  );
  if (accepted.includes(name)) return;
  const message = `The account is ${shown}, not ${name}. Nothing was changed.`;
  const hint = 'Choose another account with --profile, or confirm this one.';
  throw new SalonError('confirmation_required', message, { hint });
}

/** What a dry run on other servers leaves open. */
export const uncheckedRules =
  'Not checked: rules that only the server knows, such as free times and active stylists.';

/** Throws `read_only` on a read-only profile. */
export function assertWritable({ profileName, settings }: Session): void {
  if (!settings.readOnly.value) return;
  throw new SalonError('read_only', `Profile ${profileName} is read-only. Nothing was changed.`, {
    hint: `Choose another with --profile, or run: salon profiles set ${profileName} read-only false`,
  });
}

/** The name and ID of the key's account; the profile's name where the account is unknown; else undefined. */
function toAccountNames(session: Session) {
  const account = findSavedAccount(session);
  const name = account?.name.trim().normalize();
  if (account && name) return { shown: name, accepted: [name, account.id] };
  const { profileName: shown } = session;
  return shown === undefined ? undefined : { shown, accepted: [shown] };
}
