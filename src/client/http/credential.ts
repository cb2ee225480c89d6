import { SalonError } from '../../contract/errors.ts';
import { createMask, type Mask, readSecrets } from '../../text/mask-secrets.ts';
import type { RetryingSender } from './retrying-sender.ts';
import type { ApiRequest } from './send.ts';

/** An API key or access token. */
export interface BearerCredential {
  readonly kind: 'bearer';
  readonly token: string;
  /** The only origin it may be sent to. Undefined for a credential given with the call. */
  readonly origin?: string | undefined;
  /** Where it was found, for errors, such as an environment variable. */
  readonly foundIn?: string | undefined;
}

/** An access token that expires and is then replaced. */
export interface RenewableCredential {
  readonly kind: 'renewable';
  /** Returns the token for the next request. */
  read(): Promise<string>;
  /** Called when the server refused a token with 401. Returns another one to repeat the request with, if there is one. */
  renew(refused: string): Promise<string | undefined>;
  /** The only origin the tokens may be sent to. */
  readonly origin: string;
}

export type Credential = BearerCredential | RenewableCredential;

/**
 * The value of the `Authorization` header.
 * Throws `not_signed_in` for a credential of another origin, and `usage` for one that cannot be sent in a header.
 */
export function toAuthorization(credential: BearerCredential, origin: string): string {
  assertOrigin(credential, origin);
  // Only visible ASCII: a line break would start another header.
  if (!/^[!-~]+$/.test(credential.token)) {
    const key = credential.foundIn === undefined ? 'The API key' : `The API key in ${credential.foundIn}`;
    throw new SalonError('usage', `${key} is empty or contains invalid characters.`, {
      hint: 'Copy the key again, without spaces or line breaks.',
    });
  }
  return `Bearer ${credential.token}`;
}

/** Throws `not_signed_in` for a credential of another origin. */
function assertOrigin({ kind, origin: boundTo }: Credential, origin: string): void {
  if (boundTo === undefined || URL.parse(boundTo)?.origin === origin) return;
  const what = kind === 'bearer' ? 'The saved API key' : 'The saved sign-in';
  throw new SalonError('not_signed_in', `${what} belongs to ${boundTo}, not to ${origin}.`, {
    hint: `Sign in to ${origin}, or pass a key for this call.`,
  });
}

interface Authorization {
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Adds the header that changes, and repeats a request whose token was refused. */
  readonly wrap?: (send: RetryingSender) => RetryingSender;
  /** Hides the tokens that have been sent. */
  readonly mask?: Mask;
}

/** Throws `not_signed_in` for a credential of another origin, and `usage` for a key that cannot be sent. */
export function createAuthorization(credential: Credential | undefined, origin: string): Authorization {
  if (credential === undefined) return {};
  if (credential.kind === 'bearer') {
    return { headers: { authorization: toAuthorization(credential, origin) } };
  }
  assertOrigin(credential, origin);
  const tokens = new Set<string>();
  let mask: Mask | undefined;
  const authorize = (request: ApiRequest, token: string) => {
    if (!tokens.has(token)) mask = createMask(tokens.add(token));
    const authorization = toAuthorization({ kind: 'bearer', token }, origin);
    return { ...request, headers: { ...request.headers, authorization } };
  };
  return {
    mask: (text) => mask?.(text) ?? text,
    wrap: (send) => async (request, options) => {
      if ('authorization' in request.headers) return send(request, options);
      const token = await credential.read();
      const sent = await send(authorize(request, token), options);
      if (sent.response.status !== 401) return sent;
      const renewed = await credential.renew(token);
      if (renewed === undefined) return sent;
      const again = await send(authorize(request, renewed), options);
      return { ...again, isUnconfirmed: sent.isUnconfirmed || again.isUnconfirmed };
    },
  };
}

/**
 * Hides the credential, and what the caller's own headers contain: their values on their own always, and within a text
 * where they cannot be ordinary words.
 */
export function createSecretMask(
  authorization: Authorization,
  headers: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {},
): Mask {
  const values = Object.values(own);
  const inText = values.filter((value) => /\d/.test(value) || value.length >= 16);
  const mask = createMask([...readSecrets(headers), ...inText]);
  return (text) => {
    const masked = values.includes(text) ? '…' : mask(text);
    return authorization.mask?.(masked) ?? masked;
  };
}

/** Headers that describe the request itself, or that make a write safe. */
const ownHeaders =
  /^(host|connection|content-\w+|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|proxy-.*|idempotency-key|if-match|if-none-match)$/;

/** Returns headers with their names in lower case. Throws `usage` for those that cannot be set, never quoting a value. */
export function assertHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([given, value]) => {
      const name = given.toLowerCase();
      if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
        throw new SalonError('usage', `"${given}" is not the name of a header.`);
      if (ownHeaders.test(name)) {
        throw new SalonError('usage', `The header ${given} cannot be set: salon sets it itself.`);
      }
      if (!/^[\t\x20-\x7e]*$/.test(value)) {
        throw new SalonError('usage', `The header ${given} contains characters that cannot be sent.`);
      }
      return [name, value];
    }),
  );
}
