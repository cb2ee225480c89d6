import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { SalonError } from '../../contract/errors.ts';
import { toListenError } from './listen-error.ts';
import { problemMediaType, toProblemResponse } from './problems.ts';

/** A port on which connections wait until there is a server for them. */
export interface BoundPort {
  /** Has a server listen on it, with the connections that wait. Its `listen` takes no address any more. */
  passTo(server: Server): void;
  close(): Promise<void>;
}

interface PortOptions {
  readonly host: string;
  readonly port: number;
  /** Connections that the system keeps unaccepted. */
  readonly backlog?: number;
  /** How long a request waits before it is refused. */
  readonly mostWaitMs?: number;
}

/**
 * Takes a port before the database is opened: a process that cannot have it must not migrate the database of another.
 * Throws `usage` if it is in use.
 */
export async function bindPort(options: PortOptions): Promise<BoundPort> {
  const { host, port, backlog, mostWaitMs = 5_000 } = options;
  const waiting = new Map<Socket, NodeJS.Timeout>();
  const refusing = createHttpServer((request, response) => {
    const error = new SalonError('service_unavailable', 'The service is starting.');
    const { status, headers, problem } = toProblemResponse(error, { requestId: 'starting', baseUrl: '' });
    response.writeHead(status, { ...headers, connection: 'close', 'content-type': problemMediaType });
    request.resume().once('end', () => response.end(JSON.stringify(problem)));
  });
  const hand = (socket: Socket, server: Server) => {
    clearTimeout(waiting.get(socket));
    waiting.delete(socket);
    server.emit('connection', socket);
    socket.resume();
  };
  const holder = createServer({ pauseOnConnect: true }, (socket) => {
    waiting.set(
      socket,
      setTimeout(() => hand(socket, refusing), mostWaitMs),
    );
  });
  await once(holder.listen({ host, port, backlog }), 'listening').catch((error: unknown) => {
    throw toListenError(error, options);
  });
  return {
    passTo(server) {
      const listen = server.listen.bind(server);
      server.listen = () => listen(holder, backlog);
      server.once('listening', () => {
        const late = new Set(waiting.keys());
        // They do not count as connections of the server, which would not wait for them when it closes.
        server.prependListener('request', ({ socket }, response) => {
          if (late.has(socket)) response.setHeader('connection', 'close');
        });
        for (const socket of late) hand(socket, server);
      });
    },
    async close() {
      for (const [socket, timer] of waiting) {
        clearTimeout(timer);
        socket.destroy();
      }
      await new Promise((resolve) => holder.close(resolve));
    },
  };
}
