import { SalonError } from '../contract/errors.ts';
import { readEventName, type SalonEvent, toEventType } from '../contract/events.ts';
import { detectScheme, readClaim, type SchemeName, type SignatureClaim } from './schemes.ts';
import { toSecrets } from './secret.ts';
import { createSignature, isSameSignature, toHeaderMap, type WebhookHeaders } from './signature.ts';
import { createVerificationError } from './verification-error.ts';

/** How far the time that was signed may be from now, either way. Source: Standard Webhooks 1.0, as its libraries do. */
const usualToleranceMs = 300_000;

export interface VerifyOptions {
  /** When the webhook came; this moment unless said. */
  readonly now?: Date | undefined;
  /** How far from `now` it may have been signed, in milliseconds, either way; 5 min. */
  readonly toleranceMs?: number | undefined;
  /** The only scheme to accept; left out, the one that the headers speak of. */
  readonly scheme?: SchemeName | undefined;
  /** Where it was sent to, exactly as registered; only Square's scheme needs it. */
  readonly url?: string | undefined;
}

/** A webhook that can be believed. */
export interface VerifiedWebhook {
  readonly scheme: SchemeName;
  /** The same in every try to deliver it; undefined where neither headers nor body have one. */
  readonly id: string | undefined;
  /** Undefined where the scheme signs no time, so that an old webhook looks like a new one. */
  readonly signedAt: Date | undefined;
  readonly event: SalonEvent;
}

/**
 * Verifies a webhook and answers its event. The body has to be the bytes as they came: parsed and written again,
 * it is another one. With several secrets any of them will do, as while one is being replaced.
 *
 * `type` is one of the catalogue; a newer or another service may send others, which pass. Throws `webhook_refused`,
 * with the reason in `members.reason`, for what cannot be believed, and `usage` for a secret that is none.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): SalonEvent {
  return verifyDelivery({ headers, body, secret }, options).event;
}

/** What came, and what it is judged by. */
export interface IncomingDelivery {
  readonly headers: WebhookHeaders;
  readonly body: string | Uint8Array;
  readonly secret: string | readonly string[];
}

/** Verifies a webhook and answers all that is then known of it. Throws as `verifyWebhook` does. */
export function verifyDelivery(
  { headers, body, secret }: IncomingDelivery,
  { now = new Date(), toleranceMs = usualToleranceMs, scheme: named, url }: VerifyOptions = {},
): VerifiedWebhook {
  assertRaw(body);
  const secrets = toSecrets(secret);
  const map = toHeaderMap(headers);
  const scheme = named ?? detectScheme(map);
  const claim = readClaim(scheme, { headers: map, body, url });
  assertSigned(claim, secrets);
  // Judged last: the time is only worth something once it is known who wrote it.
  assertTimely(claim, { now, toleranceMs });
  const event = parseEvent(body, claim.id);
  return {
    scheme,
    id: claim.id ?? event.id,
    signedAt: claim.timestamp === undefined ? undefined : new Date(claim.timestamp * 1000),
    event,
  };
}

/** The mistake made most often, where a framework parses bodies before anybody asks. */
function assertRaw(body: unknown): void {
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return;
  throw new SalonError('usage', 'The body of a webhook is wanted as it came: a text or bytes, not parsed.', {
    hint: 'Take it before a framework parses it, such as with express.raw().',
  });
}

function assertSigned({ content, signatures, toKey }: SignatureClaim, secrets: readonly string[]): void {
  // Once for each secret: however many signatures somebody sends, the body is gone through no more often.
  const genuine = secrets.map((secret) => createSignature(content, toKey(secret)));
  const isSigned = signatures.some(({ encoding, text }) =>
    genuine.some((signature) => isSameSignature(text, signature.toString(encoding))),
  );
  if (isSigned) return;
  throw createVerificationError(
    'no_signature_matches',
    'The webhook is not signed with this secret, or was changed on its way.',
    'Check the secret, and that the body is the very bytes that came: parsed and written again, it is another one.',
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
    `The webhook is too ${isOld ? 'old' : 'new'}: it was signed ${Math.abs(ageSeconds)} s ${isOld ? 'before' : 'after'} ${toWholeSeconds(now)}; ${toleranceMs / 1000} s are allowed.`,
    isOld
      ? 'It may have been replayed; a genuine repeat is signed anew.'
      : 'Check the clocks of both machines.',
  );
}

function parseEvent(body: string | Uint8Array, id: string | undefined): SalonEvent {
  const value = parseJson(body);
  const name = isObject(value) ? readEventName(value) : undefined;
  if (!isObject(value) || name === undefined) {
    throw createVerificationError('no_event', 'The webhook is signed, but its body names no event.');
  }
  return { id, ...value, type: toEventType(name) } as SalonEvent;
}

function parseJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body),
    );
  } catch {
    throw createVerificationError('not_json', 'The webhook is signed, but its body is not JSON.');
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toWholeSeconds(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z');
}
