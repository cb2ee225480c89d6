import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function sendBytes(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

describe('an invalid HTTP request', () => {
  it.each([
    ['noise', 'hello\r\n\r\n', 400],
    ['an unknown HTTP version', 'GET / HTTP/7.0\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n', 400],
    ['an invalid length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 400],
    [
      'both a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a header of 20 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_480)}\r\n\r\n`, 431],
    ['a path of 20 KiB', `GET /${'x'.repeat(20_480)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ])('gets a problem response (%s)', async (_, bytes, status) => {
    const response = await sendBytes(bytes);
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/content-type: application\/problem\+json/i);
    expect(head).toMatch(/connection: close/i);
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status, request_id: expect.any(String) });
  });

  it('does not affect others', async () => {
    await Promise.all(Array.from({ length: 20 }, () => sendBytes('\0\0\0\r\n\r\n')));
    expect((await sendRequest(`${service.origin}/healthz`)).status).toBe(200);
  });

  it('may end in the middle of a body', async () => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    const authorization = `Authorization: Bearer ${service.keys.owner}`;
    socket.write(`POST /v1/clients HTTP/1.1\r\nHost: a\r\n${authorization}\r\nExpect: 100-continue\r\n`);
    socket.write('Content-Type: application/json\r\nContent-Length: 20\r\n\r\n');
    await once(socket, 'data');
    socket.write('{"first_');
    socket.resetAndDestroy();
    expect((await sendRequest(`${service.origin}/healthz`)).status).toBe(200);
  });
});
