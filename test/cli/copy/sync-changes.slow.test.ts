import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
    expect(await check()).toContain('Not all changes since the last sync are known to the server');
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
      'The key may not read the feed of changes (changes:read): the complete lists are compared.',
    );
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
