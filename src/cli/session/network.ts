import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import type { ClientOptions } from '../../client/client.ts';
import { readProxySettings } from '../../client/http/proxy.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Io, version } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { OAuthNetwork } from '../oauth/oauth-fetch.ts';
import type { Setting, Settings } from './resolve-settings.ts';
import type { SavedGrant } from './saved-grant.ts';
import { requireBaseUrl, type Session } from './session.ts';

/** Reads the certificates and headers of a session. Throws `usage` for a file that cannot be read. */
export async function readNetworkOptions(
  { settings }: Pick<Session, 'settings'>,
  { io, messages }: { readonly io: Pick<Io, 'cwd'>; readonly messages: Messages },
): Promise<Pick<ClientOptions, 'tls' | 'headers'>> {
  const { caFile, clientCert, clientKey } = settings;
  if (clientKey !== undefined && clientCert === undefined) {
    throw new SalonError('usage', 'A client key needs a client certificate.', {
      hint: 'Add --client-cert, or client_cert in the profile.',
    });
  }
  const read = (name: string, file: Setting<string> | undefined) => readPem(name, file, io.cwd);
  const tls = {
    ca: await read('CA file', caFile),
    cert: await read('client certificate', clientCert),
    key: await read('client key', clientKey),
  };
  return { tls, headers: readHeaders(settings, messages) };
}

async function readPem(
  name: string,
  file: Setting<string> | undefined,
  cwd: string,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(resolve(cwd, file.value), 'utf8').catch((cause: Error) => {
    throw createUnreadableError(`the ${name} ${file.value}`, cause);
  });
}

function readHeaders({ headers }: Settings, messages: Messages): Record<string, string> {
  const given = Object.entries(headers);
  if (headers['authorization'] !== undefined) {
    messages.warn(
      `The Authorization header from the ${headers['authorization'].source} replaces the API key.`,
    );
  }
  return Object.fromEntries(given.map(([name, { value }]) => [name, value]));
}

/** What is needed to reach the server of a session. */
interface SessionContext {
  readonly session: Session;
  readonly io: Io;
  readonly messages: Messages;
  /** Keeps sending after an interrupt: a refresh token that was used must be replaced. */
  readonly ignoresInterrupt?: boolean;
}

/** A saved sign-in, and what is needed to reach its server. */
export interface GrantContext extends SessionContext {
  readonly grant: SavedGrant;
}

/** How the server that signs people in is reached: like the salon, whose certificate and headers it gets if it is the same. */
export async function readOAuthNetwork({
  session,
  io,
  messages,
  ignoresInterrupt = false,
}: SessionContext): Promise<OAuthNetwork> {
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
