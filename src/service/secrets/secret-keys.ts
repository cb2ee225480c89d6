import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { SalonError } from '../../contract/errors.ts';

/** A key of AES-256. */
export interface SecretKey {
  /** Tells keys apart and reveals nothing of them. */
  readonly id: string;
  readonly key: KeyObject;
}

const keyBytes = 32;

export function createKey(random: (size: number) => Uint8Array): SecretKey {
  return toSecretKey(Buffer.from(random(keyBytes)));
}

/**
 * Parses keys in base64, one a line or separated by commas; lines that start with # are comments. Throws `usage` with
 * the name of their source and without repeating any of them.
 */
export function parseKeys(text: string, source: string): SecretKey[] {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  const words = lines.flatMap((line) => line.split(',')).map((word) => word.trim());
  const keys = words.filter((word) => word !== '').map((word) => parseKey(word, source));
  if (keys.length === 0) throw invalidKey(source);
  return keys;
}

/** The inverse of `parseKeys`. */
export function renderKeys(keys: readonly SecretKey[]): string {
  return keys.map(({ key }) => `${key.export().toString('base64')}\n`).join('');
}

function parseKey(word: string, source: string): SecretKey {
  const bytes = Buffer.from(word, 'base64');
  // Node ignores what is not base64, and a shortened key would be another key.
  if (bytes.length !== keyBytes || !/^[A-Za-z0-9+/_-]{43}=?$/.test(word)) throw invalidKey(source);
  return toSecretKey(bytes);
}

function toSecretKey(bytes: Buffer): SecretKey {
  const id = createHash('sha256').update('salon secrets key\n').update(bytes).digest('hex').slice(0, 8);
  return { id, key: createSecretKey(bytes) };
}

function invalidKey(source: string): SalonError {
  return new SalonError('usage', `${source} does not contain keys of ${keyBytes} bytes in base64.`, {
    hint: `Create a key with: openssl rand -base64 ${keyBytes}`,
  });
}
