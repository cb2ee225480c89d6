import { SalonError } from '../contract/errors.ts';
import { type HeaderMap, parseWebhookSecret, type SignedContent } from './signature.ts';

/**
 * Signature schemes: Standard Webhooks, Stripe, Square, or an HMAC of the body alone
 * in any header whose name ends in `signature`.
 */
export const schemeNames = ['standard', 'stripe', 'square', 'hmac'] as const;

export type SchemeName = (typeof schemeNames)[number];

/** What the headers claim about a body, before verification. */
export interface SignatureClaim {
  readonly id?: string;
  /** Unix seconds; undefined if the scheme does not sign the time. */
  readonly timestamp?: number;
  readonly content: SignedContent;
  readonly signatures: readonly ReceivedSignature[];
  /** Converts a secret to its key; without it, the secret itself is the key. */
  readonly toKey?: (secret: string) => Uint8Array;
}

interface ReceivedSignature {
  readonly encoding: 'base64' | 'hex';
  readonly text: string;
}

interface ClaimSources {
  readonly headers: HeaderMap;
  readonly body: string | Uint8Array;
  /** The URL the webhook was sent to, which Square signs too. */
  readonly url?: string | undefined;
}

/** Detects the scheme from the headers. Throws `webhook_refused` if there is none. */
export function detectScheme(headers: HeaderMap): SchemeName {
  if ([...headers.keys()].some((name) => standardHeaders.includes(name))) return 'standard';
  if (headers.has(squareHeader)) return 'square';
  const signatures = findSignatureHeaders(headers);
  if (signatures.some((value) => /^t=.*,\s*v1=/.test(value))) return 'stripe';
  if (signatures.length > 0) return 'hmac';
  throw createVerificationError('missing_header', 'No signature header found.', allHeadersHint);
}

const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const squareHeader = 'x-square-hmacsha256-signature';
const allHeadersHint = `Pass all request headers, including ${standardHeaders.join(', ')} or the sender's own.`;

/** Each reads the claim of a scheme, and throws `webhook_refused` for missing or malformed headers. */
export const claimReaders: Readonly<Record<SchemeName, (sources: ClaimSources) => SignatureClaim>> = {
  standard({ headers, body }) {
    const id = requireHeader(headers, 'webhook-id');
    const timestamp = requireHeader(headers, 'webhook-timestamp');
    const signatures = requireHeader(headers, 'webhook-signature')
      .split(/\s+/)
      .flatMap((part) => /^v1,([^,]+)/.exec(part)?.[1] ?? []);
    if (signatures.length === 0) throw malformed('webhook-signature', 'no signature starting with "v1,"');
    return {
      id,
      timestamp: parseTimestamp(timestamp, 'webhook-timestamp'),
      content: [`${id}.${timestamp}.`, body],
      signatures: signatures.map((text) => ({ encoding: 'base64', text })),
      toKey: parseWebhookSecret,
    };
  },

  stripe({ headers, body }) {
    const value = findSignatureHeaders(headers).find((text) => text.startsWith('t='));
    if (value === undefined) throw missing('stripe-signature');
    const fields = value.split(',').map((part) => part.trim().split('='));
    const timestamp = fields.find(([name]) => name === 't')?.[1] ?? '';
    const signatures = fields.flatMap(([name, text = '']) => (name === 'v1' ? text : []));
    if (signatures.length === 0) throw malformed('stripe-signature', 'no "v1="');
    return {
      timestamp: parseTimestamp(timestamp, 'stripe-signature'),
      content: [`${timestamp}.`, body],
      signatures: signatures.map((text) => ({ encoding: 'hex', text })),
    };
  },

  square({ headers, body, url }) {
    const text = requireHeader(headers, squareHeader);
    if (url === undefined) {
      throw createVerificationError(
        'address_unknown',
        'Square signs the URL together with the body, and no URL was given.',
        'Pass the URL exactly as registered: `url`, or --url on the command line.',
      );
    }
    return { content: [url, body], signatures: [{ encoding: 'base64', text }] };
  },

  hmac({ headers, body }) {
    const values = findSignatureHeaders(headers);
    if (values.length === 0) throw missing('x-signature');
    const signatures = values.flatMap(toPlainSignature);
    if (signatures.length === 0) throw malformed('x-signature', 'no HMAC-SHA256 in hex or base64');
    return { content: [body], signatures };
  },
};

/** Values of all headers that may contain a signature. */
function findSignatureHeaders(headers: HeaderMap): readonly string[] {
  return [...headers]
    .filter(([name]) => /signature(?:-(?:hmac-?)?(?:sha-?)?256)?$/.test(name))
    .map(([, value]) => value.trim());
}

/** A SHA-256 in hex or base64, recognised by its length, with an optional `sha256=` prefix. */
function toPlainSignature(value: string): ReceivedSignature | readonly [] {
  const text = value.replace(/^sha256=/i, '');
  if (/^[\da-f]{64}$/i.test(text)) return { encoding: 'hex', text: text.toLowerCase() };
  return /^[A-Za-z\d+/]{43}=$/.test(text) ? { encoding: 'base64', text } : [];
}

function parseTimestamp(text: string, header: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw malformed(header, 'no Unix time in seconds');
}

function requireHeader(headers: HeaderMap, name: string): string {
  const value = headers.get(name);
  if (value === undefined || value === '') throw missing(name);
  return value;
}

function missing(header: string) {
  return createVerificationError('missing_header', `The header ${header} is missing.`, allHeadersHint);
}

function malformed(header: string, what: string) {
  return createVerificationError('malformed_header', `The header ${header} contains ${what}.`);
}

/** Why verification failed: `members.reason` of the error. */
export type RefusalReason =
  | 'missing_header'
  | 'malformed_header'
  | 'address_unknown'
  | 'no_signature_matches'
  | 'too_old'
  | 'too_new'
  | 'not_json'
  | 'no_event';

/** Creates the error for a delivery that failed verification. */
export function createVerificationError(reason: RefusalReason, message: string, hint?: string): SalonError {
  return new SalonError('webhook_refused', message, { hint, members: { reason } });
}
