import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { SalonError } from '../../contract/errors.ts';
import { type ResponseHeaders, readHeader } from '../response-headers.ts';
import type { HttpProxy } from './proxy.ts';
import { quote, toSubject } from './quote.ts';
import { toConnectionError } from './transport-error.ts';

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
  const problem = `did not connect to ${target}`;
  const unreachable = { hint: unreachableHint, retryable: true };
  return (
    findRefusal(response, proxy, problem) ??
    new SalonError('connection_failed', describe(response, proxy, problem), unreachable)
  );
}

/** The error for a proxy that responded to a forwarded request itself. It may have sent the request. */
export function createForwardError(response: ProxyResponse, proxy: HttpProxy, origin: string): SalonError {
  const problem = `failed to forward the request to ${origin}`;
  const unreachable = { status: response.status, hint: unreachableHint, retryable: true };
  return (
    findRefusal(response, proxy, problem) ??
    new SalonError('service_unavailable', describe(response, proxy, problem), unreachable)
  );
}

export const networkSignIn =
  'Open any page in a browser and sign in to the network or the proxy, or ask who runs it. Then try again.';
const unreachableHint = 'Check the base URL. If it is right, ask who runs the proxy.';

function findRefusal(response: ProxyResponse, proxy: HttpProxy, problem: string): SalonError | undefined {
  const { authorization, label } = proxy;
  // Tinyproxy responds to a wrong password with 401.
  if (response.status === 407 || response.status === 401) {
    const missing = authorization === undefined;
    const reason = missing ? 'requires a user name and password' : 'rejected the user name and password';
    return new SalonError('proxy_refused', `${toSubject(label)} ${reason} (${response.status}).`, {
      hint: 'Put them in front of the host of the proxy: user:password@host:port',
    });
  }
  if (response.status >= 500) return undefined;
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
