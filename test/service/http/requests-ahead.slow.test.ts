import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function openSocket(): Promise<Socket> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

function toHead(method: string, path: string, { key, length }: { key: string; length?: number }): string {
  const body = length === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${length}\r\n`;
  return `${method} /v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${body}\r\n`;
}

describe('a connection', () => {
  it('gets its responses one after the other, in order, when it sends requests ahead', async () => {
    const socket = await openSocket();
    const paths = Array.from({ length: 60 }, (_, index) => `/clients?per_page=${index + 1}`);
    const body = '{"first_name":"Bo"}';
    const post = toHead('POST', '/clients', { key: service.keys.owner, length: body.length }) + body;
    const last = toHead('GET', '/me', { key: service.keys.owner }).replace(
      'Host: a',
      'Host: a\r\nConnection: close',
    );
    const ahead = paths.map((path) => toHead('GET', path, { key: service.keys.owner }));
    socket.write([...ahead, post, last].join(''));
    const received = await text(socket);
    const sizes = [...received.matchAll(/"per_page":(\d+)/g)].map(([, size]) => Number(size));
    expect(sizes).toEqual(paths.map((_, index) => index + 1));
    expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      ...paths.map(() => '200'),
      '201',
      '200',
    ]);
  });

  it('is served however many requests it sends ahead', async () => {
    const socket = await openSocket();
    const count = 3_000;
    socket.write(toHead('GET', '/me', { key: service.keys.owner }).repeat(count));
    let received = '';
    for await (const chunk of socket) {
      received += chunk;
      if (received.length > 300 * count && received.split('HTTP/1.1 200 ').length > count) break;
    }
    expect(received.split('HTTP/1.1 200 ')).toHaveLength(count + 1);
  });
});

describe('large bodies', () => {
  it('of an account are refused while eight others have not ended', async () => {
    const length = 2 ** 20;
    const sockets = await Promise.all(Array.from({ length: 20 }, openSocket));
    const answers: string[] = [];
    const refused = Promise.withResolvers<void>();
    for (const socket of sockets) {
      socket.write(toHead('POST', '/clients', { key: service.keys.owner, length }));
      socket.on('data', (chunk) => {
        answers.push(chunk.toString().slice(9, 12));
        if (answers.length === 12) refused.resolve();
      });
    }
    await refused.promise;
    expect(answers).toEqual(Array(12).fill('503'));
    // A small body is never refused for it.
    const small = { method: 'POST', key: service.keys.owner, body: { first_name: 'Ana' } };
    expect((await sendRequest(`${service.origin}/v1/clients`, small)).status).toBe(201);
    for (const socket of sockets) socket.destroy();
  });

  it('are not read when the caller has no right', async () => {
    const socket = await openSocket();
    socket.write(toHead('POST', '/clients', { key: service.keys.viewer, length: 2 ** 20 }));
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    const received = String(chunk);
    expect(received).toMatch(/^HTTP\/1\.1 403 /);
    expect(received).toContain('"code":"permission_denied"');
  });

  it('are not validated further than a list that is too long', async () => {
    const response = await sendRequest(`${service.origin}/v1/clients`, {
      method: 'POST',
      key: service.keys.owner,
      headers: { 'content-type': 'application/json' },
      body: { first_name: 7, tags: Array(300_000).fill(1) },
    });
    const detail = '/tags must have at most 20 entries.';
    expect(toJson(response)['errors']).toEqual([{ pointer: '/tags', code: 'out_of_range', detail }]);
  });

  it('with far too many fields name a hundred of them', async () => {
    const fields = Array.from({ length: 80_000 }, (_, index) => [`x${index}`, 1]);
    const response = await sendRequest(`${service.origin}/v1/clients`, {
      method: 'POST',
      key: service.keys.owner,
      headers: { 'content-type': 'application/json' },
      body: Object.fromEntries(fields),
    });
    const errors = toJson(response)['errors'] as { code: string }[];
    expect(errors.map(({ code }) => code)).toEqual(Array(100).fill('unknown_field'));
  });
});
