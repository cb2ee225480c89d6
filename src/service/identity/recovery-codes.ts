import type { Environment } from '../domain/context.ts';
import { toTokenHash } from './random-token.ts';

/** Without letters that are read as digits; o, i and l are accepted for them. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const count = 10;
const groups = 4;
const groupLength = 4;

/** New recovery codes, such as `7k3m-w2xd-09ab-q4tz`: 80 random bits each. */
export function createRecoveryCodes(environment: Pick<Environment, 'random'>): string[] {
  return Array.from({ length: count }, () => {
    const bytes = environment.random(groups * groupLength);
    const letters = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
    return letters.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? '';
  });
}

/** The hash of a code as a person typed it, for comparison with stored ones. */
export function toRecoveryCodeHash(typed: string): string {
  const plain = typed.toLowerCase().replace(/[\s-]+/g, '');
  return toTokenHash(plain.replaceAll('o', '0').replace(/[il]/g, '1'));
}
