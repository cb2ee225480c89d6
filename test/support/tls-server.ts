import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { CertificateFiles } from './certificates.ts';

export interface TlsServer extends AsyncDisposable {
  readonly port: number;
  /** By the address in the certificate. */
  readonly origin: string;
  /** The headers of each request. */
  readonly received: readonly Record<string, unknown>[];
}

/** An HTTPS server on loopback that knows one client, an empty list, and no /me. */
export async function openTlsServer(
  { cert, key }: CertificateFiles,
  options: ServerOptions = {},
): Promise<TlsServer> {
  const received: Record<string, unknown>[] = [];
  const server = createServer(
    { cert: readFileSync(cert), key: readFileSync(key), ...options },
    (request, response) => {
      received.push({ ...request.headers, method: request.method });
      const isList = /\/clients(\?|$)/.test(request.url ?? '');
      response.writeHead(request.url?.endsWith('/me') ? 404 : 200, { 'content-type': 'application/json' });
      response.end(isList ? '{"data":[],"pagination":{"page":1,"per_page":1,"total":0}}' : '{"id":"cli_1"}');
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `https://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
