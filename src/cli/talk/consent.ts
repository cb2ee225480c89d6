import { SalonError } from '../../contract/errors.ts';
import type { Prompts } from './prompts.ts';

export interface ConsentFlags {
  readonly yes?: boolean;
}

/** Asks before something that cannot be taken back. Without --yes and without anybody to ask: `consent_required`. */
export async function assertConsent(question: string, flags: ConsentFlags, prompts: Prompts): Promise<void> {
  if (flags.yes) return;
  if (!prompts.possible) {
    throw new SalonError('consent_required', `${question} Nobody is here to say yes.`, {
      hint: 'Run it again with --yes.',
    });
  }
  if (await prompts.confirm(question)) return;
  throw new SalonError('consent_required', 'Nothing was changed.', { hint: 'You said no.' });
}
