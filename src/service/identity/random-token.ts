import { hash } from 'node:crypto';
import type { Environment } from '../domain/context.ts';

const tokenBytes = 32;

/** A random text that only its holder knows, and the hash that is stored. */
export interface RandomToken {
  /** 43 characters of base64url, after its prefix. */
  readonly text: string;
  readonly hash: string;
}

/** A new token, behind a prefix that tells what it is for. */
export function createToken(environment: Pick<Environment, 'random'>, prefix = ''): RandomToken {
  const text = prefix + Buffer.from(environment.random(tokenBytes)).toString('base64url');
  return { text, hash: toTokenHash(text) };
}

/** The SHA-256 of a token or API key in hexadecimal. Both are long and random, so a slow hash is not needed. */
export function toTokenHash(text: string): string {
  return hash('sha256', text, 'hex');
}
