import { createMask, type Mask, readSecrets } from '../../contract/mask-secrets.ts';
import { assertOrigin, type Credential, type RenewableCredential, toAuthorization } from './credential.ts';
import { createHeaderMask } from './extra-headers.ts';
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
