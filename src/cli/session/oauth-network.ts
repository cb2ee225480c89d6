import { readProxySettings } from '../../client/http/proxy.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import { type Io, version } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { OAuthNetwork } from '../oauth/oauth-fetch.ts';
import { readNetworkOptions } from './network.ts';
import { requireBaseUrl, type Session } from './session.ts';

export interface OAuthNetworkSources {
  readonly session: Session;
  readonly io: Io;
  readonly messages: Messages;
  /** Keeps sending after an interrupt: a refresh token that was used must be replaced. */
  readonly ignoresInterrupt?: boolean;
}

/** How the server that signs people in is reached: like the salon, whose certificate and headers it gets if it is the same. */
export async function readOAuthNetwork({
  session,
  io,
  messages,
  ignoresInterrupt = false,
}: OAuthNetworkSources): Promise<OAuthNetwork> {
  // The connection to the salon warns.
  const silent = { ...messages, warn() {} };
  const { tls = {}, headers = {} } = await readNetworkOptions(session, { io, messages: silent });
  const { authorization: _authorization, ...others } = headers;
  return {
    origin: parseBaseUrl(requireBaseUrl(session)).origin,
    tls,
    headers: others,
    proxy: readProxySettings(io.env),
    timeoutMs: session.settings.timeout.value,
    userAgent: `salon/${version}`,
    signal: ignoresInterrupt ? undefined : io.signal,
    log: messages.verbose,
  };
}
