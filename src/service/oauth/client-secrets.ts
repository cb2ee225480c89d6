import { timingSafeEqual } from 'node:crypto';
import { toTokenHash } from '../identity/random-token.ts';

/** Whether a secret has a hash. Takes as long for a wrong one. */
export function isSameHash(hash: string | undefined, secret: string): boolean {
  if (hash === undefined) return false;
  return timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(toTokenHash(secret), 'hex'));
}
