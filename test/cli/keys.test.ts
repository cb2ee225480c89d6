import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../support/io.ts';
import { openSharedService, type SharedService } from '../support/service.ts';

let service: SharedService;
let machine: Machine;
beforeEach(async () => {
  service = await openSharedService();
  machine = createMachine();
  await salon(['auth', 'login', '--base-url', service.origin], { stdin: service.keys.owner });
});
afterEach(async () => {
  machine[Symbol.dispose]();
});

function salon(argv: readonly string[], world?: RunOptions) {
  return machine.salon(argv, world);
}

async function read(argv: readonly string[]) {
  const ran = await salon([...argv, '--json']);
  expect(ran, argv.join(' ')).toMatchObject({ exitCode: 0 });
  return JSON.parse(ran.stdout);
}

const create = ['keys', 'create', '--role', 'viewer', '--name'];

function whoami(key: string) {
  return salon(['whoami', '--check', '--json'], {
    env: { SALON_BASE_URL: service.origin, SALON_API_KEY: key },
  });
}

describe('salon keys', () => {
  it('creates a key that is shown once, and lists it without', async () => {
    const ran = await salon([
      ...create,
      'Website',
      '--scopes',
      'clients:read',
      '--expires',
      'never',
      '--json',
    ]);
    expect(ran.stderr).toContain('The key is shown only once');
    const { key, id } = JSON.parse(ran.stdout);
    expect((await whoami(key)).exitCode).toBe(0);
    const listed = await salon(['keys', 'list', '--json']);
    expect(listed.stdout).not.toContain(key);
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ id, name: 'Website', scopes: ['clients:read'], expires_at: null }),
    );
  });

  it('saves a key to a new file that only its owner can read', async () => {
    const ran = await salon([...create, 'Till', '--key-file', 'till.key', '--json']);
    expect(ran.exitCode).toBe(0);
    const file = join(machine.home, 'till.key');
    const key = readFileSync(file, 'utf8').trim();
    expect(ran.stdout + ran.stderr).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await whoami(key)).exitCode).toBe(0);
    const again = await salon([...create, 'Till', '--key-file', 'till.key']);
    expect(again).toMatchObject({ exitCode: 2 });
    expect(again.stderr).toContain('--key-file till.key already exists');
    expect(
      (await read(['keys', 'list'])).filter(({ name }: { name: string }) => name === 'Till'),
    ).toHaveLength(1);
  });

  it("rolls the profile's own key and saves the new one, in every profile that has it", async () => {
    await salon(['auth', 'login', '--base-url', service.origin, '-p', 'second'], {
      stdin: service.keys.owner,
    });
    const ran = await salon(['keys', 'roll']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stdout + ran.stderr).toMatch(
      /Rolled API key "owner".*Profiles default, second have the new one/,
    );
    expect(ran.stdout + ran.stderr).not.toMatch(/slk_[0-9A-Za-z]{36}/);
    for (const profile of ['default', 'second']) {
      const me = await salon(['api', 'GET', '/me', '-p', profile, '--json']);
      expect(JSON.parse(me.stdout).key.expires_at).toBeNull();
    }
    expect((await whoami(service.keys.owner)).exitCode).toBe(0);
    const [former] = (await read(['keys', 'list'])).filter(({ name }: { name: string }) => name === 'owner');
    expect(former).toMatchObject({ replaced_by: expect.stringMatching(/^key_/), status: 'active' });
  });

  it('rolls another key and shows the new one; without an overlap the old one stops', async () => {
    const { key, prefix } = await read([...create, 'Leaked']);
    const rolled = await read(['keys', 'roll', prefix, '--overlap', '0']);
    expect((await whoami(key)).exitCode).toBe(4);
    expect((await whoami(rolled.key)).exitCode).toBe(0);
    expect((await read(['api', 'GET', '/me'])).role).toBe('owner');
  });

  it('rolls the newest key with a name again, and revokes only what is certain', async () => {
    await read([...create, 'Twice']);
    const second = await read(['keys', 'roll', 'Twice']);
    const third = await read(['keys', 'roll', 'Twice']);
    expect(third.former_id).toBe(second.id);
    const refused = await salon(['keys', 'revoke', 'Twice', '--yes']);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('3 API keys match "Twice"');
    for (const id of [second.id, second.former_id]) await read(['keys', 'revoke', id, '--yes']);
    await read(['keys', 'revoke', 'Twice', '--yes']);
    expect((await whoami(third.key)).exitCode).toBe(4);
  });

  it('revokes a key by its name after confirmation, and warns about the key in use', async () => {
    const { key } = await read([...create, 'Old till']);
    const asked = await salon(['keys', 'revoke', 'old till']);
    expect(asked).toMatchObject({ exitCode: 8 });
    expect(asked.stderr).toContain('Programs that use it stop working at once');
    expect((await whoami(key)).exitCode).toBe(0);
    expect((await salon(['keys', 'revoke', 'old till', '--yes'])).exitCode).toBe(0);
    expect((await whoami(key)).exitCode).toBe(4);
    const own = await salon(['keys', 'revoke', 'owner']);
    expect(own.stderr).toContain('You are using this key');
  });

  it('says what ends with the key in use, refuses to outlast it, and revokes all of it', async () => {
    const parent = await read(['keys', 'create', '--role', 'owner', '--name', 'Parent', '--expires', '+30d']);
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: parent.key };
    const refused = await salon([...create, 'Late', '--expires', 'never'], { env });
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain(
      `must not be after ${parent.expires_at}, when the credential in use ends`,
    );
    const child = await salon([...create, 'Child', '--json'], { env });
    expect(child.stderr).toContain('It ends with the key or sign-in that created it.');
    const { key, expires_at } = JSON.parse(child.stdout);
    expect(expires_at).toBe(parent.expires_at);
    const rolled = await salon(['keys', 'roll', parent.id, '--dry-run']);
    expect(rolled).toMatchObject({ exitCode: 0 });
    const grown = await read(['keys', 'create', '--role', 'owner', '--name', 'Grown']);
    await salon([...create, 'Leaf'], { env: { ...env, SALON_API_KEY: grown.key } });
    const over = await salon(['keys', 'roll', grown.id, '--json']);
    expect(over.stderr).toContain('; the old one and everything it created (1) work until ');
    const asked = await salon(['keys', 'revoke', parent.id]);
    expect(asked).toMatchObject({ exitCode: 8 });
    expect(asked.stderr).toContain(
      'and everything it created (1)? Programs that use it stop working at once.',
    );
    const revoked = await salon(['keys', 'revoke', parent.id, '--yes']);
    expect(revoked.stdout + revoked.stderr).toContain('and everything it created (1).');
    expect((await whoami(key)).exitCode).toBe(4);
  });

  it('refuses to roll the key that created the one in use, and says who can', async () => {
    const withKey = (key: string) => ({ env: { SALON_BASE_URL: service.origin, SALON_API_KEY: key } });
    const parent = await read(['keys', 'create', '--role', 'owner', '--name', 'Parent', '--expires', '+30d']);
    const argv = ['keys', 'create', '--role', 'owner', '--name', 'Child', '--json'];
    const child = JSON.parse((await salon(argv, withKey(parent.key))).stdout);
    for (const overlap of [[], ['--overlap', '0']]) {
      const roll = ['keys', 'roll', 'Parent', ...overlap, '--key-file', 'parent-2.key'];
      const refused = await salon(roll, withKey(child.key));
      expect(refused).toMatchObject({ exitCode: 10, stdout: '' });
      expect(refused.stderr).toContain('and ends with it. Let a person do that, or the key itself.');
    }
    expect(existsSync(join(machine.home, 'parent-2.key'))).toBe(false);
    expect((await whoami(parent.key)).exitCode).toBe(0);
    expect((await salon(['keys', 'roll', 'Parent', '--json'], withKey(parent.key))).exitCode).toBe(0);
  });

  it.each([
    ['an unknown name', ['revoke', 'Nobody', '--yes'], 6, 'No active or expired API key matches "Nobody"'],
    ['a name of several keys', ['revoke', 'Twin', '--yes'], 2, '2 API keys match "Twin"'],
    [
      'an unknown scope',
      ['create', '--name', 'x', '--role', 'viewer', '--scopes', 'clients:raed'],
      2,
      'clients:read',
    ],
    [
      'an expiry in the past',
      ['create', '--name', 'x', '--role', 'viewer', '--expires', '2020-01-01'],
      2,
      'in the past',
    ],
    [
      'a stylist for another role',
      ['create', '--name', 'x', '--role', 'viewer', '--stylist', 'Mia'],
      2,
      'stylist',
    ],
    [
      'a host name',
      ['create', '--name', 'x', '--role', 'viewer', '--addresses', 'example.com'],
      1,
      'IP address',
    ],
    ['an overlap of nine days', ['roll', '--overlap', '200h'], 2, 'at most 7 days'],
    ['no key to show', ['create', '--name', 'x', '--role', 'viewer', '-c', 'id'], 2, 'shown only once'],
  ])('refuses %s and changes nothing', async (_, argv, exitCode, message) => {
    for (let count = 0; count < 2; count++) await read([...create, 'Twin']);
    const before = await read(['keys', 'list', '--status', 'active,expired,revoked']);
    const ran = await salon(['keys', ...argv]);
    expect(ran.exitCode, ran.stderr).toBe(exitCode);
    expect(ran.stderr).toContain(message);
    const after = await read(['keys', 'list', '--status', 'active,expired,revoked']);
    expect(after.map(({ last_used_at: _used, ...key }: Record<string, unknown>) => key)).toEqual(
      before.map(({ last_used_at: _used, ...key }: Record<string, unknown>) => key),
    );
  });

  it('has keys that start with slk_test_ in a sandbox account', async () => {
    const on = ['--database', 'sqlite:trial.db'];
    const account = await read(['server', 'accounts', 'create', '--name', 'Trial', '--sandbox', ...on]);
    expect(account).toMatchObject({ sandbox: true });
    const { key } = await read(['server', 'keys', 'create', '--role', 'owner', '--name', 'k', ...on]);
    expect(key).toMatch(/^slk_test_[0-9A-Za-z]{36}$/);
    const [listed] = await read(['server', 'keys', 'list', ...on]);
    expect(listed).toMatchObject({ name: 'k', prefix: key.slice(0, 13), created_by: null, status: 'active' });
  });

  it('explains an allowed address at sign-in, instead of asking what kind of server it is', async () => {
    const made = await read([...create, 'Elsewhere', '--addresses', '203.0.113.7']);
    const refused = await salon(['auth', 'login', '-p', 'elsewhere', '--base-url', service.origin], {
      stdin: made.key,
    });
    expect(refused).toMatchObject({ exitCode: 10 });
    expect(refused.stderr).toContain('This API key may not be used from');
    expect(refused.stderr).toContain('Use the key from an allowed address');
    expect(refused.stderr).not.toContain('--dialect');
  });

  it('changes nothing in dry runs', async () => {
    const before = (await read(['keys', 'list'])).length;
    for (const argv of [
      ['create', '--name', 'x', '--role', 'viewer'],
      ['roll', 'viewer'],
      ['revoke', 'viewer'],
    ]) {
      const ran = await salon(['keys', ...argv, '--dry-run', '--json']);
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(ran.stdout).not.toContain('slk_');
    }
    expect(await read(['keys', 'list'])).toHaveLength(before);
    expect(existsSync(join(machine.home, 'x'))).toBe(false);
  });

  it('says that a server without the endpoint has none', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end('{"error":"none"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { SALON_BASE_URL: `http://127.0.0.1:${port}`, SALON_API_KEY: 'k' };
    const ran = await salon(['keys', 'list'], { env });
    server.close();
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('This server does not support GET /api-keys.');
  });
});
