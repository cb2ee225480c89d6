import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scopes } from '../../../src/contract/roles.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { writeAtRandom } from '../../support/random-writes.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let machine: Machine;
let path: string;
beforeEach(() => {
  machine = createMachine();
  path = join(machine.home, 'salon.db');
});
afterEach(() => machine[Symbol.dispose]());

function ask(query: string): Record<string, unknown>[] {
  using database = new DatabaseSync(path, { readOnly: true });
  return database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
}

describe('salon sync of our service', () => {
  let service: TestService;
  const env = () => ({ SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner });
  beforeAll(async () => {
    service = await openTestService({ clients: 40, appointments: 60 });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function read(...argv: string[]) {
    const ran = await machine.salon(argv, { env: env() });
    expect(ran.exitCode, ran.stderr).toBe(0);
    return ran;
  }

  /** Syncs, and compares the copy with the lists. Returns what the sync has said. */
  async function check(): Promise<string> {
    const { stderr } = await read('sync', 'salon.db', '--debug');
    const lists = [
      'clients',
      'appointments',
      'payments',
      'stylists',
      'services',
      'waitlist',
      'blocked-times',
    ];
    for (const list of lists) {
      const { stdout } = await read('api', 'GET', `/${list}`, '--paginate', '-f', 'ndjson');
      const listed = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const copied = ask(`select raw from ${list.replace('-', '_')} order by id`);
      expect(copied.map(({ raw }) => JSON.parse(String(raw)))).toEqual(
        listed.sort((one, other) => (one.id < other.id ? -1 : 1)),
      );
    }
    return stderr;
  }

  it('has what its lists have, by changes alone after the first sync', async () => {
    expect(await check()).toContain('/appointments');
    const random = createRandomNumbers(42);
    for (let round = 0; round < 8; round += 1) {
      await service.asOperator(async (operator) => {
        for (let count = 0; count < 40; count += 1) await writeAtRandom(operator, random);
      });
      expect(await check()).not.toContain('/appointments');
    }
  });

  it('is one request for a quiet night', async () => {
    writeFileSync(join(machine.home, 'key'), service.keys.owner, { mode: 0o600 });
    const signIn = ['auth', 'login', '--base-url', service.origin, '--key-file', 'key'];
    expect(await machine.salon(signIn)).toMatchObject({ exitCode: 0 });
    await machine.salon(['sync', 'salon.db']);
    const { stderr } = await machine.salon(['sync', 'salon.db', '--debug']);
    expect(stderr.match(/^→.*/gm)).toEqual([expect.stringContaining('/changes?')]);
  });

  it('reads the lists again once the position has expired', async () => {
    await check();
    using copy = new DatabaseSync(path);
    const other = await service.addAccount();
    const theirs = await machine.salon(['api', 'GET', '/changes'], {
      env: { ...env(), SALON_API_KEY: other.keys.owner },
    });
    copy.prepare('update salon_sync set position = ?').run(JSON.parse(theirs.stdout).position);
    copy.close();
    expect(await check()).toContain(
      'The complete lists are compared: the server no longer has all changes since the last time.',
    );
    expect(await check()).not.toContain('/appointments');
  });

  it('is refused with a key of another account', async () => {
    await check();
    const other = await service.addAccount();
    const ran = await machine.salon(['sync', 'salon.db'], {
      env: { ...env(), SALON_API_KEY: other.keys.owner },
    });
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('is a copy of another salon: Test salon at');
  });

  it('compares the lists with a key that may not read the feed', async () => {
    const { key } = await service.addKey({
      scopes: ['clients:read', 'appointments:read', 'stylists:read', 'payments:read'],
    });
    const ran = await machine.salon(['sync', 'salon.db'], { env: { ...env(), SALON_API_KEY: key } });
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain(
      'The complete lists are compared: the key may not read the feed of changes (changes:read).',
    );
  });

  const without = (...missing: string[]) =>
    service.addKey({ scopes: scopes.filter((scope) => !missing.includes(scope)) });

  it('leaves out what the key may not read, follows the rest, and has no table that would be empty', async () => {
    const { key } = await without('payments:read', 'clients:read');
    const first = await machine.salon(['sync', 'salon.db'], { env: { ...env(), SALON_API_KEY: key } });
    expect(first).toMatchObject({ exitCode: 0 });
    expect(first.stderr).toContain(
      'The copy has no clients. This needs an API key with the scope clients:read.',
    );
    expect(first.stderr).toContain(' (without payments, clients): ');
    const tables = "select name from sqlite_schema where name like '%s' order by name";
    expect(ask(tables.replace('%s', 'payments%'))).toEqual([]);
    expect(Object.keys(ask('select * from appointments_view limit 1')[0] ?? {})).toEqual(
      expect.arrayContaining(['stylist_name', 'local_start', 'price_units']),
    );
    expect(ask('select * from appointments_view limit 1')[0]).not.toHaveProperty('client_name');
    const sql = await machine.salon(['sql', 'salon.db', 'select * from payments_view'], { env: env() });
    expect(sql).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no such table') });
    const quiet = await machine.salon(['sync', 'salon.db', '--debug'], {
      env: { ...env(), SALON_API_KEY: key },
    });
    expect(quiet).toMatchObject({ exitCode: 0 });
    expect(quiet.stderr.match(/^→.*(?:changes|appointments).*/gm)).toEqual([
      expect.stringContaining('/changes?'),
    ]);
  });

  it('never drops a table or keeps an old one because the key can no longer read it', async () => {
    await check();
    const { key } = await without('payments:read');
    const ran = await machine.salon(['sync', 'salon.db'], { env: { ...env(), SALON_API_KEY: key } });
    expect(ran).toMatchObject({ exitCode: 10 });
    expect(ran.stderr).toContain(
      'To sync the copy without payments: --only waitlist,blocked_times,appointments,clients,services,stylists',
    );
    expect(ask('select count(*) > 0 as kept from payments')).toEqual([{ kept: 1 }]);
  });

  it('has the tables that --only names, until it names others', async () => {
    const names = () =>
      ask("select name from sqlite_schema where type = 'table' order by name").map(({ name }) => name);
    const own = ['clock', 'currencies', 'salon_sync'];
    await read('sync', 'salon.db', '--only', 'stylists,clients');
    expect(names()).toEqual([...own, 'clients', 'stylists'].toSorted());
    const email = String(ask('select email from clients where email is not null limit 1')[0]?.['email']);
    expect((await read('sync', 'salon.db', '--debug')).stderr).not.toContain('/clients');
    const [before] = ask('select count(*) as rows from clients');
    const { stderr } = await read('sync', 'salon.db', '--only', 'appointments,stylists');
    expect(stderr).toContain(` ${before?.['rows']} deleted.`);
    expect(names()).toEqual([...own, 'appointments', 'stylists'].toSorted());
    expect(readFileSync(path).includes(email)).toBe(false);
    await service.asOperator((operator) => writeAtRandom(operator, createRandomNumbers(7)));
    await read('sync', 'salon.db', '--only', 'appointments,stylists', '--debug');
    expect(ask('select count(*) as rows from stylists')).toEqual([{ rows: expect.any(Number) }]);
  });

  it('refuses a table that there is not', async () => {
    const ran = await machine.salon(['sync', 'salon.db', '--only', 'payment'], { env: env() });
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('Unknown table "payment". Did you mean payments?');
    expect(readdirSync(machine.home)).not.toContain('salon.db');
  });

  it('has no byte of an erased client', async () => {
    await check();
    const query =
      'select client_id as id, c.email from appointments join clients c on c.id = client_id where email > 0';
    const [client] = ask(query);
    await read('clients', 'delete', String(client?.['id']), '--force', '--yes');
    await check();
    expect(readFileSync(path).includes(String(client?.['email']))).toBe(false);
  });

  it('is refused with a key that sees the records of one stylist', async () => {
    const stylist = { ...env(), SALON_API_KEY: service.keys.stylist };
    expect(await machine.salon(['sync', 'salon.db'], { env: stylist })).toMatchObject({ exitCode: 10 });
    expect(readdirSync(machine.home)).not.toContain('salon.db');
  });
});
