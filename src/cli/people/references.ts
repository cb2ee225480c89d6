import { nameKind } from '../../client/references/person-finder.ts';
import { SalonError } from '../../contract/errors.ts';
import { identifierPrefixes, isIdentifier, kindOfId } from '../../contract/identifiers.ts';
import { withoutPhoneSlashes } from '../../text/phone-forms.ts';
import { quote } from '../../text/quote.ts';

/** What a reference can mean. */
export type ReferenceKind = 'client' | 'stylist' | 'appointment' | 'payment' | 'waitlist_entry' | 'service';

/** Whether a reference is an ID by its prefix: no name starts with `cli_`. */
export function isOwnId(reference: string, kind: ReferenceKind): boolean {
  return reference.startsWith(identifierPrefixes[kind]) && /^\w+$/.test(reference);
}

/** Trims a reference. Throws `usage` for one that is empty, cut off, not usable in a path, or an ID of another kind. */
export function parseReference(text: string, kind: ReferenceKind): string {
  const reference = withoutPhoneSlashes(text.trim()).replace(/\s+/g, ' ');
  const noun = kind.replace('_', ' ');
  const hint = isOfClient(kind)
    ? `Use its ID, or the client's name, email address or phone number.`
    : personWords;
  if (reference === '') throw new SalonError('usage', `No ${noun} given.`, { hint });
  const shown = `"${quote(reference, 80)}"`;
  if (/(?:…|\.\.\.)$/.test(reference)) {
    throw new SalonError('usage', `${shown} is cut off.`, { hint: `Type it in full. ${hint}` });
  }
  const words = reference.split(' ');
  if (words.length > 1 && words.every((word) => kindOfId(word) !== undefined)) {
    throw new SalonError('usage', `Only one ${noun} at a time, not ${words.length}.`, {
      hint,
    });
  }
  if (!isIdentifier(reference)) {
    throw new SalonError('usage', `No ${noun} can be called ${shown}.`, { hint });
  }
  const actual = kindOfId(reference);
  if (actual !== undefined && actual !== kind && !(isOfClient(kind) && actual === 'client')) {
    const message = `${reference} is the ID of ${nameKind(actual)}, not of ${nameKind(kind)}.`;
    throw new SalonError('usage', message, { hint });
  }
  return reference;
}

const personWords = 'Use a full name, email address, phone number or ID.';

/** Whether a reference to a client may stand for one of their records. */
function isOfClient(kind: ReferenceKind): boolean {
  return ['appointment', 'payment', 'waitlist_entry'].includes(kind);
}
