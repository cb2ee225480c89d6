import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { StatusLine } from '../messages/status-line.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { openCallbackListener } from './callback-listener.ts';
import { toOAuthError } from './oauth-error.ts';
import { hasBrowser, openBrowser } from './open-browser.ts';
import { type Tokens, toTokens } from './tokens.ts';

export interface FlowOptions {
  readonly io: Io;
  readonly messages: Messages;
  readonly status: StatusLine;
  /** Separated by spaces; undefined to leave the choice to the server. */
  readonly scope: string | undefined;
}

/** How long a person may take, also to find a password. */
const patienceMs = 15 * 60_000;

/**
 * Signs in with the browser (authorization code with PKCE, RFC 8252). Throws `not_signed_in` where the person or the
 * server declines.
 */
export async function signInWithBrowser(
  server: AuthorizationServer,
  { io, messages, status, scope, callbackPort }: FlowOptions & { readonly callbackPort: number | undefined },
): Promise<Tokens> {
  const client = await import('openid-client');
  const { configuration, issuer } = server;
  const codeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(patienceMs)]);
  await using listener = await openCallbackListener(state, { port: callbackPort, signal });
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: listener.redirectUri,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...toScope(scope),
  });
  await showAddress(address.href, { io, messages, issuer });
  status.show('work', () => 'Waiting for you to sign in. Press Ctrl-C to cancel.');
  const callback = await listener.callback
    .catch((reason: unknown) => {
      throw io.signal.aborted
        ? new SalonError('interrupted', 'Cancelled. Nothing was saved.')
        : timedOut(reason);
    })
    .finally(() => status.hide('work'));
  try {
    const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
    const response = await client.authorizationCodeGrant(configuration, callback.url, checks);
    const tokens = toTokens(response, io.now());
    await callback.finish('signed_in');
    return tokens;
  } catch (thrown) {
    await callback.finish('failed');
    throw toOAuthError(thrown, issuer);
  }
}

/** OpenID Connect has a person asked again where an app is to work without them. */
export function toScope(scope: string | undefined): Record<string, string> {
  if (scope === undefined) return {};
  return scope.split(' ').includes('offline_access') ? { scope, prompt: 'consent' } : { scope };
}

async function showAddress(
  address: string,
  { io, messages, issuer }: Pick<FlowOptions, 'io' | 'messages'> & { readonly issuer: string },
): Promise<void> {
  if (hasBrowser(io) && (await openBrowser(address, io))) {
    messages.show(`Opening your browser to sign in at ${issuer}. If it does not open, visit:`);
  } else messages.show(`To sign in at ${issuer}, open this address in a browser on this machine:`);
  messages.show(`  ${address}`);
}

function timedOut(cause: unknown): SalonError {
  return new SalonError('not_signed_in', 'The sign-in timed out after 15 minutes.', {
    hint: 'Try again, or use --device if your browser is on another machine.',
    cause,
  });
}
