import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { type OidcServer, type OidcServerOptions, openOidcServer } from '../../support/oidc-server.ts';
import { loginAndVisit, openInBrowser, type Visit } from '../../support/sign-in-elsewhere.ts';

let machine: Machine;
let server: OidcServer;
beforeEach(async () => {
  machine = createMachine();
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function login(options: OidcServerOptions = {}, argv: readonly string[] = [], visit?: Visit) {
  server = await openOidcServer(options);
  const all = ['--base-url', server.origin, '--client-id', 'studio-app', ...argv];
  return loginAndVisit(machine, all, visit ?? openInBrowser(server.origin));
}

const readConfig = () => readFileSync(join(machine.home, '.config/salon/config.json'), 'utf8');

describe('signing in with the browser', () => {
  it('works on a server with OpenID metadata, and commands use the token', async () => {
    const ran = await login();
    expect(ran.stderr).toContain(`Signed in to ${server.origin}. Now using profile default.`);
    expect(ran.page).toContain('You are signed in');
    expect(ran.exitCode).toBe(0);
    const listed = await machine.salon(['clients', 'list', '-c', 'first_name']);
    expect(listed).toMatchObject({ stdout: 'first_name\nZoe\n', exitCode: 0 });
    expect(server.grants).toEqual(['authorization_code']);
  });

  it('asks with PKCE, a state and a loopback address, and for what keeps the sign-in', async () => {
    let asked = new URLSearchParams();
    await login({}, [], (address) => {
      asked = new URL(address).searchParams;
      return openInBrowser(server.origin)(address, '');
    });
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'studio-app',
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      scope: 'openid offline_access',
      state: expect.stringMatching(/^.{43}$/),
    });
    expect(asked.get('code_challenge')).toHaveLength(43);
  });

  it('stores the tokens in a file for its owner only where there is no keyring', async () => {
    await login();
    const [token = 'none'] = (await machine.salon(['clients', 'list'])) && server.accepted;
    expect(readConfig()).toContain(token);
    expect(statSync(join(machine.home, '.config/salon/config.json')).mode & 0o777).toBe(0o600);
  });

  it('says in status how it is signed in, and until when', async () => {
    await login();
    const { stdout, stderr } = await machine.salon(['auth', 'status', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'oauth',
      stored_in: 'file',
      expires_at: expect.any(String),
    });
    expect(stderr).toMatch(
      /as the app studio-app, stored in the profile file\. The access token is valid until .* and renewed automatically\./,
    );
  });

  it('exits with 4 when the person declines', async () => {
    const ran = await login({ declines: true });
    expect(ran.stderr).toContain('error: The sign-in was declined: Ana does not want to.');
    expect(ran.page).toContain('The sign-in failed');
    expect(ran.exitCode).toBe(4);
  });

  it('ignores requests of other pages while it waits', async () => {
    const statuses: number[] = [];
    const ran = await login({}, [], async (address) => {
      const redirect = new URL(address).searchParams.get('redirect_uri') ?? '';
      const state = new URL(address).searchParams.get('state') ?? '';
      const attempts: [string, RequestInit?][] = [
        [`${redirect}?error=access_denied&state=guessed`],
        [`${redirect}?code=stolen`],
        [`${redirect}?code=stolen&state=${state}x`],
        [`${redirect}?code=stolen&state=${state}`, { method: 'POST' }],
        [redirect.replace('/callback', '/')],
        [`${redirect.replace('127.0.0.1', 'localhost')}?code=stolen&state=${state}`],
      ];
      for (const [url, init] of attempts) statuses.push((await fetch(url, init)).status);
      return openInBrowser(server.origin)(address, '');
    });
    expect(statuses).toEqual([400, 400, 400, 405, 404, 400]);
    expect(ran.exitCode).toBe(0);
  });

  it('refuses a code that another server sends (mix-up)', async () => {
    const ran = await login({}, [], async (address) => {
      const { searchParams } = new URL(address);
      const [redirect, state] = [searchParams.get('redirect_uri'), searchParams.get('state')];
      const page = await fetch(
        `${redirect}?code=c&state=${state}&iss=${encodeURIComponent('https://evil.example')}`,
      );
      return page.text();
    });
    expect(ran.stderr).toContain('did not respond like an OAuth server');
    expect(ran.exitCode).toBe(1);
    expect(server.grants).toEqual([]);
  });

  it('works with a clock that is wrong by ten minutes, either way', async () => {
    for (const minutes of [-10, 10]) {
      const now = new Date(Date.now() + minutes * 60_000);
      server = await openOidcServer();
      const argv = ['--base-url', server.origin, '--client-id', 'studio-app'];
      const ran = await loginAndVisit(machine, argv, openInBrowser(server.origin), { now });
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect((await machine.salon(['clients', 'list'], { now })).exitCode).toBe(0);
      if (minutes < 0) await server[Symbol.asyncDispose]();
    }
  });

  it('does not ask for a sign-in that cannot be saved', async () => {
    server = await openOidcServer();
    const argv = ['auth', 'login', '--base-url', server.origin, '--client-id', 'studio-app'];
    const ran = await machine.salon(argv, { columns: 100, env: { SALON_CONFIG_DIR: '/proc/nowhere' } });
    expect(ran.stderr).toContain('Cannot save profiles');
    expect(ran.stderr).not.toContain('browser');
    const named = await machine.salon([...argv, '-p', 'not a name'], { columns: 100 });
    expect(named.stderr).toContain('"not a name" is not a valid profile name.');
    expect(named.exitCode).toBe(2);
  });

  it('says that a key in the environment comes first', async () => {
    server = await openOidcServer();
    const argv = ['--base-url', server.origin, '--client-id', 'studio-app'];
    const env = { SALON_API_KEY: 'sk_other' };
    const ran = await loginAndVisit(machine, argv, openInBrowser(server.origin), { env });
    expect(ran.stderr).toContain(
      'warning: SALON_API_KEY is set, so commands without --profile use that key instead.',
    );
    expect(ran.exitCode).toBe(0);
  });

  it('ends a sign-in at once that the API does not accept', async () => {
    const ended: string[] = [];
    const ran = await login({
      intercept({ url = '', method = '' }, response) {
        if (url.includes('revocation')) ended.push(method);
        if (!url.includes('/clients')) return false;
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_token"}');
        return true;
      },
    });
    expect(ran.exitCode).toBe(4);
    expect(ended).toEqual(['POST']);
    expect((await machine.salon(['profiles', 'list', '--json'])).stdout.trim()).toBe('[]');
  });

  it('names the port that another program has', async () => {
    server = await openOidcServer();
    const { port } = new URL(server.origin);
    const argv = [
      'auth',
      'login',
      '--base-url',
      server.origin,
      '--client-id',
      'studio-app',
      '--callback-port',
      port,
    ];
    const ran = await machine.salon(argv, { columns: 100, env: { BROWSER: '/bin/true' } });
    expect(ran.stderr).toContain(`error: Cannot listen on 127.0.0.1:${port} for the browser`);
    expect(ran.exitCode).toBe(2);
  });

  it('leaves tokens out of a support bundle', async () => {
    await login();
    await machine.salon(['doctor', '--bundle', 'support.zip']);
    const [token = 'none'] = server.accepted;
    const files = Object.values(unzipSync(readFileSync(join(machine.home, 'support.zip')))).map((bytes) =>
      strFromU8(bytes),
    );
    expect(files.join()).toContain('"client_id": "studio-app"');
    expect(files.join()).not.toContain(token);
    expect(files.join()).not.toContain('refresh');
  });

  it('stops waiting when it is interrupted, and saves nothing', async () => {
    const interrupt = new AbortController();
    server = await openOidcServer();
    const argv = ['--base-url', server.origin, '--client-id', 'studio-app'];
    const visit = async () => {
      interrupt.abort('SIGINT');
      return '';
    };
    const ran = await loginAndVisit(machine, argv, visit, { signal: interrupt.signal });
    expect(ran.exitCode).toBe(130);
    expect((await machine.salon(['profiles', 'list', '--json'])).stdout.trim()).toBe('[]');
  });

  it('shows codes and tokens neither with --debug nor in a trace', async () => {
    const ran = await login({}, ['--debug', '--trace', 'trace.har']);
    const listed = await machine.salon(['clients', 'list', '--debug', '--trace', 'list.har']);
    const [token = 'none'] = server.accepted;
    const traces = ['trace.har', 'list.har'].map((file) => readFileSync(join(machine.home, file), 'utf8'));
    for (const text of [ran.stderr, listed.stderr, ...traces]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain('code_verifier');
    }
  });
});
