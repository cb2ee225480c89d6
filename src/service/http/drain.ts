import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** How often idle connections are closed once the time for their next request is over. */
const idleCheckMs = 20;

/**
 * Takes no new connections, and ends each open one after its next response, as the response says: closing it between
 * two requests could cross a request on its way. Connections without one are closed after `idleMs`, all others
 * `timeoutMs` later. Resolves when none is left.
 */
export async function drainServer(
  server: Server,
  { idleMs, timeoutMs }: { readonly idleMs: number; readonly timeoutMs: number },
): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  using timers = new DisposableStack();
  const idle = setTimeout(() => {
    const interval = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    timers.defer(() => clearInterval(interval));
  }, idleMs);
  timers.defer(() => clearTimeout(idle));
  const deadline = setTimeout(() => server.closeAllConnections(), idleMs + timeoutMs);
  timers.defer(() => clearTimeout(deadline));
  // That of the HTTP server closes idle connections at once.
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
}
