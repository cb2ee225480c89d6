import type { BeforeWrite } from '../../client/http/api-requester.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Prompts } from '../messages/prompts.ts';
import { assertWritable, toAccountNames } from './safeguards.ts';
import type { Session } from './session.ts';

export interface ConsentFlags {
  readonly yes?: boolean;
  /** The account that the command is meant for. */
  readonly confirm?: string;
}

/** Consent to changes of a session's salon. Every refusal is `confirmation_required`. */
export interface Consent {
  /** Asks before something that cannot be taken back. What follows in the same command is not asked about again. */
  ask(question: string): Promise<void>;
  /** Lets a write pass that was consented to, or needs no consent; asks where the profile is protected. */
  readonly beforeWrite: BeforeWrite;
}

export interface ConsentSources {
  readonly flags: ConsentFlags;
  readonly prompts: Prompts;
  readonly session: () => Promise<Session>;
}

export function createConsent({ flags, prompts, session }: ConsentSources): Consent {
  let given: Promise<void> | undefined;
  return {
    ask(question) {
      given = session().then((current) => {
        assertWritable(current);
        return wantsName(current, flags)
          ? assertNamed(question, current, { flags, prompts })
          : assertConsent(question, flags, prompts);
      });
      return given;
    },
    async beforeWrite({ method, path }) {
      const current = await session();
      assertWritable(current);
      if (!wantsName(current, flags)) return;
      given ??= assertNamed(`Send ${method} ${path}?`, current, { flags, prompts });
      await given;
    },
  };
}

/** Asks for a yes. Without --yes and without anybody to ask: `confirmation_required`. */
export async function assertConsent(question: string, flags: ConsentFlags, prompts: Prompts): Promise<void> {
  if (flags.yes) return;
  if (!prompts.possible) {
    throw new SalonError('confirmation_required', `${question} Nobody is here to say yes.`, {
      hint: 'Run it again with --yes.',
    });
  }
  if (await prompts.confirm(question)) return;
  throw new SalonError('confirmation_required', 'Nothing was changed.', { hint: 'You said no.' });
}

/** Whoever names an account has it checked, on a profile that does not ask for it too. */
function wantsName({ settings }: Session, { confirm }: ConsentFlags): boolean {
  return settings.protected.value || confirm !== undefined;
}

/** Asks for the account's name. Without --confirm and without anybody to ask: `confirmation_required`. */
async function assertNamed(
  question: string,
  session: Session,
  { flags, prompts }: Pick<ConsentSources, 'flags' | 'prompts'>,
): Promise<void> {
  const names = toAccountNames(session);
  if (names === undefined) {
    throw new SalonError(
      'confirmation_required',
      'Whose key this is is not known, so --confirm says nothing.',
      {
        hint: 'Leave it out, or sign in: salon auth login',
      },
    );
  }
  const { shown, accepted } = names;
  if (flags.confirm === undefined && !prompts.possible) {
    const message = `${question} ${shown} is protected, and nobody is here to type its name.`;
    throw new SalonError('confirmation_required', message, {
      hint: `Run it again with --confirm="${shown}".`,
    });
  }
  const typed = flags.confirm ?? (await prompts.text(`${question} ${shown} is protected; type its name`));
  const name = typed.trim().normalize();
  if (accepted.includes(name)) return;
  throw new SalonError('confirmation_required', `This is ${shown}, not ${name}: nothing was changed.`, {
    hint: 'Choose another account with --profile, or name this one.',
  });
}
