import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presetNames } from '../../src/client/dialect/presets.ts';
import { createMachine, type Machine, type RunOptions } from '../support/io.ts';
import { json, type MisbehavingServer, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { kinds } from '../support/servers/kinds.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine[Symbol.dispose]());

function login(baseUrl: string, argv: readonly string[] = [], options: RunOptions = {}) {
  return machine.salon(['auth', 'login', '--base-url', baseUrl, ...argv], { stdin: 'sk_test', ...options });
}

async function readSettings(options: RunOptions = {}): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await machine.salon(['profiles', 'show', '--json'], options);
  const rows: { setting: string; value: string | null; from: string }[] = JSON.parse(stdout);
  return Object.fromEntries(rows.map(({ setting, value, from }) => [setting, `${value} (${from})`]));
}

/** A server whose clients are `people` below /crm, in pages named by `p` and `n`. */
function openCrm(): Promise<MisbehavingServer> {
  const people = Array.from({ length: 5 }, (_, index) => ({ id: `p${index}`, first_name: 'Ana' }));
  return openMisbehavingServer(({ path, query }) => {
    if (path !== '/crm/people') return json({ message: 'No such page' }, { status: 404 });
    const [page, size] = [Number(query.get('p') ?? 1), Number(query.get('n') ?? 2)];
    return json({ items: people.slice((page - 1) * size, page * size), total: people.length });
  });
}

const crm = { prefix: '/crm', resources: { clients: 'people' }, pageParameter: 'p', perPageParameter: 'n' };

describe('auth login on another kind of server', () => {
  it('is tried with a stub of every ready-made dialect, in test/support/servers/kinds.ts', () => {
    expect(new Set(kinds.map(({ dialect }) => dialect))).toEqual(new Set(presetNames));
  });

  describe.each(kinds)('$name', (kind) => {
    it.each([[], ['--dialect', kind.dialect]])('works with "%s %s"', async (...argv) => {
      await using server = await kind.open({ count: 7 });
      const { exitCode, stderr } = await login(server.baseUrl, argv);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 0,
        stderr: expect.stringContaining('Now using profile'),
      });
      expect((await readSettings())['dialect']).toBe(`${kind.dialect} (profile)`);
      const listed = await machine.salon(['clients', 'list', '--json']);
      expect(JSON.parse(listed.stdout)).toHaveLength(7);
      expect(server.received.every(({ method }) => method === 'GET')).toBe(true);
    });
  });

  it('takes the dialect from a file, in either spelling', async () => {
    await using server = await openCrm();
    const { pageParameter, ...others } = crm;
    writeFileSync(
      join(machine.home, 'crm.json'),
      JSON.stringify({ ...others, page_parameter: pageParameter }),
    );
    const { exitCode, stderr } = await login(server.origin, ['--dialect', 'crm.json']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('Now using profile'),
    });
    const { stdout } = await machine.salon(['clients', 'list', '--json']);
    expect(JSON.parse(stdout)).toHaveLength(5);
    expect(await readSettings()).toMatchObject({
      'dialect.prefix': '"/crm" (profile)',
      'dialect.page_parameter': '"p" (profile)',
    });
  });

  it('takes every setting by flag', async () => {
    await using server = await openCrm();
    const flags = ['prefix=/crm', 'resources=clients=people', 'page_parameter=p', 'per_page_parameter=n'];
    const others = ['time-zone=Europe/Berlin', 'filter.q=find', 'dialect.headers.prefer=x', 'protected=true'];
    const argv = [...flags, ...others].flatMap((pair) => ['--set', pair]);
    expect((await login(server.origin, argv)).exitCode).toBe(0);
    expect(await readSettings()).toMatchObject({
      time_zone: 'Europe/Berlin (profile)',
      protected: 'true (profile)',
      'dialect.filter_names': '{"q":"find"} (profile)',
    });
    expect(server.received.at(-1)?.headers['prefer']).toBe('x');
  });

  it('asks at a terminal until the server answers', async () => {
    await using server = await openCrm();
    const answers = ['sk test', 'sk_test', '99', String(presetNames.length + 1), 'crm', '/wrong', 'people'];
    const again = [String(presetNames.length + 1), '/crm', 'people'];
    const { exitCode, stderr } = await login(server.origin, ['--plain'], {
      columns: 80,
      stdin: [...answers, ...again].map((line) => `${line}\n`).join(''),
    });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('An API key contains no spaces.');
    expect(stderr).toContain('Type a number from 1 to');
    expect(stderr).toContain('Type a path such as /api/v1, or empty.');
    expect(stderr.match(/not answer like the documented API: The server has nothing at/g)).toHaveLength(2);
    expect(await readSettings()).toMatchObject({
      'dialect.prefix': '"/crm" (profile)',
      'dialect.resources': '{"clients":"people"} (profile)',
    });
  });

  it('names the lists that the key may not read, and goes on', async () => {
    const people = [{ id: 'p1', first_name: 'Ana' }];
    await using server = await openMisbehavingServer(({ path }) => {
      if (path === '/clients') return json({ data: people, total: 1 });
      return json({ message: 'Not for reception' }, { status: path === '/payments' ? 403 : 404 });
    });
    const { exitCode, stderr } = await login(server.origin);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('This key may not read the payments at /payments: Not for reception'),
    });
    expect(stderr).toContain('No services at /services.');
  });

  it('saves nothing where no place has clients, and says what to do', async () => {
    await using server = await openMisbehavingServer(() =>
      json({ message: 'No such page' }, { status: 404 }),
    );
    const { exitCode, stdout, stderr } = await login(server.origin);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^error: No list of clients found at http:\/\/\S+: The server has nothing at \/clients\.\n {2}Say how this server differs, with --dialect square\|.*\n$/,
    );
    expect((await machine.salon(['profiles', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it.each([401, 429, 503])('looks nowhere else after %i', async (status) => {
    await using server = await openMisbehavingServer(() => json({}, { status }));
    await login(server.origin, ['--retries', '0', '--max-wait', '0s']);
    expect(server.received).toHaveLength(1);
  });

  it('shows what was detected apart from what is configured', async () => {
    const list = { data: [{ id: 'c1' }], pagination: { page: 1, per_page: 1, total: 1 } };
    await using server = await openMisbehavingServer(({ path }) =>
      path === '/v1/clients' ? json(list) : json({}, { status: 404 }),
    );
    expect((await login(server.origin)).exitCode).toBe(0);
    expect(await readSettings()).toMatchObject({ 'dialect.prefix': '"/v1" (detected)' });
    await machine.salon(['profiles', 'set', 'default', 'prefix', '/v1']);
    expect(await readSettings()).toMatchObject({ 'dialect.prefix': '"/v1" (profile)' });
  });

  it('ignores the /me of another API', async () => {
    const list = { data: [{ id: 'c1' }], pagination: { page: 1, per_page: 1, total: 1 } };
    await using server = await openMisbehavingServer(({ path }) =>
      json(path.endsWith('/me') ? { account: 7, role: null } : list),
    );
    const { exitCode, stderr } = await login(server.origin);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('Signed in to http'),
    });
  });

  it('sends nothing with --no-verify', async () => {
    await using server = await openCrm();
    const { exitCode, stderr } = await login(server.origin, ['--no-verify', '--set', 'prefix=/crm']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: /^Saved an unverified API key/ });
    expect(server.received).toEqual([]);
    expect(await readSettings()).toMatchObject({ 'dialect.prefix': '"/crm" (profile)' });
  });
});

describe('a dialect in the environment', () => {
  const inCi = (server: MisbehavingServer, dialect: Readonly<Record<string, string>>) => ({
    env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', ...dialect },
  });
  const variables = {
    SALON_DIALECT_PREFIX: '/crm',
    SALON_DIALECT_RESOURCES: '{"clients":"people"}',
    SALON_DIALECT_PAGE_PARAMETER: 'p',
    SALON_DIALECT_PER_PAGE_PARAMETER: 'n',
    SALON_DIALECT_FILTER_Q: 'find',
  };

  it('is enough without a profile, setting by setting', async () => {
    await using server = await openCrm();
    const { stdout } = await machine.salon(['clients', 'list', '--json'], inCi(server, variables));
    expect(JSON.parse(stdout)).toHaveLength(5);
    expect(await readSettings(inCi(server, variables))).toMatchObject({
      'dialect.prefix': '"/crm" (environment)',
      'dialect.filter_names': '{"q":"find"} (environment)',
    });
  });

  it('is enough as a file', async () => {
    await using server = await openCrm();
    writeFileSync(join(machine.home, 'crm.json'), JSON.stringify(crm));
    const { stdout } = await machine.salon(
      ['clients', 'list', '--json'],
      inCi(server, { SALON_DIALECT: 'crm.json' }),
    );
    expect(JSON.parse(stdout)).toHaveLength(5);
  });

  it('goes before the profile, member by member, and a flag before both', async () => {
    await using server = await openCrm();
    await login(server.origin, ['--no-verify', '--dialect', 'django', '--set', 'per_page=7']);
    const env = { SALON_DIALECT: 'spring', SALON_DIALECT_ROWS_KEY: 'none' };
    expect(await readSettings({ env })).toMatchObject({
      dialect: 'spring (environment)',
      'dialect.per_page_parameter': '"size" (environment)',
      'dialect.per_page': '7 (profile)',
      'dialect.list_path': '"/{resource}/" (profile)',
      'dialect.rows_key': 'null (environment)',
    });
    await login(server.origin, ['--no-verify', '--dialect', 'stripe', '-p', 'other'], { env });
    expect((await readSettings())['dialect']).toBe('stripe (profile)');
  });

  it.each([
    [{ SALON_DIALECT: 'shopify' }, /"shopify" is neither a ready-made dialect nor a file/],
    [{ SALON_DIALECT: './none.json' }, /Cannot read the dialect \.\/none\.json/],
    [{ SALON_DIALECT_COLOR: 'red' }, /SALON_DIALECT_COLOR is not a setting of a dialect/],
    [{ SALON_DIALECT_FIRST_PAGE: '7' }, /first_page.*whole number from 0 to 1/],
  ])('is refused: %j', async (variable, message) => {
    await using server = await openCrm();
    const { exitCode, stdout, stderr } = await machine.salon(['clients', 'list'], inCi(server, variable));
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect(server.received).toEqual([]);
  });
});
