import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook receiver on loopback. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** Resolves when that many have arrived. */
  until(count: number): Promise<void>;
}

/** Starts a receiver; `answer` returns the status for each webhook, counted from 1. */
export async function openWebhookReceiver(
  answer: (count: number) => number | Promise<number> = () => 204,
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString('utf8');
    received.push({ headers: request.headers, body });
    for (const look of waiting) look();
    const status = await answer(received.length);
    response.writeHead(status, status === 302 ? { location: 'http://elsewhere.example/' } : {}).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
