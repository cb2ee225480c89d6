import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

export interface CompressingProxy extends AsyncDisposable {
  readonly origin: string;
  /** Method and `If-Match` of every request but GET. */
  readonly writes: readonly (readonly [string, string | undefined])[];
}

/**
 * A reverse proxy on loopback that compresses and rewrites entity tags: nginx makes them weak
 * (nginx.org/en/docs/http/ngx_http_gzip_module.html), Apache adds a suffix (DeflateAlterETag AddSuffix).
 */
export async function openCompressingProxy(
  target: string,
  rewrite: (tag: string) => string = (tag) => `W/${tag}`,
): Promise<CompressingProxy> {
  const { hostname, port } = new URL(target);
  const writes: [string, string | undefined][] = [];
  const server = createServer(async (incoming, response) => {
    const { method = 'GET', url: path, headers } = incoming;
    if (method !== 'GET') writes.push([method, headers['if-match']]);
    const sent = forward({ hostname, port, method, path, headers });
    sent.on('error', () => response.destroy());
    sent.end(await buffer(incoming));
    const [received] = (await once(sent, 'response')) as [IncomingMessage];
    const { 'content-length': _length, etag, ...others } = received.headers;
    const body = await buffer(received);
    const isCompressed = body.length > 0 && /gzip/.test(headers['accept-encoding'] ?? '');
    response.writeHead(received.statusCode ?? 502, {
      ...others,
      ...(etag === undefined ? {} : { etag: isCompressed ? rewrite(etag) : etag }),
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    });
    response.end(isCompressed ? gzipSync(body) : body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
