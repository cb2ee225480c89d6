import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, Server as NetServer, type Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { SalonError } from '../../contract/errors.ts';

/**
 * Takes a port, on which connections wait until `passTo` has a server listen on it, instead of the server's own port.
 * Throws `usage` if the port cannot be had.
 */
export async function bindPort(address: { host: string; port: number; backlog?: number }) {
  const waiting = new Set<Socket>();
  const holder = createServer({ pauseOnConnect: true }, (socket) => waiting.add(socket));
  await once(holder.listen(address), 'listening').catch((error: unknown) => {
    throw toListenError(error, address);
  });
  return {
    passTo(server: Server): void {
      const listen = server.listen.bind(server);
      server.listen = () => listen(holder, address.backlog);
      server.once('listening', () => {
        // The server does not count these connections, and would not wait for them when it closes.
        server.prependListener('request', ({ socket }, response) => {
          if (waiting.has(socket)) response.setHeader('connection', 'close');
        });
        for (const socket of waiting) {
          server.emit('connection', socket);
          socket.resume();
        }
      });
    },
    async close(): Promise<void> {
      for (const socket of waiting) socket.destroy();
      await new Promise((resolve) => holder.close(resolve));
    },
  };
}

/** Connects to a server within this process, without a port. */
export function connectInside(server: Server): Duplex {
  const [ours, theirs] = duplexPair();
  server.emit('connection', Object.assign(theirs, { remoteAddress: '127.0.0.1', setTimeout: () => theirs }));
  return ours;
}

/** Explains why a server cannot listen; returns other errors unchanged. */
export function toListenError(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const refuse = (message: string, hint: string) => new SalonError('usage', message, { hint, cause: error });
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return refuse(
        `Port ${port} on ${host} is already in use.`,
        'Choose another port, or 0 for any free one.',
      );
    case 'EACCES':
      return refuse(`No permission to use port ${port} on ${host}.`, 'Choose a port above 1023.');
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return refuse(
        `${host} is not an address of this machine.`,
        'Use 127.0.0.1 for local access only, or 0.0.0.0 for all addresses.',
      );
    default:
      return error;
  }
}

/** Returns what closes the connections that have sent nothing yet, which Node does not count as idle. */
export function trackSilent(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
}

interface ClosingOptions {
  readonly closeSilent: () => void;
  readonly idleMs?: number;
  readonly timeoutMs: number;
}

/** How often connections that have become idle are closed. */
const idleCheckMs = 20;

/**
 * Closes connections as they become idle, from `idleMs` on, and all others `timeoutMs` later, until it is disposed of.
 */
export function closeConnections(
  server: Server,
  { closeSilent, idleMs = 0, timeoutMs }: ClosingOptions,
): Disposable {
  const timers = new DisposableStack();
  const idle = setTimeout(() => {
    const interval = setInterval(() => {
      server.closeIdleConnections();
      closeSilent();
    }, idleCheckMs);
    timers.defer(() => clearInterval(interval));
  }, idleMs);
  timers.defer(() => clearTimeout(idle));
  const deadline = setTimeout(() => server.closeAllConnections(), idleMs + timeoutMs);
  timers.defer(() => clearTimeout(deadline));
  return timers;
}

/**
 * Takes no new connections, and ends each open one after its next response, as the response says: closing it between
 * two requests could cross a request on its way. Connections without one are closed after `idleMs`, all others
 * `timeoutMs` later. Resolves when none is left.
 */
export async function drainServer(server: Server, limits: ClosingOptions): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  using _closing = closeConnections(server, limits);
  // That of the HTTP server closes idle connections at once.
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
}
