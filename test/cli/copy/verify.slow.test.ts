import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mia, openCopyServer, toClient } from '../../support/copy-server.ts';
import { openCountingGateway } from '../../support/counting-gateway.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { writeAtRandom } from '../../support/random-writes.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let machine: Machine;
let path: string;
beforeAll(async () => {
  service = await openTestService({ clients: 30, appointments: 40 });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  machine = createMachine({
    env: { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner },
  });
  path = join(machine.home, 'salon.db');
  expect(await machine.salon(['sync', 'salon.db'])).toMatchObject({ exitCode: 0 });
});
afterEach(() => machine[Symbol.dispose]());

interface Row {
  readonly table: string;
  readonly not_synced: number;
  readonly ids: readonly string[];
}

async function verify(env = {}) {
  const { stdout, stderr, exitCode } = await machine.salon(['sync', 'salon.db', '--verify', '--json'], {
    env,
  });
  expect([0, 3], stderr).toContain(exitCode);
  const rows: Row[] = JSON.parse(stdout);
  return { exitCode, stderr, different: rows.filter(({ ids }) => ids.length > 0), rows };
}

function readState() {
  using copy = new DatabaseSync(path, { readOnly: true });
  return { ...copy.prepare('select * from salon_sync').get() };
}

function edit(sql: string): void {
  using copy = new DatabaseSync(path);
  copy.exec(sql);
}

const write = (count: number, random = createRandomNumbers(11)) =>
  service.asOperator(async (by) => {
    for (let done = 0; done < count; done += 1) await writeAtRandom(by, random);
  });

describe('salon sync --verify', () => {
  it('finds no difference after syncs of random changes, and changes nothing', async () => {
    for (let round = 0; round < 3; round += 1) {
      await write(40, createRandomNumbers(round));
      await machine.salon(['sync', 'salon.db']);
      const before = readState();
      const { exitCode, stderr, rows } = await verify();
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'salon.db has what the service has.\n' });
      expect(rows.map(({ table }) => table).toSorted()).toEqual([
        ...['appointments', 'blocked_times', 'clients', 'payments', 'services', 'stylists', 'waitlist'],
      ]);
      expect(readState()).toEqual(before);
    }
  });

  const one = 'where id = (select min(id) from clients)';
  it.each([
    ['a missing row', `delete from clients ${one}`, { missing: 1, changed: 0, extra: 0 }],
    [
      'an extra row',
      "insert into clients (id, first_name, raw) values ('cli_0', 'Quenby', '{}')",
      { missing: 0, changed: 0, extra: 1 },
    ],
    ['a changed column', `update clients set phone = '+49301' ${one}`, { missing: 0, changed: 1, extra: 0 }],
    [
      'an emptied column',
      `update clients set created_at = null ${one}`,
      { missing: 0, changed: 1, extra: 0 },
    ],
    [
      'a changed member of the whole record',
      `update clients set raw = json_set(raw, '$.notes', 'x') ${one}`,
      { missing: 0, changed: 1, extra: 0 },
    ],
    ['a record that is no JSON', `update clients set raw = '' ${one}`, { missing: 0, changed: 1, extra: 0 }],
    ['another ID', `update clients set id = 'cli_0' ${one}`, { missing: 1, changed: 0, extra: 1 }],
  ])('finds %s', async (_what, sql, counts) => {
    edit(sql);
    const { exitCode, stderr, different } = await verify();
    expect(exitCode).toBe(3);
    expect(different).toMatchObject([{ table: 'clients', not_synced: 0, ...counts }]);
    expect(different[0]?.ids).toHaveLength(counts.missing + counts.changed + counts.extra);
    expect(stderr).toContain('salon.db differs from the service.');
  });

  it('takes no change since the sync for a difference, also one while it reads', async () => {
    await write(30);
    let requests = 0;
    await using gateway = await openCountingGateway(service.origin, {
      // Each request lets others change something first.
      fateOf: async () => {
        requests += 1;
        await write(3, createRandomNumbers(100 + requests));
        return 'passed' as const;
      },
    });
    edit("insert into clients (id, raw) values ('cli_0', '{}')");
    using copy = new DatabaseSync(path);
    copy.prepare('update salon_sync set origin = ?').run(gateway.origin);
    copy.close();
    const { exitCode, different, rows } = await verify({ SALON_BASE_URL: gateway.origin });
    expect(exitCode).toBe(3);
    expect(different).toMatchObject([{ table: 'clients', ids: ['cli_0'] }]);
    expect(rows.some((row) => row.not_synced > 0)).toBe(true);
    expect(requests).toBeGreaterThan(7);
  });

  it('refuses a file without a copy, and leaves none', async () => {
    const ran = await machine.salon(['sync', 'other.db', '--verify']);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is no copy in') });
    const both = await machine.salon(['sync', 'salon.db', '--verify', '--follow']);
    expect(both).toMatchObject({ exitCode: 2 });
  });

  it('counts changes since the sync as differences where there is no feed, and says so', async () => {
    await using server = await openCopyServer();
    server.salon.lists['stylists'] = [mia];
    server.salon.lists['clients'] = [toClient(1), toClient(2)];
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    using other = createMachine({ env });
    await other.salon(['sync', 'copy.db']);
    expect(await other.salon(['sync', 'copy.db', '--verify'])).toMatchObject({ exitCode: 0 });
    server.salon.lists['clients'] = [toClient(1), toClient(2, { notes: 'late' })];
    const ran = await other.salon(['sync', 'copy.db', '--verify']);
    expect(ran).toMatchObject({ exitCode: 3 });
    expect(ran.stderr).toContain(
      'Changes since the last sync count as differences: that sync did not use the feed of changes.',
    );
  });
});
