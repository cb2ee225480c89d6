import type { PhoneNote } from '../../bulk/input/spreadsheet-numbers.ts';
import type { CheckedSheet } from '../../bulk/plan/open-sheet.ts';
import { countOf } from '../../text/numbers.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import type { CommandContext } from '../session/command-context.ts';
import { renderLines } from './edit-result.ts';

/** What follows the count and the lines of phones of a kind. */
const phoneWarnings: Readonly<
  Record<Exclude<PhoneNote, 'national'>, readonly [numbers: string, advice: string]>
> = {
  bare: [
    'without +',
    'saved as written. If spreadsheet programs removed it, add it first; for another country, add --country.',
  ],
  written: ['that no country has', 'saved as written. For another country, add --country.'],
  invalid: ['that their country does not seem to have', 'saved. Check them.'],
  extension: ['with an extension', 'saved without it. Put it into notes if it is needed.'],
};

/** Says how the phone numbers of a sheet are read, and which ones to look at. */
export function describePhones(
  { phoneNotes, phones }: CheckedSheet,
  { flags, messages }: Pick<CommandContext<EditFlags>, 'flags' | 'messages'>,
): void {
  for (const [note, { count, lines }] of phoneNotes) {
    const numbers = `phone: ${countOf(count, 'numbers')}`;
    if (note === 'national') {
      const name = new Intl.DisplayNames('en', { type: 'region' }).of(phones?.country ?? 'ZZ');
      const why =
        flags.country === undefined ? "the salon's country; --country changes it" : 'as --country says';
      const read = `read as of ${name} (+${phones?.callingCode}), ${why}.`;
      const unread = 'saved as written. To add the code: --country, e.g. DE.';
      messages.info(`${numbers} without a country code, ${phones?.country === undefined ? unread : read}`);
    } else {
      warnOfPhones(note, { count, lines }, messages);
    }
  }
}

/** Names the first lines with phone numbers to look at. */
export function warnOfPhones(
  note: keyof typeof phoneWarnings,
  { count, lines }: { readonly count: number; readonly lines: readonly number[] },
  messages: Pick<CommandContext['messages'], 'warn'>,
): void {
  const [what, advice] = phoneWarnings[note];
  messages.warn(`phone: ${countOf(count, 'numbers')} ${what} (${renderLines(lines, count)}), ${advice}`);
}
