import { SalonError } from '../../contract/errors.ts';
import { type IdentifierKind, isIdentifier, kindOfId } from '../../contract/identifiers.ts';
import { quote } from '../http/quote.ts';

/** Trims a reference. Throws `usage` for one that cannot be sent or is the ID of something else. */
export function parseReference(reference: string, noun: 'client' | 'stylist'): string {
  const text = reference.trim();
  if (text !== '' && !isIdentifier(text)) {
    throw new SalonError('usage', `"${quote(text, 80)}" does not name a ${noun}.`, {
      hint: `Enter a name, email address, phone number or ID, without "/", "?", "#" and "%".`,
    });
  }
  const kind = kindOfId(text);
  if (kind === undefined || kind === noun) return text;
  throw new SalonError('usage', `${text} is the ID of ${nameKind(kind)}, not of a ${noun}.`, {
    hint: `Enter the name, email address, phone number or ID of a ${noun}.`,
  });
}

function nameKind(kind: IdentifierKind): string {
  const noun = kind.replace('_', ' ').replace('api', 'API');
  return /^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}
