import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { HttpProxy } from './proxy.ts';
import { createConnectError } from './proxy-error.ts';
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
