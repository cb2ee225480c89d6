import type { DeviceAuthorizationResponse } from 'openid-client';
import { systemCodeOf } from '../../bulk/jobs/file-access.ts';
import { systemClock } from '../../client/deadline.ts';
import { SalonError } from '../../contract/errors.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { type FlowOptions, toScope } from './browser-flow.ts';
import { toOAuthError } from './oauth-error.ts';
import { type Tokens, toTokens } from './tokens.ts';

/**
 * Signs in with a code that the person enters in a browser anywhere (RFC 8628). Throws `not_signed_in` where the person
 * or the server declines, or the code expires.
 */
export async function signInWithDevice(server: AuthorizationServer, options: FlowOptions): Promise<Tokens> {
  const { io, status, scope } = options;
  const client = await import('openid-client');
  const { configuration, issuer } = server;
  try {
    const started = await client.initiateDeviceAuthorization(configuration, toScope(scope));
    showCode(started, options, issuer);
    const endMs = Date.now() + Math.min(started.expires_in * 1_000, maxWaitMs);
    status.show('work', () => 'Waiting for you to enter the code. Press Ctrl-C to cancel.');
    return await poll(server, { started, endMs }, options);
  } catch (thrown) {
    if (io.signal.aborted) throw new SalonError('interrupted', 'Cancelled. Nothing was saved.');
    if (!['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'ABORT_ERR'].includes(systemCodeOf(thrown) ?? ''))
      throw toOAuthError(thrown, issuer);
    throw new SalonError('not_signed_in', 'The code has expired.', {
      hint: 'Start again: salon auth login --device',
      cause: thrown,
    });
  } finally {
    status.hide('work');
  }
}

/** However long the code is valid. */
const maxWaitMs = 86_400_000;

/** Where the server does not say how often it may be asked. */
const usualIntervalSeconds = 5;

async function poll(
  { configuration, issuer }: AuthorizationServer,
  { started, endMs }: { readonly started: DeviceAuthorizationResponse; readonly endMs: number },
  { io, messages }: FlowOptions,
): Promise<Tokens> {
  const { pollDeviceAuthorizationGrant } = await import('openid-client');
  for (;;) {
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(Math.max(0, endMs - Date.now()))]);
    try {
      const response = await pollDeviceAuthorizationGrant(configuration, started, undefined, { signal });
      return toTokens(response, io.now());
    } catch (thrown) {
      const error = toOAuthError(thrown, issuer);
      const isTemporary = error instanceof SalonError && error.retryable;
      if (!isTemporary || signal.aborted) throw thrown;
      messages.verbose(`${error.message} Trying again.`);
      await systemClock.sleep((started.interval ?? usualIntervalSeconds) * 1_000, signal);
    }
  }
}

function showCode(
  { user_code, verification_uri, verification_uri_complete, expires_in }: DeviceAuthorizationResponse,
  { messages }: FlowOptions,
  issuer: string,
): void {
  const [address, complete] = [verification_uri, verification_uri_complete].map((text) => toAddress(text));
  if (address === undefined) {
    throw new SalonError('unexpected_response', `${issuer} did not say where to enter the code.`);
  }
  messages.show(`To sign in at ${issuer}, open this address in any browser:`);
  messages.show(`  ${address}`);
  messages.show('and enter this code:');
  messages.show(`  ${user_code}`);
  if (complete !== undefined) messages.show(`Or open ${complete} and check the code there.`);
  messages.show(`The code is valid for ${Math.round(expires_in / 60)} minutes.`);
}

/** Undefined for anything but an http(s) address. */
function toAddress(text: string | undefined): string | undefined {
  const url = URL.parse(text ?? '');
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
