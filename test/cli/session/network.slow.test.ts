import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../../support/certificates.ts';
import { openConnectProxy } from '../../support/connect-proxy.ts';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';
import { openTlsServer } from '../../support/tls-server.ts';

let authority: Authority;
beforeAll(() => {
  authority = createAuthority();
});
afterAll(() => authority[Symbol.dispose]());

const answer = ({ path }: Received) =>
  path.endsWith('/me')
    ? json({}, { status: 404 })
    : json({ data: [], pagination: { page: 1, per_page: 1, total: 0 } });

const key = { SALON_API_KEY: 'slk_test' };

describe('the network settings', () => {
  it('of flags, environment and profile are used in this order, and shown with their source', async () => {
    await using server = await openMisbehavingServer(answer);
    using machine = createMachine({ env: key });
    const login = [
      'auth',
      'login',
      '--base-url',
      server.origin,
      '--header',
      'X-Gateway: from-login',
      '-p',
      'shop',
    ];
    expect((await machine.salon(login, { stdin: 'slk_test' })).exitCode).toBe(0);
    await machine.salon(['profiles', 'set', 'shop', 'header.X-Tenant', 'secret-17']);
    await machine.salon(['clients', 'list', '-p', 'shop', '--header', 'X-Gateway: from-flag'], {
      env: { SALON_HEADERS: 'X-Gateway: from-env\nX-Env: yes' },
    });
    expect(server.received[0]?.headers).toMatchObject({ 'x-gateway': 'from-login' });
    expect(server.received.at(-1)?.headers).toMatchObject({
      'x-gateway': 'from-flag',
      'x-tenant': 'secret-17',
      'x-env': 'yes',
    });
    const { stdout } = await machine.salon(['profiles', 'show', 'shop']);
    expect(stdout).toMatch(/header\.x-tenant\t…\tprofile/);
    expect(stdout).not.toContain('secret-17');
  });

  it('of a profile are not sent to another origin', async () => {
    await using own = await openMisbehavingServer(answer);
    await using other = await openMisbehavingServer(answer);
    using machine = createMachine({ env: key });
    await machine.salon(['auth', 'login', '--base-url', own.origin, '--header', 'X-Gateway: secret'], {
      stdin: 'slk_test',
    });
    const { exitCode } = await machine.salon(['clients', 'list', '--base-url', other.origin]);
    expect(exitCode).toBe(0);
    expect(other.received[0]?.headers).not.toHaveProperty('x-gateway');
  });

  it('that were saved are removed with "none"', async () => {
    using machine = createMachine();
    await machine.salon(['auth', 'login', '--base-url', 'http://127.0.0.1:1'], { stdin: 'slk_test' });
    await using server = await openMisbehavingServer(answer);
    await machine.salon(['auth', 'login', '--base-url', server.origin], { stdin: 'slk_test' });
    for (const [setting, value] of [
      ['ca_file', 'ca.pem'],
      ['header.X-A', 'secret'],
    ] as const) {
      const { stderr } = await machine.salon(['profiles', 'set', 'default', setting, value]);
      expect(stderr).not.toContain('secret');
      expect(readConfig(machine.home)).toContain(value);
      const removed = await machine.salon(['profiles', 'set', 'default', setting, 'none']);
      expect(removed.stderr).toContain('is none.');
      expect(readConfig(machine.home)).not.toContain(value);
    }
  });

  it('trust the authority of --ca-file, also when it is saved', async () => {
    const names = ['IP:127.0.0.1'];
    await using server = await openTlsServer(authority.issue('server', { names }));
    using machine = createMachine();
    copyFileSync(authority.file, join(machine.home, 'ca.pem'));
    const login = ['auth', 'login', '--base-url', server.origin];
    const refused = await machine.salon(login, { stdin: 'slk_test' });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/certificate of .* is not trusted/);
    expect((await machine.salon([...login, '--ca-file', 'ca.pem'], { stdin: 'slk_test' })).exitCode).toBe(0);
    expect((await machine.salon(['clients', 'get', 'cli_1'])).exitCode).toBe(0);
  });

  it.each([
    [['--ca-file', 'missing.pem'], /missing\.pem/],
    [['--client-key', 'client.key'], /client key needs a client certificate/],
    [['--header', 'no-colon'], /--header needs "Name: value"/],
    [['--header', 'Host: evil'], /header host cannot be set/],
  ])('%j are exit 2', async (flags, message) => {
    using machine = createMachine({ env: { ...key, SALON_BASE_URL: 'http://127.0.0.1:1' } });
    const { exitCode, stdout, stderr } = await machine.salon(['clients', 'list', ...flags]);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  it('that replace the API key are said', async () => {
    await using server = await openMisbehavingServer(answer);
    using machine = createMachine({ env: { ...key, SALON_BASE_URL: server.origin } });
    const { stderr } = await machine.salon(['clients', 'list', '--header', 'Authorization: Token abc']);
    expect(stderr).toContain('warning: The Authorization header from the flag replaces the API key.');
    expect(server.received[0]?.headers.authorization).toBe('Token abc');
  });
});

describe('a command behind a proxy', () => {
  const env = { ...key, SALON_BASE_URL: 'https://salon.test' };

  it('reaches a host that only the proxy knows', async () => {
    await using server = await openTlsServer(authority.issue('salon.test', { names: ['DNS:salon.test'] }));
    await using proxy = await openConnectProxy({ hosts: { 'salon.test:443': server.port } });
    using machine = createMachine({ env: { ...env, https_proxy: `127.0.0.1:${proxy.port}` } });
    const { exitCode, stdout } = await machine.salon([
      'clients',
      'get',
      'cli_1',
      '--json',
      '--ca-file',
      authority.file,
    ]);
    expect({ exitCode, record: JSON.parse(stdout) }).toEqual({ exitCode: 0, record: { id: 'cli_1' } });
  });

  it.each([
    [
      'rejects the password',
      'http://ana:s3cret@',
      1,
      /proxy http:.*\(HTTPS_PROXY\) requires|rejected the user name/,
    ],
    ['does not know the host', 'http://', 5, /did not connect to salon\.test:443: 502/],
    ['is a SOCKS proxy', 'socks5://', 2, /HTTPS_PROXY is a SOCKS proxy/],
  ])('that %s fails without retries being endless or secrets shown', async (what, scheme, code, message) => {
    const authorization = what === 'rejects the password' ? { authorization: 'Basic other' } : {};
    await using proxy = await openConnectProxy(authorization);
    using machine = createMachine({ env: { ...env, HTTPS_PROXY: `${scheme}127.0.0.1:${proxy.port}` } });
    const { exitCode, stdout, stderr } = await machine.salon([
      'clients',
      'list',
      '--debug',
      '--retries',
      '1',
    ]);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: code,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect(stderr).not.toContain('s3cret');
  });
});

function readConfig(home: string): string {
  const path = join(home, '.config', 'salon', 'config.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  return readFileSync(path, 'utf8');
}
