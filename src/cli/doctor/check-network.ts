import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import type { DetailedPeerCertificate, SecureContext, TLSSocket } from 'node:tls';
import { createInterruptedError } from '../../client/deadline.ts';
import { createTlsContext } from '../../client/http/http-connection.ts';
import {
  chooseRoute,
  type HttpProxy,
  openTunnel,
  type Route,
  readProxySettings,
} from '../../client/http/proxy.ts';
import {
  createCertificateError,
  findCertificateProblem,
  toConnectionError,
} from '../../client/http/transport-error.ts';
import { SalonError } from '../../contract/errors.ts';
import { dayMs } from '../../time/time.ts';
import type { Io } from '../io.ts';
import { readNetwork } from '../session/network.ts';
import type { Session } from '../session/session.ts';
import { attempt, type Check, failed, passed, skipped, warned } from './check-result.ts';

export interface NetworkChecks {
  readonly session: Session;
  readonly origin: string;
  readonly io: Io;
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
  const message = `${url.host} accepts connections on port ${port} (${tookMs} ms)`;
  return passed('tcp', message, { port, took_ms: tookMs });
}

async function checkTls(proxy: HttpProxy | undefined, options: NetworkChecks): Promise<Check> {
  const { session, origin, io } = options;
  const { tls } = await readNetwork({ session, io });
  const secureContext = await createTlsContext(tls);
  const proxyContext = await createTlsContext({ ca: tls.ca });
  const url = new URL(origin);
  const port = Number(url.port || 443);
  const limits = { name: origin, timeoutMs: toTimeoutMs(session), signal: io.signal };
  const target = `${url.hostname}:${port}`;
  const socket =
    proxy === undefined
      ? await openSocket(url, port, limits)
      : await openTunnel({ proxy, target, secureContext: proxyContext, ...limits });
  return checkCertificate(socket, { origin, secureContext, now: io.now() });
}

/** A connection that opens slowly is a separate problem. */
function toTimeoutMs({ settings }: Session): number {
  return Math.min(10_000, settings.timeout.value);
}

function openSocket(
  url: URL,
  port: number,
  { name, timeoutMs, signal }: { name: string; timeoutMs: number; signal: AbortSignal },
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

interface CertificateCheckOptions {
  readonly origin: string;
  readonly secureContext: SecureContext | undefined;
  readonly now: Date;
}

/** Automatic renewal happens earlier. */
const warnDays = 21;

/** Completes the TLS handshake on a socket, with any certificate, and says what is wrong with it. */
async function checkCertificate(socket: Socket, options: CertificateCheckOptions): Promise<Check> {
  const { origin, now } = options;
  const secured = await handshake(socket, options);
  const certificate = secured.getPeerCertificate(true);
  const [protocol, cipher] = [secured.getProtocol(), secured.getCipher().name];
  const details = { protocol, cipher, ...describe(certificate) };
  const code = secured.authorizationError as Error | string | undefined;
  secured.destroy();
  const expires = `expires on ${details.expires_at.slice(0, 10)}, issued by ${details.issuer}`;
  if (code) {
    const text = String(code instanceof Error ? ('code' in code ? code.code : code.message) : code);
    const cause = Object.assign(new Error(text), { cert: certificate });
    const error = createCertificateError(findCertificateProblem(text) ?? 'invalid', origin, cause);
    return failed('tls', error, { ...details, certificate: expires });
  }
  const daysLeft = Math.floor((earliestExpiry(certificate) - now.getTime()) / dayMs);
  const all = { ...details, days_left: daysLeft };
  if (daysLeft < warnDays) {
    const message = `The certificate chain expires in ${daysLeft} days, issued by ${details.issuer}`;
    return warned('tls', message, { hint: 'Ask who runs the server to renew it.', details: all });
  }
  return passed('tls', `${details.protocol}; the certificate ${expires}`, all);
}

async function handshake(socket: Socket, { origin, secureContext }: CertificateCheckOptions) {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  const { connect } = await import('node:tls');
  return new Promise<TLSSocket>((resolve, reject) => {
    const fail = (error: Error) => reject(toConnectionError(error, origin));
    const secured = connect({
      socket,
      host,
      ...(isIP(host) ? {} : { servername: host }),
      ...(secureContext === undefined ? {} : { secureContext }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: false,
    });
    secured.once('secureConnect', () => resolve(secured));
    secured.on('error', fail);
    const closed = Object.assign(new Error('it closed during the TLS handshake'), { code: 'ECONNRESET' });
    secured.once('close', () => fail(closed));
  });
}

function describe(certificate: DetailedPeerCertificate) {
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    chain: chainOf(certificate).map(({ subject }) => nameOf(subject)),
    valid_from: new Date(certificate.valid_from).toISOString(),
    expires_at: new Date(certificate.valid_to).toISOString(),
  };
}

function nameOf(subject: Readonly<Record<string, unknown>> = {}): string {
  const names = [subject['O'], subject['CN'], subject['OU']].flat();
  return names.find((name) => typeof name === 'string') ?? 'an unnamed authority';
}

/** From the server's certificate up to the last one known. A root is its own issuer. */
function chainOf(certificate: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  let next: DetailedPeerCertificate | undefined = certificate;
  while (next !== undefined && !chain.some(({ fingerprint256 }) => fingerprint256 === next?.fingerprint256)) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}

function earliestExpiry(certificate: DetailedPeerCertificate): number {
  return Math.min(...chainOf(certificate).map(({ valid_to }) => Date.parse(valid_to)));
}
