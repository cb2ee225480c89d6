import { SalonError } from '../../contract/errors.ts';
import { type IdentifierKind, identifierPrefixes, isIdentifier } from '../../contract/identifiers.ts';

/** What a reference can mean. */
export type ReferenceKind = 'client' | 'stylist' | 'appointment';

/** The kind of an ID in the contract's form, such as `client` for `cli_01jd…`; undefined for other text. */
export function kindOfId(text: string): IdentifierKind | undefined {
  if (!/^[a-z]{3}_[0-9a-z]+$/.test(text)) return undefined;
  const kinds = Object.keys(identifierPrefixes) as IdentifierKind[];
  return kinds.find((kind) => text.startsWith(identifierPrefixes[kind]));
}

/** Trims a reference. Throws `usage` for one that is empty, cut off, not usable in a path, or an ID of another kind. */
export function parseReference(text: string, kind: ReferenceKind): string {
  const reference = text.trim().replace(/\s+/g, ' ');
  const words = kind === 'appointment' ? appointmentWords : personWords;
  if (reference === '') throw new SalonError('usage', `No ${kind} given.`, { hint: words });
  if (/(?:…|\.\.\.)$/.test(reference)) {
    throw new SalonError('usage', `"${reference}" is cut off.`, { hint: `Type it in full. ${words}` });
  }
  if (!isIdentifier(reference)) {
    throw new SalonError('usage', `No ${kind} can be called "${reference}".`, { hint: words });
  }
  const actual = kindOfId(reference);
  if (actual !== undefined && actual !== kind && !(kind === 'appointment' && actual === 'client')) {
    const name = actual.replace('_', ' ');
    throw new SalonError(
      'usage',
      `${reference} is the ID of ${articleOf(name)} ${name}, not of ${articleOf(kind)} ${kind}.`,
      {
        hint: words,
      },
    );
  }
  return reference;
}

const personWords = 'Use a full name, email address, phone number or ID.';
const appointmentWords = "Use an appointment ID, or the client's name, email address or phone number.";

function articleOf(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}
