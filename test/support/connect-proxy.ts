import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ConnectProxy extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  /** The targets of CONNECT, with the headers. */
  readonly received: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[];
}

export interface ConnectProxyOptions {
  /** Hosts that only the proxy knows, with the port on loopback where each is. */
  readonly hosts?: Readonly<Record<string, number>>;
  /** Written instead of a tunnel. */
  readonly refusal?: string;
  /** What `Proxy-Authorization` must be. */
  readonly authorization?: string;
  /** Accepts CONNECT and never answers. */
  readonly hangs?: boolean;
}

/** A proxy for HTTPS on loopback. */
export async function openConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const received: { target: string; headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, socket: Socket) => {
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
    origin: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
