import type { CustomFetchOptions } from 'openid-client';
import { type Connection, openConnection, type TlsSettings } from '../../client/http/http-connection.ts';
import type { ProxySettings } from '../../client/http/proxy.ts';
import { send } from '../../client/http/send.ts';

/** How servers are reached that speak HTTP, but not the contract. */
export interface WebNetwork {
  readonly tls: TlsSettings;
  /** The salon: its client certificate and headers are sent to no other origin. */
  readonly own?: { readonly origin: string; readonly headers: Readonly<Record<string, string>> };
  readonly proxy: ProxySettings;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  /** Called with each request, for --verbose. Addresses only: bodies contain codes and tokens. */
  readonly log: (text: string) => void;
  /** Whether a redirect is returned; it is an error otherwise, and never followed. */
  readonly allowsRedirect?: boolean;
}

const maxResponseBytes = 1_048_576;

/** A fetch that uses the proxies and certificates of the command line. Opens connections when they are needed. */
export function openWebFetch({ own, allowsRedirect = false, ...network }: WebNetwork) {
  const { tls, proxy, timeoutMs, signal } = network;
  const connections = new Map<string, Connection>();
  return {
    /** Rejects with the errors of `send`. */
    async fetch(
      address: string,
      { method, headers, body }: Pick<CustomFetchOptions, 'method' | 'headers' | 'body'>,
    ) {
      const { origin, pathname, search } = new URL(address);
      const ownHeaders = origin === own?.origin ? own.headers : {};
      const request = {
        method,
        origin,
        path: pathname + search,
        headers: { ...headers, 'user-agent': network.userAgent, ...ownHeaders },
        body: body === undefined || body === null ? undefined : String(body),
        allowsRedirect,
      };
      const response = await send(connect(origin), request, { timeoutMs, maxResponseBytes, signal });
      network.log(`${method} ${origin}${pathname}: ${response.status}`);
      return new Response(response.bytes.length === 0 ? null : Buffer.from(response.bytes), {
        status: response.status,
        headers: toHeaders(response.headers),
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };

  function connect(origin: string): Connection {
    const known = connections.get(origin);
    if (known !== undefined) return known;
    const connection = openConnection({
      origin,
      concurrency: 1,
      connectTimeoutMs: timeoutMs / 2,
      proxy,
      tls: origin === own?.origin ? tls : { ca: tls.ca },
      stop: signal,
    });
    connections.set(origin, connection);
    return connection;
  }
}

export type WebFetch = ReturnType<typeof openWebFetch>['fetch'];

/** Without those of the encoding: the body is decompressed. */
function toHeaders(headers: Awaited<ReturnType<typeof send>>['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = '']) =>
    /^(content-encoding|content-length|transfer-encoding)$/i.test(name)
      ? []
      : [value].flat().map((one): [string, string] => [name, one]),
  );
}
