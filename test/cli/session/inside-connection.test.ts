import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openInsideConnection } from '../../../src/cli/session/embedded.ts';
import type { ClientOptions } from '../../../src/client/client.ts';
import { connectInside } from '../../../src/service/http/port.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const json = { 'content-type': 'application/json' };

/** A client of a server that has no port. */
function openInside(listener: RequestListener, options: Partial<ClientOptions> = {}) {
  const server = createServer(listener);
  const connection = openInsideConnection(() => connectInside(server));
  return openClient('http://127.0.0.1', { retries: 0, ...options, connection });
}

describe('a connection within the process', () => {
  it('brings the request and the response unchanged', async () => {
    await using client = openInside(async (request, response) => {
      const { method, url, headers, socket } = request;
      const body = await text(request);
      const { remoteAddress } = socket;
      const length = headers['content-length'];
      response
        .writeHead(201, { ...json, etag: '"7"' })
        .end(JSON.stringify({ method, url, body, length, remoteAddress }));
    });
    const response = await client.request('POST', '/echo?a=%C3%A9', { body: { name: 'Zoë' } });
    expect(response).toMatchObject({ status: 201, headers: { etag: '"7"' } });
    const body = '{"name":"Zoë"}';
    const length = String(Buffer.byteLength(body));
    expect(response.body).toEqual({
      method: 'POST',
      url: '/echo?a=%C3%A9',
      body,
      length,
      remoteAddress: '127.0.0.1',
    });
  });

  it('serves many requests at once, with responses larger than its buffers', async () => {
    const name = 'x'.repeat(300_000);
    await using client = openInside((request, response) => {
      response.writeHead(200, json).end(JSON.stringify({ url: request.url, name }));
    });
    const urls = Array.from({ length: 50 }, (_, index) => `/rows/${index}`);
    const responses = await Promise.all(urls.map((url) => client.request('GET', url)));
    expect(responses.map(({ body }) => body)).toEqual(urls.map((url) => ({ url, name })));
  });

  it.each<[string, RequestListener, Partial<ClientOptions>]>([
    ['response_truncated', ({ socket }) => socket.destroy(), {}],
    [
      'response_truncated',
      ({ socket }, response) => {
        response.writeHead(200, json).write('{"a": [');
        setImmediate(() => socket.destroy());
      },
      {},
    ],
    [
      'response_too_large',
      (_, response) => response.writeHead(200, json).end(`"${'x'.repeat(5_000)}"`),
      { maxResponseBytes: 1_000 },
    ],
    ['redirect_refused', (_, response) => response.writeHead(302, { location: '/other' }).end(), {}],
    ['timeout', () => {}, { timeoutMs: 50 }],
  ])('ends with %s as over the network', async (code, listener, options) => {
    await using client = openInside(listener, options);
    expect(await refusal(client.request('GET', '/rows'))).toMatchObject({ code });
  });

  it('cancels requests in flight when it is closed', async () => {
    const arrived = Promise.withResolvers<{ socket: Socket }>();
    const client = openInside(({ socket }) => arrived.resolve({ socket }));
    const failure = refusal(client.request('GET', '/rows'));
    const { socket } = await arrived.promise;
    const closed = once(socket, 'close');
    await client.close();
    expect(await failure).toMatchObject({ code: 'interrupted' });
    await closed;
  });
});
