import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../support/certificates.ts';
import { type ConnectProxy, openConnectProxy } from '../support/connect-proxy.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { startSquid, startTinyproxy } from '../support/gateways.ts';
import { json, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { createHome, runSalon } from '../support/salon-process.ts';
import { isLong } from '../support/speed.ts';
import { openTlsServer, type TlsServer } from '../support/tls-server.ts';

let authority: Authority;
let server: TlsServer;
beforeAll(async () => {
  authority = createAuthority();
  server = await openTlsServer(authority.issue('salon.test', { names: ['DNS:salon.test'] }));
});
afterAll(async () => {
  authority[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Runs the built program against a salon that only the proxy can find. */
async function salon(env: Readonly<Record<string, string>>, baseUrl = `https://salon.test:${server.port}`) {
  using home = createHome();
  return await runSalon(['clients', 'get', 'cli_1', '--json', '--retries', '0'], {
    home,
    env: { SALON_BASE_URL: baseUrl, SALON_API_KEY: 'slk_test', SALON_CA_FILE: authority.file, ...env },
  });
}

const found = { exitCode: 0, stdout: expect.stringContaining('"cli_1"'), stderr: '' };

describe.skipIf(!isLong || !isInstalled('squid'))('through squid', () => {
  const login = `ana:${execFileSync('openssl', ['passwd', '-apr1', 's3 cr@t%'], { encoding: 'utf8' }).trim()}`;

  it('reaches a salon by https and http, with the password that squid wants', async () => {
    await using squid = await startSquid({ hosts: ['salon.test'], login });
    const proxy = `http://ana:s3%20cr%40t%25@127.0.0.1:${squid.port}`;
    expect(await salon({ HTTPS_PROXY: proxy })).toMatchObject(found);
    await using plain = await openMisbehavingServer(() => json({ id: 'cli_1' }));
    const origin = plain.origin.replace('127.0.0.1', 'salon.test');
    const { exitCode, stdout } = await salon({ http_proxy: proxy }, origin);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: found.stdout });
    expect(plain.received[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it.each([
    [
      'no password',
      'http://',
      1,
      /The proxy http:.* \(all_proxy\) requires a user name and password \(407\)/,
    ],
    ['a wrong password', 'http://ana:s3cret@', 1, /The proxy http:.* rejected the user name and password/],
  ])('says that it got %s', async (_what, scheme, exitCode, message) => {
    await using squid = await startSquid({ hosts: ['salon.test'], login });
    const result = await salon({ all_proxy: `${scheme}127.0.0.1:${squid.port}` });
    expect({ ...result, stderr: '' }).toMatchObject({ exitCode, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toContain('s3cret');
  });

  it.each([
    [
      'denies',
      'https://denied.test',
      1,
      /did not connect to denied\.test:443: 403 Forbidden, ERR_ACCESS_DENIED/,
    ],
    ['cannot find', 'https://unknown.test', 5, /did not connect to unknown\.test:443: 50\d .*ERR_/],
    ['cannot reach', 'https://salon.test:1', 5, /did not connect to salon\.test:1: 503 .*ERR_CONNECT_FAIL/],
    [
      'denies without TLS',
      'http://denied.test',
      1,
      /failed to forward the request to http:\/\/denied\.test: 403/,
    ],
    ['cannot reach without TLS', 'http://salon.test:1', 5, /failed to forward .*: 503 .*ERR_CONNECT_FAIL/],
  ])('names squid where it %s the salon', async (_what, baseUrl, exitCode, message) => {
    await using squid = await startSquid({ hosts: ['salon.test', 'denied.test'], denies: 'denied.test' });
    const result = await salon({ ALL_PROXY: `127.0.0.1:${squid.port}` }, baseUrl);
    expect({ ...result, stderr: '' }).toMatchObject({ exitCode, stdout: '' });
    expect(result.stderr).toMatch(message);
  });
});

describe.skipIf(!isInstalled('tinyproxy'))('through tinyproxy', () => {
  let knowing: ConnectProxy;
  beforeAll(async () => {
    knowing = await openConnectProxy({ hosts: { [`salon.test:${server.port}`]: server.port } });
  });
  afterAll(() => knowing[Symbol.asyncDispose]());

  it('reaches a salon, with the password that tinyproxy wants', async () => {
    await using tinyproxy = await startTinyproxy(knowing.port, { login: 'ana pass' });
    expect(await salon({ HTTPS_PROXY: `http://ana:pass@127.0.0.1:${tinyproxy.port}` })).toMatchObject(found);
    const refused = await salon({ HTTPS_PROXY: `http://ana:other@127.0.0.1:${tinyproxy.port}` });
    expect({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('rejected the user name and password');
  });

  it('names tinyproxy where it denies the salon', async () => {
    await using tinyproxy = await startTinyproxy(knowing.port, { denies: 'salon.test\n' });
    const { exitCode, stderr } = await salon({ HTTPS_PROXY: `127.0.0.1:${tinyproxy.port}` });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/did not connect .*: 403/),
    });
  });
});
