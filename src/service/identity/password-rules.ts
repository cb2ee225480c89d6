import { isTooLong, maxPasswordBytes } from './passwords.ts';

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
