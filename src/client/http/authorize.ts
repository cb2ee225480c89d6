import { SalonError } from '../../contract/errors.ts';
import { createMask, type Mask, readSecrets } from '../../contract/mask-secrets.ts';
import { assertOrigin, type Credential, type RenewableCredential, toAuthorization } from './credential.ts';
import type { RetryingSender } from './retrying-sender.ts';
import type { ApiRequest } from './send.ts';

export interface Authorization {
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Adds the header that changes, and repeats a request whose token was refused. */
  wrap(send: RetryingSender): RetryingSender;
  /** Hides the tokens that have been sent. */
  readonly mask: Mask;
}

/** Throws `not_signed_in` for a credential of another origin, and `usage` for a key that cannot be sent. */
export function createAuthorization(credential: Credential | undefined, origin: string): Authorization {
  const unchanged = { wrap: (send: RetryingSender) => send, mask: (text: string) => text };
  if (credential === undefined) return { headers: {}, ...unchanged };
  if (credential.kind === 'bearer') {
    return { headers: { authorization: toAuthorization(credential, origin) }, ...unchanged };
  }
  assertOrigin(credential, origin);
  const tokens = new Set<string>();
  let mask = unchanged.mask;
  const authorize = (request: ApiRequest, token: string) => {
    if (!tokens.has(token)) mask = createMask(tokens.add(token));
    const authorization = toAuthorization({ kind: 'bearer', token }, origin);
    return { ...request, headers: { ...request.headers, authorization } };
  };
  return {
    headers: {},
    wrap: (send) => createRenewingSender(send, credential, authorize),
    mask: (text) => mask(text),
  };
}

/** Hides the credential, and what the caller's own headers contain. */
export function createSecretMask(
  authorization: Authorization,
  headers: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {},
): Mask {
  const mask = createHeaderMask(createMask(readSecrets(headers)), Object.values(own));
  return (text) => authorization.mask(mask(text));
}

function createRenewingSender(
  send: RetryingSender,
  credential: RenewableCredential,
  authorize: (request: ApiRequest, token: string) => ApiRequest,
): RetryingSender {
  return async (request, options) => {
    if ('authorization' in request.headers) return send(request, options);
    const token = await credential.read();
    const sent = await send(authorize(request, token), options);
    if (sent.response.status !== 401) return sent;
    const renewed = await credential.renew(token);
    if (renewed === undefined) return sent;
    const again = await send(authorize(request, renewed), options);
    return { ...again, inDoubt: sent.inDoubt || again.inDoubt };
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

/** Also hides the values of headers: on their own always, and within a text where they cannot be ordinary words. */
function createHeaderMask(mask: Mask, values: readonly string[]): Mask {
  const whole = new Set(values);
  const secrets = createMask(values.filter((value) => /\d/.test(value) || value.length >= 16));
  return (text) => (whole.has(text) ? '…' : secrets(mask(text)));
}
