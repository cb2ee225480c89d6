import { SalonError } from '../contract/errors.ts';

const prefix = 'whsec_';

/** Length of a Standard Webhooks key, in bytes. Source: specification 1.0, Signature scheme. */
const keyBytes = { least: 24, most: 64 } as const;

const createdBytes = 32;

/** Creates a secret from random bytes: `whsec_` and base64. */
export function createWebhookSecret(random: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(random(createdBytes)).toString('base64');
}

/**
 * Decodes a Standard Webhooks secret: base64, with or without the prefix `whsec_`. Throws `usage` for anything
 * else, without repeating the secret.
 */
export function parseWebhookSecret(secret: string): Uint8Array {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const key = Buffer.from(text, 'base64');
  const isBase64 = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  if (isBase64 && key.length >= keyBytes.least && key.length <= keyBytes.most) return key;
  throw new SalonError('usage', 'Invalid webhook secret.', {
    hint: `A secret is whsec_ followed by ${keyBytes.least} to ${keyBytes.most} base64-encoded bytes, as shown when the webhook was created.`,
  });
}

/** Normalises one or several secrets. Throws `usage` if there is none. */
export function toSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  // An unset variable arrives as undefined in untyped programs.
  if (secrets.length > 0 && secrets.every(Boolean)) return secrets;
  throw new SalonError('usage', 'The webhook secret is missing or empty.');
}
