import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { createInterruptedError } from '../../client/deadline.ts';
import { chooseRoute, type HttpProxy, type Route, readProxySettings } from '../../client/http/proxy.ts';
import { openTunnel } from '../../client/http/proxy-tunnel.ts';
import { createTlsContext } from '../../client/http/tls.ts';
import { toConnectionError } from '../../client/http/transport-error.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import { readNetworkOptions } from '../session/network.ts';
import type { Session } from '../session/session.ts';
import { attempt, type Check, passed, skipped } from './check.ts';
import { checkCertificate } from './check-certificate.ts';

export interface NetworkChecks {
  readonly session: Session;
  readonly origin: string;
  readonly io: Io;
  readonly messages: Messages;
}

/** The way to a server: proxy, DNS, TCP and TLS. Stops at the first problem. */
export async function* checkNetwork(options: NetworkChecks): AsyncGenerator<Check> {
  const { origin, io } = options;
  let route: Route = { proxy: undefined, reason: '' };
  const proxyCheck = await attempt('proxy', async () => {
    route = chooseRoute(origin, readProxySettings(io.env));
    const message = route.proxy ? `Uses ${route.proxy.label}` : `Connects directly: ${route.reason}`;
    return passed('proxy', message, { proxy: route.proxy?.url.origin ?? null, reason: route.reason });
  });
  yield proxyCheck;
  const first = route.proxy?.url ?? new URL(origin);
  const checks = [
    () => checkDns(first, route.proxy && new URL(origin).hostname),
    () => checkTcp(first, route.proxy?.label ?? origin, options),
    ...(origin.startsWith('https:') ? [() => checkTls(route.proxy, options)] : []),
  ];
  let isBlocked = proxyCheck.status === 'problem';
  for (const [index, run] of checks.entries()) {
    const name = ['dns', 'tcp', 'tls'][index] ?? '';
    const check = isBlocked ? skipped(name, 'Not checked') : await attempt(name, run);
    if (io.signal.aborted) throw createInterruptedError(io.signal.reason);
    isBlocked ||= check.status === 'problem';
    yield check;
  }
}

async function checkDns({ hostname }: URL, behindProxy: string | undefined): Promise<Check> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const note = behindProxy === undefined ? '' : `; the proxy looks up ${behindProxy}`;
  if (isIP(host)) return skipped('dns', `Not checked: ${host} is an address${note}`);
  const addresses = await lookup(host, { all: true }).catch((error: Error) => {
    throw new SalonError('connection_failed', `${host} was not found`, {
      hint: 'Check the host name in the base URL or the proxy, and the DNS settings of this machine.',
      cause: error,
    });
  });
  const shown = [...new Set(addresses.map(({ address }) => address))];
  return passed('dns', `${host} is ${shown.join(', ')}${note}`, { addresses: shown });
}

async function checkTcp(url: URL, name: string, { session, io }: NetworkChecks): Promise<Check> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const startMs = performance.now();
  const socket = await openSocket(url, port, { name, timeoutMs: toTimeoutMs(session), signal: io.signal });
  socket.destroy();
  const tookMs = Math.round(performance.now() - startMs);
  return passed('tcp', `${url.host} accepts connections on port ${port} (${tookMs} ms)`, {
    port,
    took_ms: tookMs,
  });
}

async function checkTls(proxy: HttpProxy | undefined, options: NetworkChecks): Promise<Check> {
  const { session, origin, io, messages } = options;
  const { tls = {} } = await readNetworkOptions(session, { io, messages });
  const secureContext = await createTlsContext(tls);
  const proxyContext = await createTlsContext({ ca: tls.ca });
  const url = new URL(origin);
  const port = Number(url.port || 443);
  const timeoutMs = toTimeoutMs(session);
  const limits = { name: origin, timeoutMs, signal: io.signal };
  const socket =
    proxy === undefined
      ? await openSocket(url, port, limits)
      : await openTunnel({
          proxy,
          target: `${url.hostname}:${port}`,
          secureContext: proxyContext,
          ...limits,
        });
  return checkCertificate(socket, { origin, secureContext, now: io.now() });
}

/** A connection that opens slowly is a problem of its own. */
function toTimeoutMs({ settings }: Session): number {
  return Math.min(10_000, settings.timeoutMs.value);
}

function openSocket(
  url: URL,
  port: number,
  {
    name,
    timeoutMs,
    signal,
  }: { readonly name: string; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, signal });
    const fail = (error: Error) => {
      socket.destroy();
      reject(toConnectionError(error, name));
    };
    socket.setTimeout(timeoutMs, () => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
