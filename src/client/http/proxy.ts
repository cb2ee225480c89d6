import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { SalonError, type SalonErrorCode } from '../../contract/errors.ts';
import { quote, toSubject } from '../../text/quote.ts';
import { type ResponseHeaders, readHeader } from '../response-headers.ts';
import { toConnectionError } from './transport-error.ts';

/** Proxies, as `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` give them. */
export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** For both schemes, where a scheme has none. */
  readonly all?: string | undefined;
  /** Hosts to connect to directly: names with their subdomains, addresses, CIDR, `*`; each with an optional port. */
  readonly noProxy?: string | undefined;
  /** Where each came from, for messages, such as `https_proxy`. */
  readonly names?: Readonly<Partial<Record<'http' | 'https' | 'all' | 'noProxy', string>>>;
}

/** One HTTP proxy. */
export interface HttpProxy {
  /** Without user name and password. */
  readonly url: URL;
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
  /** For messages: `the proxy http://proxy:3128 (HTTPS_PROXY)`. */
  readonly label: string;
}

/** How an origin is reached: directly without a proxy. */
export interface Route {
  readonly proxy?: HttpProxy | undefined;
  readonly reason: string;
}

/**
 * Reads the variables that curl reads. Lower case comes first, and an empty value counts as none. Unlike curl, `HTTP_PROXY`
 * counts in upper case as well.
 */
export function readProxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const names: Record<string, string> = {};
  const settings: Record<string, string> = {};
  for (const [key, variable] of Object.entries(variables)) {
    for (const name of [variable, variable.toLowerCase()]) {
      const value = env[name]?.trim();
      if (!value) continue;
      // The name in lower case comes last and wins.
      names[key] = name;
      settings[key] = value;
    }
  }
  return { ...settings, names };
}

const variables = {
  http: 'HTTP_PROXY',
  https: 'HTTPS_PROXY',
  all: 'ALL_PROXY',
  noProxy: 'NO_PROXY',
} as const;

/** Chooses the proxy for an origin. Loopback addresses never use one. Throws `usage` for a proxy that cannot be used. */
export function chooseRoute(origin: string, settings: ProxySettings = {}): Route {
  const { protocol, hostname, port } = new URL(origin);
  const own = protocol === 'https:' ? 'https' : 'http';
  const key = settings[own] ? own : 'all';
  const address = settings[key];
  if (!address) return { reason: 'no proxy is set' };
  const host = toHost(hostname);
  if (isLoopback(host)) return { reason: 'loopback addresses never use a proxy' };
  const entry = findExclusion(settings.noProxy ?? '', host, port || (own === 'https' ? '443' : '80'));
  const names = settings.names ?? {};
  if (entry !== undefined) return { reason: `${names.noProxy ?? 'noProxy'} contains ${entry}` };
  const name = names[key] ?? `${key} proxy`;
  return { proxy: parseProxy(address, name), reason: `${name} is set` };
}

function parseProxy(address: string, name: string): HttpProxy {
  // As for curl, a value without a scheme is an HTTP proxy.
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  if (url === null || url.hostname === '') {
    throw new SalonError('usage', `${name} is not the address of a proxy.`, {
      hint: 'Use http://user:password@host:port, and percent-encode special characters in the password.',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const kind = url.protocol.startsWith('socks') ? 'a SOCKS proxy' : `"${quote(url.protocol, 20)}//"`;
    throw new SalonError('usage', `${name} is ${kind}; only HTTP proxies are supported.`, {
      hint: 'Set HTTPS_PROXY to an HTTP proxy, or add the host of the salon to NO_PROXY.',
    });
  }
  const label = `the proxy ${url.origin} (${name})`;
  return { url: new URL(url.origin), authorization: toBasic(url, name), label };
}

function toBasic({ username, password }: URL, name: string): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(text).toString('base64')}`;
  } catch (cause) {
    throw new SalonError('usage', `The user name or password in ${name} is not percent-encoded correctly.`, {
      hint: 'Write % as %25.',
      cause,
    });
  }
}

/** A host without brackets or the dot at its end. */
function toHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
}

function isLoopback(host: string): boolean {
  return /(^|\.)localhost$/.test(host) || isWithin(host, '127.0.0.0', 8) || isWithin(host, '::1', 128);
}

/** The entry of `NO_PROXY` that excludes the host. */
function findExclusion(noProxy: string, host: string, port: string): string | undefined {
  return noProxy.split(/[\s,]+/).find((entry) => {
    if (entry === '') return false;
    const [, bracketed, plain, entryPort = port] =
      /^(?:\[([^\]]+)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
    const name = toHost(bracketed ?? plain ?? entry);
    return entryPort === port && isExcluded(name, host);
  });
}

function isExcluded(entry: string, host: string): boolean {
  if (entry === '*' || entry === host) return true;
  const [, network = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  if (isIP(network)) return isWithin(host, network, bits === undefined ? undefined : Number(bits));
  if (isIP(host)) return false;
  const suffix = entry.replace(/^\*?\./, '');
  return suffix !== '' && (host.endsWith(`.${suffix}`) || (!entry.startsWith('*') && host === suffix));
}

function isWithin(host: string, network: string, bits = isIPv6(network) ? 128 : 32): boolean {
  if (!isIP(host) || bits > (isIPv6(network) ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, isIPv6(network) ? 'ipv6' : 'ipv4');
  return list.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}

export interface TunnelOptions {
  readonly proxy: HttpProxy;
  /** The server, such as `salon.example:443`. */
  readonly target: string;
  readonly timeoutMs: number;
  readonly secureContext: SecureContext | undefined;
  readonly signal: AbortSignal;
}

/** Opens a connection through a proxy with CONNECT. Throws what the proxy has against it, named as the proxy's. */
export async function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy, target, timeoutMs, secureContext, signal } = options;
  const { protocol, hostname, port } = proxy.url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const { request } = await (protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise<Socket>((resolve, reject) => {
    const connecting = request({
      method: 'CONNECT',
      host,
      // Otherwise the certificate of the proxy would have to be for the host of the target.
      servername: isIP(host) ? '' : host,
      port: port || (protocol === 'https:' ? 443 : 80),
      path: target,
      agent: false,
      timeout: timeoutMs,
      signal,
      headers: { host: target, ...toProxyHeaders(proxy) },
      ...(secureContext === undefined ? {} : { secureContext }),
    });
    connecting.on('connect', (response, socket, head) => {
      socket.setTimeout(0);
      const { statusCode: status = 0, statusMessage: message, headers } = response;
      // A server never speaks first in TLS, so what follows a success is a page of the proxy's own.
      const isPage = /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(head.toString('latin1'));
      if (status >= 200 && status < 300 && !isPage) return resolve(socket as Socket);
      socket.on('error', () => {}).destroy();
      reject(createConnectError({ status, message, headers }, proxy, target));
    });
    connecting.on('timeout', () => {
      const reason = Object.assign(new Error('No response to CONNECT.'), { code: 'ETIMEDOUT' });
      connecting.destroy(reason);
    });
    connecting.on('error', (error) => reject(toConnectionError(error, proxy.label)));
    connecting.end();
  });
}

/** The headers that are for the proxy alone. */
export function toProxyHeaders({ authorization }: HttpProxy): Record<string, string> {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

interface ProxyResponse {
  readonly status: number;
  readonly message: string | undefined;
  readonly headers: ResponseHeaders;
}

const proxyPrograms = /^(squid|tinyproxy|privoxy|bluecoat|mcafee|zscaler|fortinet|forcepoint)/i;

/** Whether the response to a forwarded request is from the proxy instead of the server, as far as it shows. */
export function isOfProxy(status: number, headers: ResponseHeaders): boolean {
  if (status < 400) return false;
  if (status === 407 || readHeader(headers, 'x-squid-error') !== undefined) return true;
  const hasError = /;\s*error=/.test(readHeader(headers, 'proxy-status') ?? '');
  return hasError || proxyPrograms.test(readHeader(headers, 'server') ?? '');
}

/** The error for a proxy that did not open a connection. Nothing was sent to the target. */
function createConnectError(response: ProxyResponse, proxy: HttpProxy, target: string): SalonError {
  // A success with a page is no connection, and a redirect leads to one.
  if (response.status < 400 || response.status === 511) {
    const page = `sent a web page, probably for a sign-in, instead of connecting to ${target}`;
    return new SalonError('connection_failed', describe(response, proxy, page), { hint: networkSignIn });
  }
  return toRefusal(response, proxy, `did not connect to ${target}`, { code: 'connection_failed' });
}

/** The error for a proxy that responded to a forwarded request itself. It may have sent the request. */
export function createForwardError(response: ProxyResponse, proxy: HttpProxy, origin: string): SalonError {
  const problem = `failed to forward the request to ${origin}`;
  return toRefusal(response, proxy, problem, { code: 'service_unavailable', status: response.status });
}

export const networkSignIn =
  'Open any page in a browser and sign in to the network or the proxy, or ask who runs it. Then try again.';

/** `failure`: the error for a proxy that could not reach the server. */
function toRefusal(
  response: ProxyResponse,
  proxy: HttpProxy,
  problem: string,
  failure: { readonly code: SalonErrorCode; readonly status?: number },
): SalonError {
  const { authorization, label } = proxy;
  // Tinyproxy responds to a wrong password with 401.
  if (response.status === 407 || response.status === 401) {
    const missing = authorization === undefined;
    const reason = missing ? 'requires a user name and password' : 'rejected the user name and password';
    return new SalonError('proxy_refused', `${toSubject(label)} ${reason} (${response.status}).`, {
      hint: 'Put them in front of the host of the proxy: user:password@host:port',
    });
  }
  if (response.status >= 500) {
    const hint = 'Check the base URL. If it is right, ask who runs the proxy.';
    const options = { status: failure.status, hint, retryable: true };
    return new SalonError(failure.code, describe(response, proxy, problem), options);
  }
  return new SalonError('proxy_refused', describe(response, proxy, problem), {
    hint: 'Ask who runs the proxy to allow this host, or add it to NO_PROXY if it can be reached directly.',
  });
}

function describe(
  { status, message = '', headers }: ProxyResponse,
  { label }: HttpProxy,
  problem: string,
): string {
  const reason = readHeader(headers, 'x-squid-error') ?? readHeader(headers, 'proxy-status');
  const details = [`${status} ${message}`.trim(), reason].filter((part) => part !== undefined);
  return `${toSubject(label)} ${problem}: ${quote(details.join(', '), 200)}.`;
}
