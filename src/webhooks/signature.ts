import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseWebhookSecret, toSecrets } from './secret.ts';

/** What is signed, piece after piece; text as UTF-8. */
export type SignedContent = readonly (string | Uint8Array)[];

export type SignatureEncoding = 'base64' | 'hex';

/** What the headers and the body of a webhook are made from. */
export interface SignedMessage {
  /** The same in every try to deliver it, so that a receiver can drop repeats. */
  readonly id: string;
  /** When this try is made, to the second. */
  readonly timestamp: Date;
  /** As it is sent: the signature is about these very bytes. */
  readonly body: string | Uint8Array;
}

/** The three headers of Standard Webhooks 1.0, with a signature for each secret: several while one is being replaced. */
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

/** HMAC-SHA256 of the pieces. */
export function createSignature(content: SignedContent, key: string | Uint8Array): Buffer {
  const hmac = createHmac('sha256', key);
  for (const piece of content) hmac.update(piece);
  return hmac.digest();
}

/** Whether two signatures are the same text, in a time that tells nothing about where they differ. */
export function isSameSignature(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Headers as they come: Node's object, those of fetch or a Map, or a plain object; names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers by their names in lower case. */
export type HeaderMap = ReadonlyMap<string, string>;

/** What came several times under one name stands behind each other with commas, as HTTP has it. */
export function toHeaderMap(headers: WebhookHeaders): HeaderMap {
  const map = new Map<string, string>();
  for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const texts = [map.get(key) ?? [], value].flat();
    map.set(key, texts.join(', '));
  }
  return map;
}

function isIterable(headers: WebhookHeaders): headers is Iterable<readonly [name: string, value: string]> {
  return Symbol.iterator in headers;
}
