import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a program and its server. */
export interface DeafProxy extends AsyncDisposable {
  readonly port: number;
  /** What the server answers is lost from when the program has sent this text, which resolves the promise. */
  loseAnswersTo(text: string): Promise<void>;
  /** Breaks all connections. New ones work. */
  breakConnections(): void;
}

/** A proxy that can lose what the server answers, as a network does that fails at the wrong moment. */
export async function openDeafProxy(target: { host: string; port: number }): Promise<DeafProxy> {
  const sockets = new Set<Socket>();
  let awaited: { text: string; found(): void } | undefined;
  let isDeaf = false;
  const server = createServer((near) => {
    const far = connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.on('data', (chunk: Buffer) => {
        if (from === near && awaited && chunk.includes(awaited.text)) awaited.found();
        if (from === near || !isDeaf) to.write(chunk);
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakConnections = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    awaited = undefined;
    isDeaf = false;
  };
  return {
    port: (server.address() as AddressInfo).port,
    loseAnswersTo: (text) =>
      new Promise((resolve) => {
        const found = () => {
          isDeaf = true;
          resolve();
        };
        awaited = { text, found };
      }),
    breakConnections,
    [Symbol.asyncDispose]: async () => {
      breakConnections();
      await once(server.close(), 'close');
    },
  };
}
