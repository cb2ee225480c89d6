import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { CertificateFiles } from './certificates.ts';

export interface ConnectProxy extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  /** The targets of CONNECT, with the headers. */
  /** Whether any client showed a certificate of its own. */
  readonly hasSeenCertificate: () => boolean;
  readonly received: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[];
}

export interface ConnectProxyOptions {
  /** Hosts that only the proxy knows, with the port on loopback where each is. */
  readonly hosts?: Readonly<Record<string, number>>;
  /** Written instead of a tunnel. */
  readonly refusal?: string;
  /** What `Proxy-Authorization` must be. */
  readonly authorization?: string;
  /** Speaks TLS itself. */
  readonly tls?: CertificateFiles;
  /** Accepts CONNECT and never answers. */
  readonly hangs?: boolean;
}

/** A proxy for HTTPS on loopback. */
export async function openConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const received: { target: string; headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  let hasClientCertificate = false;
  const { tls } = options;
  const server =
    tls === undefined
      ? createServer()
      : createTlsServer({
          cert: readFileSync(tls.cert),
          key: readFileSync(tls.key),
          requestCert: true,
          rejectUnauthorized: false,
        });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    hasClientCertificate ||= socket instanceof TLSSocket && socket.getPeerX509Certificate() !== undefined;
    socket.on('error', () => {});
    const target = request.url ?? '';
    received.push({ target, headers: request.headers });
    if (options.hangs) return;
    if (options.authorization !== request.headers['proxy-authorization']) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n<html>407</html>',
      );
      return;
    }
    const port = options.hosts?.[target];
    if (options.refusal !== undefined || port === undefined) {
      socket.end(options.refusal ?? 'HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    sockets.add(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    received,
    hasSeenCertificate: () => hasClientCertificate,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
