import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What becomes of a request and its response: `drop` breaks the connection before the server gets the request, `lose`
 * when the server has answered it, and `halve` after half of the first part of its answer.
 */
export type Fate = 'pass' | 'drop' | 'lose' | 'halve';

export interface CuttingProxyOptions {
  readonly host: string;
  readonly port: number;
  /** For each connection, what decides on the parts that a client sends. What does not begin a request has to pass. */
  readonly createDecider: () => (sent: Buffer) => Fate;
  /** Whether what the server has sent since is its answer; by default anything is. */
  readonly isAnswer?: (received: Buffer) => boolean;
}

export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
}

/** A TCP proxy that breaks connections at the worst moments. The next connection works. */
export async function openCuttingProxy(options: CuttingProxyOptions): Promise<CuttingProxy> {
  const { host, port, createDecider, isAnswer = () => true } = options;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ host, port });
    const decide = createDecider();
    let fate: Fate = 'pass';
    let held = Buffer.alloc(0);
    const cut = () => {
      near.resetAndDestroy();
      far.destroy();
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    near.on('data', (chunk: Buffer) => {
      if (fate === 'pass') fate = decide(chunk);
      if (fate === 'drop') cut();
      else far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => {
      if (fate === 'pass') return near.write(chunk);
      held = Buffer.concat([held, chunk]);
      if (!isAnswer(held)) return true;
      if (fate === 'lose') cut();
      else near.write(held.subarray(0, held.length >> 1), cut);
      return true;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** In front of PostgreSQL: decides on every COMMIT, knowing what was sent in its transaction. */
export function openCommitCutter(
  location: string,
  decide: (transaction: string) => Fate,
): Promise<CuttingProxy> {
  const { hostname: host, port } = new URL(location);
  return openCuttingProxy({
    host,
    port: Number(port),
    createDecider() {
      let transaction = '';
      return (sent) => {
        transaction += sent.toString('latin1');
        if (!transaction.includes('commit\0')) return 'pass';
        const fate = decide(transaction);
        transaction = '';
        return fate;
      };
    },
    isAnswer: (received) => /(?:COMMIT|ROLLBACK)\0/.test(received.toString('latin1')),
  });
}
