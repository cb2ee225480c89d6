import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../support/certificates.ts';
import { type Gateway, isInstalled } from '../support/gateway-process.ts';
import { startHaproxy, startNginx } from '../support/gateways.ts';
import { hang, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { createHome, runSalon } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { isLong } from '../support/speed.ts';

let authority: Authority;
let service: TestService;
beforeAll(async () => {
  authority = createAuthority();
  service = await openTestService({ clients: 120 });
});
afterAll(async () => {
  authority[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

/** Runs the built program against a gateway. */
async function salon(
  gateway: Gateway,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
) {
  using home = createHome();
  return await runSalon([...argv, '--retries', '0'], {
    home,
    env: {
      SALON_BASE_URL: `https://127.0.0.1:${gateway.port}`,
      SALON_API_KEY: service.keys.owner,
      SALON_CA_FILE: authority.file,
      ...env,
    },
  });
}

describe.skipIf(!isInstalled('nginx'))('behind nginx with TLS, HTTP/2 and gzip', () => {
  it('lists and changes clients', async () => {
    await using nginx = await startNginx(service.origin, { authority });
    const list = await salon(nginx, ['clients', 'list', '--json']);
    expect(list).toMatchObject({ exitCode: 0, stderr: '' });
    const clients = JSON.parse(list.stdout) as { id: string; notes: string }[];
    expect(new Set(clients.map(({ id }) => id)).size).toBe(120);
    const id = clients[0]?.id ?? '';
    const update = await salon(nginx, ['clients', 'update', id, '--set', 'notes=behind gzip', '--yes']);
    expect({ exitCode: update.exitCode, stderr: update.stderr }).toMatchObject({ exitCode: 0 });
    const { stdout } = await salon(nginx, ['clients', 'get', id, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ notes: 'behind gzip' });
  });

  it.skipIf(!isLong)('trusts the authority in NODE_EXTRA_CA_CERTS, and no unknown one', async () => {
    await using nginx = await startNginx(service.origin, { authority });
    const argv = ['clients', 'list', '--limit', '1'];
    const trusted = await salon(nginx, argv, {
      SALON_CA_FILE: undefined,
      NODE_EXTRA_CA_CERTS: authority.file,
    });
    expect(trusted).toMatchObject({ exitCode: 0 });
    const unknown = await salon(nginx, argv, { SALON_CA_FILE: undefined });
    expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/is not trusted: .*\n.*--ca-file/);
  });

  it('gets through mutual TLS with a client certificate, and says when it is missing', async () => {
    const server = [`ssl_client_certificate ${authority.file};`, 'ssl_verify_client on;'];
    await using nginx = await startNginx(service.origin, { authority, server });
    const { cert, key } = authority.issue('till');
    const argv = ['clients', 'list', '--limit', '1'];
    const accepted = await salon(nginx, [...argv, '--client-cert', cert, '--client-key', key]);
    expect(accepted).toMatchObject({ exitCode: 0 });
    const refused = await salon(nginx, argv);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('No required SSL certificate was sent');
  });

  it.skipIf(!isLong)(
    'gets through a gateway that wants a header, and names its pages otherwise',
    async () => {
      const location = ['if ($http_x_gateway != "open-17") { return 403; }'];
      await using nginx = await startNginx(service.origin, { authority, location });
      const argv = ['clients', 'list', '--limit', '1', '--debug'];
      const accepted = await salon(nginx, [...argv, '--header', 'X-Gateway: open-17']);
      expect(accepted).toMatchObject({ exitCode: 0 });
      expect(accepted.stderr).not.toContain('open-17');
      const refused = await salon(nginx, argv);
      expect(refused).toMatchObject({ stdout: '' });
      expect(refused.stderr).toContain('titled "403 Forbidden"');
    },
  );

  it.skipIf(!isLong).each([
    ['a body that is too large for it', ['client_max_body_size 100;'], 1, /413|too large/i],
    ['its own sign-in', ['auth_basic "staff";', 'auth_basic_user_file FOLDER/users;'], 4, /401/],
    ['a service that is down', ['proxy_pass http://127.0.0.1:1;', 'set $x 1;'], 5, /502/],
  ])('answers %s as an error', async (_what, location, exitCode, message) => {
    const down = location[0]?.startsWith('proxy_pass') === true;
    const files = { users: 'ana:{PLAIN}pass\n' };
    const options = { authority, location: down ? [] : location, files };
    await using nginx = await startNginx(down ? 'http://127.0.0.1:1' : service.origin, options);
    const notes = 'x'.repeat(200);
    const result = await salon(nginx, [
      'clients',
      'create',
      '--set',
      'first_name=Ana',
      '--set',
      `notes=${notes}`,
    ]);
    expect({ ...result, stderr: '' }).toMatchObject({ exitCode, stdout: '' });
    expect(result.stderr).toMatch(message);
  });
});

describe.skipIf(!isLong || !isInstalled('haproxy'))('behind haproxy with TLS', () => {
  it('lists clients', async () => {
    await using haproxy = await startHaproxy(service.origin, { authority });
    const { exitCode, stdout } = await salon(haproxy, ['clients', 'list', '--json']);
    expect({ exitCode, rows: JSON.parse(stdout).length }).toEqual({ exitCode: 0, rows: 120 });
  });

  it.each([
    ['without a server', async () => 'http://127.0.0.1:1', /503/],
    ['with a server that hangs', openHanging, /504/],
  ])('exits 5 %s', async (_what, open, message) => {
    await using stack = new AsyncDisposableStack();
    const upstream = await open(stack);
    const haproxy = stack.use(await startHaproxy(upstream, { authority, serverTimeout: '200ms' }));
    const { exitCode, stdout, stderr } = await salon(haproxy, ['clients', 'list']);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 5,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  const requires = () => `ca-file ${authority.file} verify required`;

  it('gets through mutual TLS with a client certificate', async () => {
    await using haproxy = await startHaproxy(service.origin, { authority, bind: requires() });
    const { cert, key } = authority.issue('till');
    const argv = ['clients', 'list', '--limit', '1', '--client-cert', cert, '--client-key', key];
    expect(await salon(haproxy, argv)).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['no client certificate', '', () => undefined, /requires a client certificate/],
    [
      'no client certificate over TLS 1.2',
      'ssl-max-ver TLSv1.2',
      () => undefined,
      /refused the TLS connection/,
    ],
    [
      'an expired one',
      '',
      () => authority.issue('old', { fromDays: -3, toDays: -1 }),
      /rejected the client cert/,
    ],
    ['one of another authority', '', issueForeign, /rejected the client certificate/],
  ])('exits 1 with %s, and a write is not in doubt', async (_what, version, issue, message) => {
    await using haproxy = await startHaproxy(service.origin, { authority, bind: `${requires()} ${version}` });
    const files = issue();
    const flags = files === undefined ? [] : ['--client-cert', files.cert, '--client-key', files.key];
    const result = await salon(haproxy, ['clients', 'create', '--set', 'first_name=Ana', ...flags]);
    expect({ ...result, stderr: '' }).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toContain('may have');
  });

  let foreign: Authority | undefined;
  afterAll(() => foreign?.[Symbol.dispose]());

  function issueForeign() {
    foreign = createAuthority();
    return foreign.issue('foreign');
  }
});

async function openHanging(stack: AsyncDisposableStack): Promise<string> {
  return stack.use(await openMisbehavingServer(() => hang)).origin;
}
