import { domainToASCII } from 'node:url';
import { invalidField } from '../domain/validation.ts';

/** An email address as displayed, and the normalized form that identifies it. */
export interface EmailAddress {
  readonly email: string;
  readonly key: string;
}

const maxLength = 254;
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$|^localhost$/;

/**
 * Parses the address of a person. Letters that look alike could imitate an address, so the part before the @ is ASCII,
 * and the domain is shown as the mail system sees it (`xn--…`). Case makes no difference. Throws `validation_failed`.
 */
export function parseEmailAddress(text: string): EmailAddress {
  const parsed = findEmailAddress(text);
  if (parsed !== undefined) return parsed;
  const at = text.lastIndexOf('@');
  // Only the part before the @ can be refused for its letters alone.
  const detail =
    at > 0 && /[^\p{ASCII}]/u.test(text.slice(0, at))
      ? 'Use only unaccented Latin letters, digits and symbols before the @: other letters could imitate an address.'
      : 'Enter an email address, such as ana@salon.example.';
  throw invalidField('/email', detail);
}

/** The address in a text; undefined for a text that is none. */
export function findEmailAddress(text: string): EmailAddress | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at <= 0 || trimmed.length > maxLength) return undefined;
  const local = trimmed.slice(0, at);
  const domain = domainToASCII(trimmed.slice(at + 1));
  const email = `${local}@${domain}`;
  if (!localPart.test(local) || !domainName.test(domain) || email.length > maxLength) return undefined;
  return { email, key: email.toLowerCase() };
}
