import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import { type Connection, openConnection } from '../../client/http/http-connection.ts';
import { readProxySettings } from '../../client/http/proxy.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import { send } from '../../client/http/send.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Io, version } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { WebFetch } from '../oauth/authorization-server.ts';
import type { Setting } from './resolve-settings.ts';
import { requireBaseUrl, type Session } from './session.ts';

/** What is needed to reach the server of a session. */
export interface SessionContext {
  readonly session: Session;
  readonly io: Io;
  readonly messages: Messages;
  /** Keeps sending after an interrupt. */
  readonly ignoresInterrupt?: boolean;
}

/** How a session reaches servers. Throws `usage` for certificates that cannot be read. */
export async function readNetwork({
  session: { settings },
  io,
  ignoresInterrupt = false,
}: Omit<SessionContext, 'messages'>) {
  const { caFile, clientCert, clientKey } = settings;
  if (clientKey !== undefined && clientCert === undefined) {
    throw new SalonError('usage', 'A client key needs a client certificate.', {
      hint: 'Add --client-cert, or client_cert in the profile.',
    });
  }
  const read = async (name: string, file: Setting<string> | undefined) =>
    file &&
    readFile(resolve(io.cwd, file.value), 'utf8').catch((cause: Error) => {
      throw createUnreadableError(`the ${name} ${file.value}`, cause);
    });
  return {
    tls: {
      ca: await read('CA file', caFile),
      cert: await read('client certificate', clientCert),
      key: await read('client key', clientKey),
    },
    proxy: readProxySettings(io.env),
    timeoutMs: settings.timeout.value,
    userAgent: `salon/${version}`,
    signal: ignoresInterrupt ? undefined : io.signal,
  };
}

/** The headers that a session sends with every request. */
export function toRequestHeaders({ settings }: Session): Record<string, string> {
  return Object.fromEntries(Object.entries(settings.headers).map(([name, { value }]) => [name, value]));
}

const maxResponseBytes = 1_048_576;

/**
 * A fetch for servers that speak HTTP, but not the contract, with the proxies and certificates of the session. The
 * certificate and headers of its salon go to that alone, and not for what is public. Opens connections when they are needed.
 */
export async function openWebFetch(context: SessionContext, { isPublic = false } = {}) {
  const { tls, proxy, timeoutMs, userAgent, signal } = await readNetwork(context);
  const { authorization: _authorization, ...headers } = toRequestHeaders(context.session);
  const own = isPublic ? undefined : parseBaseUrl(requireBaseUrl(context.session)).origin;
  const connections = new Map<string, Connection>();
  const connect = (origin: string): Connection => {
    const connection =
      connections.get(origin) ??
      openConnection({
        origin,
        concurrency: 1,
        connectTimeoutMs: timeoutMs / 2,
        proxy,
        tls: origin === own ? tls : { ca: tls.ca },
        stop: signal,
      });
    connections.set(origin, connection);
    return connection;
  };
  return {
    /** Rejects with the errors of `send`. A redirect is returned for what is public, and an error otherwise. */
    async fetch(address: string, given: Parameters<WebFetch>[1]) {
      const { method, body } = given;
      const { origin, pathname, search } = new URL(address);
      const request = {
        method,
        origin,
        path: pathname + search,
        headers: { ...given.headers, 'user-agent': userAgent, ...(origin === own ? headers : {}) },
        body: body === undefined || body === null ? undefined : String(body),
        allowsRedirect: isPublic,
      };
      const response = await send(connect(origin), request, { timeoutMs, maxResponseBytes, signal });
      // Addresses only: bodies contain codes and tokens.
      context.messages.verbose(`${method} ${origin}${pathname}: ${response.status}`);
      return new Response(response.bytes.length === 0 ? null : Buffer.from(response.bytes), {
        status: response.status,
        headers: toHeaders(response.headers),
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

/** Without those of the encoding: the body is decompressed. */
function toHeaders(headers: Awaited<ReturnType<typeof send>>['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = '']) =>
    /^(content-encoding|content-length|transfer-encoding)$/i.test(name)
      ? []
      : [value].flat().map((one): [string, string] => [name, one]),
  );
}

const maxRedirects = 5;

/** Reads a text that is not of the session's salon. Follows redirects. */
export async function readPublicText(address: string, context: SessionContext): Promise<string> {
  await using web = await openWebFetch(context, { isPublic: true });
  let url = new URL(address);
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await web.fetch(url.href, { method: 'GET', headers: {}, body: undefined });
    const { status } = response;
    if (status === 200) return response.text();
    const target = status < 400 ? response.headers.get('location') : null;
    const next = target === null ? null : URL.parse(target, url.href);
    if (!next || (next.protocol !== 'https:' && next.protocol !== url.protocol)) {
      throw new SalonError('unexpected_response', `${url.href} responds with ${status}.`, {
        status,
        hint: 'Try again later.',
      });
    }
    url = next;
  }
  throw new SalonError('unexpected_response', `${address} redirects more than ${maxRedirects} times.`);
}
