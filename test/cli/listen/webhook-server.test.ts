import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import {
  createQueueFullError,
  type IncomingRequest,
  openWebhookServer,
} from '../../../src/cli/listen/webhook-server.ts';

async function open(
  take: (message: IncomingRequest) => Promise<void> = async () => {},
  requestTimeoutMs = 10_000,
) {
  const refused: string[] = [];
  const receiver = await openWebhookServer({
    host: '127.0.0.1',
    port: 0,
    take,
    refused: (reason) => refused.push(reason),
    requestTimeoutMs,
  });
  return { receiver, refused };
}

async function connectTo(origin: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

describe('the webhook server', () => {
  it.each([
    ['its head', 'POST / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    ['its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{'],
  ])('disconnects a sender that never finishes %s', async (_, beginning) => {
    await using opened = (await open(undefined, 50)).receiver;
    const socket = await connectTo(opened.origin);
    socket.write(beginning);
    expect(await text(socket)).toContain('408');
  });

  it('passes on the exact bytes and lower-case header names', async () => {
    const messages: IncomingRequest[] = [];
    const { receiver } = await open(async (message) => void messages.push(message));
    await using _ = receiver;
    const body = Buffer.from([0, 255, 10, 13]);
    await fetch(receiver.origin, { method: 'POST', body, headers: { 'X-Own': 'kept' } });
    expect(messages[0]?.body).toEqual(body);
    expect(messages[0]?.headers.get('x-own')).toBe('kept');
  });

  it('asks for a retry when the queue is full', async () => {
    const { receiver, refused } = await open(() => Promise.reject(createQueueFullError()));
    await using _ = receiver;
    const answer = await fetch(receiver.origin, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(refused).toEqual([expect.stringContaining('The queue is full')]);
  });

  it('finishes requests in flight when it closes, and accepts no new ones', async () => {
    const taken = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const { receiver } = await open(() => {
      taken.resolve();
      return free.promise;
    });
    const answer = fetch(receiver.origin, { method: 'POST', body: '{}' });
    await taken.promise;
    const closed = receiver.close();
    free.resolve();
    expect((await answer).status).toBe(200);
    await closed;
    await expect(fetch(receiver.origin, { method: 'POST', body: '{}' })).rejects.toThrow();
  });

  it('reports a usable URL when it listens on every address', async () => {
    await using receiver = await openWebhookServer({
      host: '0.0.0.0',
      port: 0,
      take: async () => {},
      refused: () => {},
    });
    expect(receiver.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});
