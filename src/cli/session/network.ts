import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import { readProxySettings } from '../../client/http/proxy.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Io, version } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { WebNetwork } from '../oauth/web-fetch.ts';
import type { Setting } from './resolve-settings.ts';
import { requireBaseUrl, type Session } from './session.ts';

/** Reads the certificates of a session. Throws `usage` for a file that cannot be read. */
export async function readTls({ settings }: Pick<Session, 'settings'>, { cwd }: Pick<Io, 'cwd'>) {
  const { caFile, clientCert, clientKey } = settings;
  if (clientKey !== undefined && clientCert === undefined) {
    throw new SalonError('usage', 'A client key needs a client certificate.', {
      hint: 'Add --client-cert, or client_cert in the profile.',
    });
  }
  const read = async (name: string, file: Setting<string> | undefined) =>
    file &&
    readFile(resolve(cwd, file.value), 'utf8').catch((cause: Error) => {
      throw createUnreadableError(`the ${name} ${file.value}`, cause);
    });
  return {
    ca: await read('CA file', caFile),
    cert: await read('client certificate', clientCert),
    key: await read('client key', clientKey),
  };
}

/** The headers that a session sends with every request. */
export function toRequestHeaders({ settings }: Pick<Session, 'settings'>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings.headers).map(([name, { value }]) => [name, value]));
}

/** What is needed to reach the server of a session. */
export interface SessionContext {
  readonly session: Session;
  readonly io: Io;
  readonly messages: Messages;
  /** Keeps sending after an interrupt. */
  readonly ignoresInterrupt?: boolean;
}

/**
 * How the server that signs people in is reached: like the salon, whose certificate and headers it gets if it is the
 * same.
 */
export async function readOAuthNetwork(context: SessionContext): Promise<WebNetwork> {
  const { session } = context;
  const { authorization: _authorization, ...headers } = toRequestHeaders(session);
  const { origin } = parseBaseUrl(requireBaseUrl(session));
  return { ...(await readPublicNetwork(context)), own: { origin, headers } };
}

/** How servers that are not the session's salon are reached. */
export async function readPublicNetwork({
  session,
  io,
  messages,
  ignoresInterrupt = false,
}: SessionContext): Promise<WebNetwork> {
  return {
    tls: await readTls(session, io),
    proxy: readProxySettings(io.env),
    timeoutMs: session.settings.timeout.value,
    userAgent: `salon/${version}`,
    signal: ignoresInterrupt ? undefined : io.signal,
    log: messages.verbose,
  };
}
