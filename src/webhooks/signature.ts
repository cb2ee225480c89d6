import { createHmac, timingSafeEqual } from 'node:crypto';
import { SalonError } from '../contract/errors.ts';

/** Signed content, in order; text as UTF-8. */
export type SignedContent = readonly (string | Uint8Array)[];

/** A message to sign. */
interface SignedMessage {
  /** The same for every attempt, so that a receiver can drop duplicates. */
  readonly id: string;
  /** Time of this attempt, to the second. */
  readonly timestamp: Date;
  /** Exactly as sent: the signature covers these bytes. */
  readonly body: string | Uint8Array;
}

/** The headers of Standard Webhooks 1.0, with one signature per secret (several during a rotation). */
export function signWebhook(
  { id, timestamp, body }: SignedMessage,
  secret: string | readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = Math.floor(timestamp.getTime() / 1000);
  const content = [`${id}.${seconds}.`, body];
  const signatures = toSecrets(secret).map(
    (each) => `v1,${createSignature(content, parseWebhookSecret(each)).toString('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}

/** HMAC-SHA256 of the content. */
export function createSignature(content: SignedContent, key: string | Uint8Array): Buffer {
  const hmac = createHmac('sha256', key);
  for (const piece of content) hmac.update(piece);
  return hmac.digest();
}

/** Compares two signatures in constant time. */
export function isSameSignature(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Headers of Node, fetch, a Map or a plain object; names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers by lower-case name. */
export type HeaderMap = ReadonlyMap<string, string>;

/** Repeated headers are joined with commas, as in HTTP. */
export function toHeaderMap(headers: WebhookHeaders): HeaderMap {
  const map = new Map<string, string>();
  for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const texts = [map.get(key) ?? [], value].flat();
    map.set(key, texts.join(', '));
  }
  return map;
}

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
