import { domainToASCII } from 'node:url';
import { invalidField } from '../domain/validation.ts';
import { isTooLong, maxPasswordBytes } from './passwords.ts';

const maxEmailLength = 254;
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$|^localhost$/;

/**
 * Parses the address of a person. Letters that look alike could imitate an address, so the part before the @ is ASCII,
 * and the domain is shown as the mail system sees it (`xn--…`). Case makes no difference. Throws `validation_failed`.
 */
export function parseEmailAddress(text: string) {
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

/** The address in a text as displayed, and its `key`, which identifies it; undefined for a text that is none. */
export function findEmailAddress(text: string) {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at <= 0 || trimmed.length > maxEmailLength) return undefined;
  const local = trimmed.slice(0, at);
  const domain = domainToASCII(trimmed.slice(at + 1));
  const email = `${local}@${domain}`;
  if (!localPart.test(local) || !domainName.test(domain) || email.length > maxEmailLength) return undefined;
  return { email, key: email.toLowerCase() };
}

const maxNameLength = 100;

/** Parses the name of a person; several spaces are one. Throws `validation_failed`. */
export function parsePersonName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ');
  // Bidirectional and other invisible characters could imitate somebody.
  if (name !== '' && name.length <= maxNameLength && !/\p{C}/u.test(name)) return name;
  throw invalidField('/name', `Enter a name of at most ${maxNameLength} characters.`);
}

/** Why a text cannot be a new password, as a sentence; undefined for a good one. */
export function findPasswordProblem(password: string, { email, name }: { email: string; name: string }) {
  const text = password.normalize('NFC');
  if ([...text].length < minLength)
    return `Use at least ${minLength} characters. A few random words work well.`;
  if (isTooLong(password)) return `Use at most ${maxPasswordBytes} bytes.`;
  const folded = text.toLowerCase();
  if (new Set(folded).size < minDistinct) return `Use at least ${minDistinct} different characters.`;
  const letters = folded.replace(/[^\p{L}]+/gu, '');
  if (
    commonWords.some((word) => letters.replaceAll(word, '').length < minOwnLetters && letters.includes(word))
  ) {
    return 'Use something harder to guess: this is a common password.';
  }
  if (isRow(folded)) return 'Use something harder to guess than keys in a row.';
  const own = [email, email.split('@')[0] ?? '', name].map((part) => part.toLowerCase().trim());
  if (own.some((part) => part.length > 3 && folded.replaceAll(part, '').length < minOwnLetters)) {
    return 'Use something other than your name or email address.';
  }
  return undefined;
}

const minLength = 12;
const minDistinct = 5;
/** What must be left of a password without its common parts. */
const minOwnLetters = 6;
const commonWords = [
  'password',
  'passwort',
  'contrasena',
  'motdepasse',
  'qwerty',
  'azerty',
  'letmein',
  'welcome',
  'iloveyou',
  'admin',
  'salon',
];
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  '1234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
];

/** Whether a text only runs along rows of keys, in either direction, once or several times. */
function isRow(text: string): boolean {
  let turns = 0;
  for (let at = 1; at < text.length; at += 1) {
    const pair = text.slice(at - 1, at + 1);
    const reversed = `${pair[1]}${pair[0]}`;
    if (!rows.some((row) => row.includes(pair) || row.includes(reversed))) turns += 1;
  }
  return turns <= text.length / 5;
}
