import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ config: { logLevel: 'error' } });
});
afterAll(() => service[Symbol.asyncDispose]());

interface Sent {
  readonly isCutOff: boolean;
}

/** Sends bytes. Returns what comes back until the service closes the connection. */
function exchange(request: string, { isCutOff }: Sent = { isCutOff: false }): Promise<string> {
  const { port } = new URL(service.origin);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const bytes = request.replaceAll('<port>', port);
  let received = '';
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(bytes);
    if (isCutOff) socket.end();
  });
  socket.on('data', (part) => {
    received += part;
  });
  socket.on('close', () => resolve(received)).on('error', reject);
  return promise;
}

const head = 'HTTP/1.1\r\nHost: localhost:<port>\r\nConnection: close\r\n';
const formHead = `${head}Content-Type: application/x-www-form-urlencoded\r\n`;
const falseHost = 'HTTP/1.1\r\nHost: localhost:1@evil.example\r\nConnection: close\r\n';

it.each([
  ['a path of another host', `GET //evil.example/settings ${head}\r\n`, 404],
  ['a path that climbs', `GET /settings/%2e%2e/%2e%2e/etc ${head}\r\n`, 303],
  ['an unknown method', `PUT /settings/team ${head}\r\n`, 405],
  ['a host with a user', `GET /sign-in ${falseHost}\r\n`, 403],
  ['no host', 'GET /sign-in HTTP/1.0\r\n\r\n', 403],
  ['a host that a header claims', `GET /sign-in ${head}X-Forwarded-Host: evil.example\r\n\r\n`, 200],
])('%s is answered and leads nowhere else', async (_name, request, status) => {
  const response = await exchange(request);
  expect(response.split('\r\n', 1)).toEqual([expect.stringContaining(`HTTP/1.1 ${status} `)]);
  expect(response).not.toMatch(/location: [^\r]*evil|href="[^"]*evil/i);
  expect(service.logged).toEqual([]);
});

it.each(['/settings/..//evil.example/', '/settings/%2e%2e//evil.example/'])(
  'the slash at the end of %s leads to no other host',
  async (path) => {
    expect(await exchange(`GET ${path} ${head}\r\n`)).toMatch(/\r\nlocation: \/sign-in\?/i);
  },
);

it('a form that is cut off is no failure of the service', async () => {
  await exchange(`POST /sign-in ${formHead}Content-Length: 10\r\n\r\nabc`, { isCutOff: true });
  // The next answer comes after the service has dealt with the cut.
  expect((await fetch(`${service.origin}/healthz`)).status).toBe(200);
  expect(service.logged).toEqual([]);
});
