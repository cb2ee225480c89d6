import { SalonError } from '../contract/errors.ts';

const prefix = 'whsec_';

/** How long a key of Standard Webhooks may be, in bytes. Source: its specification 1.0, Signature scheme. */
const keyBytes = { least: 24, most: 64 } as const;

const createdBytes = 32;

/** A new secret out of random bytes: `whsec_` and base64. */
export function createWebhookSecret(random: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(random(createdBytes)).toString('base64');
}

/**
 * The key in a secret of Standard Webhooks: base64, with or without `whsec_` before it. Throws `usage` for anything
 * else, without a word of the secret itself.
 */
export function parseWebhookSecret(secret: string): Uint8Array {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const key = Buffer.from(text, 'base64');
  const isBase64 = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  if (isBase64 && key.length >= keyBytes.least && key.length <= keyBytes.most) return key;
  throw new SalonError('usage', 'The webhook secret is not right.', {
    hint: `It is whsec_ and base64 of ${keyBytes.least} to ${keyBytes.most} bytes, as it was shown when the webhook was made.`,
  });
}

/** One secret or several, as they are given. Throws `usage` where there is none. */
export function toSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  // A variable that is not set comes as undefined where nobody checks types.
  if (secrets.length > 0 && secrets.every(Boolean)) return secrets;
  throw new SalonError('usage', 'There is no webhook secret, or it is empty.');
}
