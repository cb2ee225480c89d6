import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../../support/certificates.ts';
import { type ConnectProxyOptions, openConnectProxy } from '../../support/connect-proxy.ts';
import { body, html, json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openTlsServer } from '../../support/tls-server.ts';

let authority: Authority;
beforeAll(() => {
  authority = createAuthority();
});
afterAll(() => authority[Symbol.dispose]());

/** A server behind a proxy that alone knows where salon.test is. */
async function openProxied(options: ConnectProxyOptions = {}) {
  const server = await openTlsServer(authority.issue('salon.test', { names: ['DNS:salon.test'] }));
  const proxy = await openConnectProxy({ hosts: { 'salon.test:443': server.port }, ...options });
  const open = (address = proxy.origin, more = {}) =>
    openClient('https://salon.test', {
      proxy: { https: address, names: { https: 'HTTPS_PROXY' } },
      tls: { ca: authority.pem },
      ...more,
    });
  return {
    server,
    proxy,
    open,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('a proxy for https', () => {
  it('connects to a host that only it knows, with one tunnel for several requests', async () => {
    await using world = await openProxied();
    await using client = world.open(undefined, { concurrency: 1 });
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    expect(world.proxy.received.map(({ target }) => target)).toEqual(['salon.test:443']);
    expect(world.server.received).toHaveLength(2);
  });

  it('gets the user name and password, which the server never sees', async () => {
    const authorization = `Basic ${Buffer.from('ana:p@ss').toString('base64')}`;
    await using world = await openProxied({ authorization });
    await using client = world.open(`http://ana:p%40ss@127.0.0.1:${world.proxy.port}`);
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    expect(world.server.received[0]).not.toHaveProperty('proxy-authorization');
    expect(world.proxy.received[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['none', '', 'requires a user name and password'],
    ['another one', 'ana:wrong@', 'rejected the user name and password'],
  ])('that wants a password and gets %s is proxy_refused at once', async (_which, user, problem) => {
    await using world = await openProxied({ authorization: 'Basic YW5hOnBhc3M=' });
    await using client = world.open(`http://${user}127.0.0.1:${world.proxy.port}`);
    expect(await refusal(client.me())).toMatchObject({
      code: 'proxy_refused',
      message: `The proxy ${world.proxy.origin} (HTTPS_PROXY) ${problem} (407).`,
      retryable: false,
    });
    expect(world.proxy.received).toHaveLength(1);
  });

  it.each([
    ['403 Forbidden', 'proxy_refused', 1],
    ['502 Bad Gateway', 'connection_failed', 6],
    ['503 Service Unavailable\r\nX-Squid-Error: ERR_DNS_FAIL 0', 'connection_failed', 6],
  ])('that answers CONNECT with %s is named, as %s', async (status, code, attempts) => {
    await using world = await openProxied({ refusal: `HTTP/1.1 ${status}\r\n\r\n<html>sorry</html>` });
    await using client = world.open();
    const error = await refusal(client.me());
    expect(error.code).toBe(code);
    const shown = status.replace('\r\nX-Squid-Error: ', ', ');
    expect(error.message).toBe(
      `The proxy ${world.proxy.origin} (HTTPS_PROXY) did not connect to salon.test:443: ${shown}.`,
    );
    expect(world.proxy.received).toHaveLength(attempts);
  });

  it('that is down, unknown or silent is connection_failed, and a POST is not in doubt', async () => {
    await using world = await openProxied({ hangs: true });
    const messages: string[] = [];
    for (const [address, more] of [
      ['http://127.0.0.1:1', {}],
      ['http://proxy.invalid:3128', {}],
      [world.proxy.origin, { timeoutMs: 4_000 }],
    ] as const) {
      await using client = world.open(address, { retries: 0, ...more });
      const error = await refusal(client.clients.create({ first_name: 'Ana' }));
      expect(error.code).toBe('connection_failed');
      messages.push(error.message);
    }
    expect(messages).toEqual([
      'Cannot connect to the proxy http://127.0.0.1:1 (HTTPS_PROXY): the connection was refused.',
      'Cannot connect to the proxy http://proxy.invalid:3128 (HTTPS_PROXY): the host name was not found.',
      `Cannot connect to the proxy ${world.proxy.origin} (HTTPS_PROXY): the connection timed out.`,
    ]);
  });

  it('that itself speaks TLS never sees the client certificate', async () => {
    const { cert, key } = authority.issue('till');
    const files = authority.issue('proxy', { names: ['IP:127.0.0.1'] });
    await using world = await openProxied({ tls: files });
    const tls = { ca: authority.pem, cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    await using client = world.open(undefined, { tls });
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    expect(world.proxy.hasSeenCertificate()).toBe(false);
    await using distrustful = world.open(undefined, { tls: {} });
    expect(await refusal(distrustful.me())).toMatchObject({
      code: 'certificate_rejected',
      message: expect.stringContaining(`The certificate of the proxy ${world.proxy.origin} (HTTPS_PROXY)`),
    });
  });

  it.each([
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n', 'unexpected_response', 'does not speak HTTP'],
    ['nothing', '', 'connection_failed', 'socket hang up'],
    [
      'a tunnel to something else',
      'HTTP/1.1 200 OK\r\n\r\nSSH-2.0-OpenSSH_9.6\r\n',
      'connection_failed',
      'disconnected',
    ],
    [
      'a success with the page of a sign-in',
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>Sign in</html>',
      'connection_failed',
      'sent a web page, probably for a sign-in, instead of connecting to salon.test:443: 200 OK.',
    ],
    [
      'such a page without headers',
      'HTTP/1.0 200 OK\r\n\r\n<!doctype html><title>Sign in</title>',
      'connection_failed',
      'sent a web page, probably for a sign-in',
    ],
    [
      'a redirect to such a page',
      'HTTP/1.1 302 Found\r\nLocation: https://login.example/\r\n\r\n',
      'connection_failed',
      'sent a web page, probably for a sign-in, instead of connecting to salon.test:443: 302 Found.',
    ],
    [
      '511',
      'HTTP/1.1 511 Network Authentication Required\r\n\r\n<html></html>',
      'connection_failed',
      'probably for a sign-in, instead of connecting to salon.test:443: 511 Network Authentication Required.',
    ],
  ])('that answers CONNECT with %s is an error of its own kind', async (_what, refused, code, message) => {
    await using world = await openProxied({ refusal: refused });
    await using client = world.open(undefined, { retries: 0 });
    const error = await refusal(client.clients.create({ first_name: 'Ana' }));
    expect({ code: error.code, message: error.message }).toEqual({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('that does not speak TLS although its address says so is named', async () => {
    await using world = await openProxied();
    const address = world.proxy.origin.replace('http:', 'https:');
    await using client = world.open(address, { retries: 0 });
    expect((await refusal(client.me())).message).toBe(
      `The proxy ${address} (HTTPS_PROXY) does not speak TLS.`,
    );
  });

  it.each([0, 2])(
    'is given up at once on an interrupt, with %i retries, and a POST is not in doubt',
    async (retries) => {
      await using world = await openProxied({ hangs: true });
      const stop = new AbortController();
      await using client = world.open(undefined, { signal: stop.signal, retries });
      const pending = refusal(client.clients.create({ first_name: 'Ana' }));
      await expect.poll(() => world.proxy.received.length).toBe(1);
      stop.abort('SIGINT');
      expect(await pending).toMatchObject({ code: 'interrupted', message: 'Interrupted.', members: {} });
    },
  );

  it('is left while it is silent when the client closes', async () => {
    await using world = await openProxied({ hangs: true });
    const client = world.open();
    const pending = refusal(client.me());
    await expect.poll(() => world.proxy.received.length).toBe(1);
    await client.close();
    expect((await pending).code).toBe('interrupted');
  });
});

describe('a proxy for http', () => {
  it('forwards requests to a host that only it knows', async () => {
    await using proxy = await openMisbehavingServer(() => json({ id: 'cli_1' }));
    await using client = openClient('http://salon.invalid', {
      proxy: { http: proxy.origin.replace('//', '//ana:pass@') },
    });
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    const authorization = `Basic ${Buffer.from('ana:pass').toString('base64')}`;
    expect(proxy.received).toMatchObject([
      {
        headers: { host: 'salon.invalid', 'proxy-authorization': authorization },
        path: '/api/v1/clients/cli_1',
      },
    ]);
  });

  it.each([
    ['407', html('407', { status: 407 }), 'proxy_refused', 'requires a user name and password (407).'],
    [
      'its own 403',
      html('Denied', { status: 403, headers: { server: 'tinyproxy/1.11.1' } }),
      'proxy_refused',
      'failed to forward the request to http://salon.invalid: 403 Forbidden.',
    ],
    [
      'its own 503',
      html('ERROR', { status: 503, headers: { 'x-squid-error': 'ERR_DNS_FAIL 0' } }),
      'service_unavailable',
      'failed to forward the request to http://salon.invalid: 503 Service Unavailable, ERR_DNS_FAIL 0.',
    ],
  ])('that answers %s is named', async (_what, reply, code, message) => {
    await using proxy = await openMisbehavingServer(() => reply);
    await using client = openClient('http://salon.invalid', { proxy: { http: proxy.origin }, retries: 0 });
    expect(await refusal(client.me())).toMatchObject({
      code,
      message: `The proxy ${proxy.origin} (http proxy) ${message}`,
    });
  });

  it('that itself speaks TLS is checked by its own name', async () => {
    await using proxy = await openTlsServer(authority.issue('proxy', { names: ['IP:127.0.0.1'] }));
    await using client = openClient('http://salon.invalid', {
      proxy: { http: proxy.origin },
      tls: { ca: authority.pem },
    });
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    expect(proxy.received).toMatchObject([{ host: 'salon.invalid' }]);
  });

  it('leaves a POST in doubt where it failed after sending it', async () => {
    const reply = html('ERROR', { status: 502, headers: { 'x-squid-error': 'ERR_READ_ERROR 104' } });
    await using proxy = await openMisbehavingServer(() => reply);
    await using client = openClient('http://salon.invalid', { proxy: { http: proxy.origin } });
    const error = await refusal(client.request('POST', 'clients', { body: { first_name: 'Ana' } }));
    expect(error.code).toBe('result_unknown');
    expect(proxy.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('passes on the errors of the server as its own', async () => {
    await using proxy = await openMisbehavingServer(() =>
      body('{"error":"no"}', {
        status: 403,
        headers: { 'content-type': 'application/json', server: 'nginx' },
      }),
    );
    await using client = openClient('http://salon.invalid', { proxy: { http: proxy.origin } });
    expect((await refusal(client.me())).code).toBe('permission_denied');
  });
});

it('a loopback address is reached without the proxy', async () => {
  await using server = await openMisbehavingServer(() => json({ id: 'cli_1' }));
  await using client = openClient(server.origin, { proxy: { all: 'http://127.0.0.1:1' } });
  expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
});
