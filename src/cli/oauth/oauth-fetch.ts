import type { CustomFetch } from 'openid-client';
import { type Connection, openConnection, type TlsSettings } from '../../client/http/http-connection.ts';
import type { ProxySettings } from '../../client/http/proxy.ts';
import { send } from '../../client/http/send.ts';

/** How authorization servers are reached. */
export interface OAuthNetwork {
  /** The salon's origin: its client certificate and headers are sent to no other. */
  readonly origin: string;
  readonly tls: TlsSettings;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: ProxySettings;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  /** Called with each request, for --verbose. Addresses only: bodies contain codes and tokens. */
  readonly log: (text: string) => void;
}

export interface OAuthFetch extends AsyncDisposable {
  /** Does not follow redirects. Rejects with the errors of `send`. */
  readonly fetch: CustomFetch;
}

const maxResponseBytes = 1_048_576;

/** A fetch that uses the proxies and certificates of the command line. Opens connections when they are needed. */
export function openOAuthFetch(network: OAuthNetwork): OAuthFetch {
  const connections = new Map<string, Connection>();
  return {
    async fetch(address, { method, headers, body }) {
      const { origin, pathname, search } = new URL(address);
      const request = {
        method,
        origin,
        path: pathname + search,
        headers: {
          ...headers,
          'user-agent': network.userAgent,
          ...(origin === network.origin ? network.headers : {}),
        },
        body: body === undefined || body === null ? undefined : String(body),
      };
      const { timeoutMs, signal } = network;
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
    const { tls, proxy, timeoutMs, signal } = network;
    const connection = openConnection({
      origin,
      concurrency: 1,
      connectTimeoutMs: timeoutMs / 2,
      proxy,
      tls: origin === network.origin ? tls : { ca: tls.ca },
      stop: signal,
    });
    connections.set(origin, connection);
    return connection;
  }
}

/** Without those of the encoding: the body is decompressed. */
function toHeaders(headers: Awaited<ReturnType<typeof send>>['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = '']) =>
    /^(content-encoding|content-length|transfer-encoding)$/i.test(name)
      ? []
      : [value].flat().map((one): [string, string] => [name, one]),
  );
}
