import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where a request for tokens is. What follows a hook waits for it; `false` loses it. */
export interface TokenHooks {
  /** Before the request is passed on. */
  readonly asked?: () => boolean | Promise<boolean>;
  /** After the request was passed on, which the service now answers. */
  readonly passed?: () => void;
  /** Before the response is delivered. */
  readonly answered?: () => boolean | Promise<boolean>;
  /** After the response was delivered. */
  readonly delivered?: () => void;
}

/** A relay in front of a service, which sees when tokens are asked for. */
export interface TokenRelay extends AsyncDisposable {
  readonly origin: string;
  /** Requests for tokens so far. */
  readonly asked: () => number;
  /** Set before the first connection. */
  target: string;
  hooks: TokenHooks;
}

export async function openTokenRelay(): Promise<TokenRelay> {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((client) => {
    const { hostname, port } = new URL(relay.target);
    const service = connect(Number(port), hostname);
    let isToken = false;
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        service.destroy();
      });
    }
    pump(client, async (chunk) => {
      const text = chunk.toString('latin1');
      const isStart = /^[A-Z]+ \//.test(text);
      // A chunk without a request line is the rest of a body.
      if (isStart) isToken = text.startsWith('POST /oauth/token ');
      if (isStart && isToken) asked += 1;
      if (isToken && (await relay.hooks.asked?.()) === false) return service.destroy();
      service.write(chunk);
      if (isToken) relay.hooks.passed?.();
    });
    pump(service, async (chunk) => {
      if (isToken && (await relay.hooks.answered?.()) === false) return client.destroy();
      client.write(chunk, () => isToken && relay.hooks.delivered?.());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay: TokenRelay = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    target: '',
    hooks: {},
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return relay;
}

/** Handles chunk after chunk in their order. */
function pump(socket: Socket, handle: (chunk: Buffer) => Promise<unknown>): void {
  let last: Promise<unknown> = Promise.resolve();
  socket.on('data', (chunk) => {
    last = last.then(() => handle(chunk));
  });
}
