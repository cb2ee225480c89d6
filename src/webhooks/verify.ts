import { SalonError } from '../contract/errors.ts';
import { type SalonEvent, toEventType } from '../contract/events.ts';
import { parseJson } from '../text/json.ts';
import {
  claimReaders,
  createVerificationError,
  detectScheme,
  type SchemeName,
  type SignatureClaim,
} from './schemes.ts';
import {
  createSignature,
  isSameSignature,
  toHeaderMap,
  toSecrets,
  type WebhookHeaders,
} from './signature.ts';

/** How far the signed time may differ from now. Source: Standard Webhooks 1.0 libraries. */
const usualToleranceMs = 300_000;

export interface VerifyOptions {
  /** Time of receipt; default: now. */
  readonly now?: Date | undefined;
  /** Allowed difference between `now` and the signed time, in milliseconds; default: 5 min. */
  readonly toleranceMs?: number | undefined;
  /** The only scheme to accept; default: detected from the headers. */
  readonly scheme?: SchemeName | undefined;
  /** The URL exactly as registered; needed only for Square. */
  readonly url?: string | undefined;
}

/** A body as received: text, or bytes in a Buffer, a typed array, a DataView or, from `arrayBuffer()`, an ArrayBuffer. */
type RawBody = string | ArrayBufferLike | ArrayBufferView;

/** A verified webhook. */
export interface VerifiedWebhook {
  readonly scheme: SchemeName;
  /** The same for every attempt; undefined if neither headers nor body contain one. */
  readonly id: string | undefined;
  /** Undefined if the scheme does not sign the time; replays cannot be detected then. */
  readonly signedAt: Date | undefined;
  readonly event: SalonEvent;
}

/**
 * Verifies a webhook and returns its event. The body must be the bytes as received: parsing and printing it again
 * changes it. With several secrets, any of them may match (during a rotation).
 *
 * `type` is one of the catalogue; unknown types of newer or other services pass. Throws `webhook_refused`
 * with `members.reason` if verification fails, and `usage` for an invalid secret.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: RawBody,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): SalonEvent {
  return verifyDelivery({ headers, body, secret }, options).event;
}

/** A received delivery and the secrets to verify it with. */
export interface IncomingDelivery {
  readonly headers: WebhookHeaders;
  readonly body: RawBody;
  readonly secret: string | readonly string[];
}

/** Verifies a webhook and returns its event, ID, time and scheme. Throws like `verifyWebhook`. */
export function verifyDelivery(
  { headers, body: raw, secret }: IncomingDelivery,
  { now = new Date(), toleranceMs = usualToleranceMs, scheme: named, url }: VerifyOptions = {},
): VerifiedWebhook {
  const body = toBytes(raw);
  const secrets = toSecrets(secret);
  const map = toHeaderMap(headers);
  const scheme = named ?? detectScheme(map);
  const claim = claimReaders[scheme]({ headers: map, body, url });
  assertSigned(claim, secrets);
  // Checked last: the time means something only once the signature is valid.
  assertTimely(claim, { now, toleranceMs });
  const event = parseEvent(body, claim.id);
  return {
    scheme,
    id: claim.id ?? event.id,
    signedAt: claim.timestamp === undefined ? undefined : new Date(claim.timestamp * 1000),
    event,
  };
}

function toBytes(body: RawBody): string | Uint8Array {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isArrayBuffer(body)) return new Uint8Array(body);
  // The most common mistake: the framework has parsed the body already.
  throw new SalonError('usage', 'The webhook body must be the raw text or bytes, not a parsed object.', {
    hint: 'Read it before the framework parses it, e.g. with express.raw().',
  });
}

function assertSigned({ content, signatures, toKey }: SignatureClaim, secrets: readonly string[]): void {
  // One HMAC per secret, however many signatures were sent.
  const genuine = secrets.map((secret) => createSignature(content, toKey?.(secret) ?? secret));
  const isSigned = signatures.some(({ encoding, text }) =>
    genuine.some((signature) => isSameSignature(text, signature.toString(encoding))),
  );
  if (isSigned) return;
  throw createVerificationError(
    'no_signature_matches',
    'The signature does not match: wrong secret, or the body was changed.',
    'Check the secret, and pass the body exactly as received.',
  );
}

function assertTimely(
  { timestamp }: SignatureClaim,
  { now, toleranceMs }: { readonly now: Date; readonly toleranceMs: number },
): void {
  if (timestamp === undefined) return;
  const ageSeconds = Math.floor(now.getTime() / 1000) - timestamp;
  if (Math.abs(ageSeconds) * 1000 <= toleranceMs) return;
  const isOld = ageSeconds > 0;
  throw createVerificationError(
    isOld ? 'too_old' : 'too_new',
    `The signature is too ${isOld ? 'old' : 'new'}: ${Math.abs(ageSeconds)} s ${isOld ? 'before' : 'after'} ${now.toISOString().replace(/\.\d+Z$/, 'Z')}; ${toleranceMs / 1000} s are allowed.`,
    isOld ? 'It may be a replay; the service signs every retry again.' : 'Check the clocks of both machines.',
  );
}

function parseEvent(body: string | Uint8Array, id: string | undefined): SalonEvent {
  const value = parseBody(body);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const fields = (isObject ? value : {}) as Readonly<Record<string, unknown>>;
  const name = readEventName(fields);
  if (name === undefined) {
    throw createVerificationError('no_event', 'The signature is valid, but the body contains no event.');
  }
  return { id, ...fields, type: toEventType(name) } as SalonEvent;
}

function parseBody(body: string | Uint8Array): unknown {
  try {
    return parseJson(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body),
    );
  } catch {
    throw createVerificationError('not_json', 'The signature is valid, but the body is not JSON.');
  }
}

/** Also one of another realm, such as a worker's or a test runner's. */
function isArrayBuffer(value: unknown): value is ArrayBufferLike {
  return /^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

/** The event type in a webhook body, under any of the names that servers use; undefined if there is none. */
export function readEventName(body: Readonly<Record<string, unknown>>): string | undefined {
  const names = [body['type'], body['event'], body['event_type']];
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}
