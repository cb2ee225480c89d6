import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mia, openCopyServer, toClient, toPayment, toVisit } from '../../support/copy-server.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { problem } from '../../support/misbehaving-server.ts';

let server: Awaited<ReturnType<typeof openCopyServer>>;
let machine: Machine;
let path: string;
beforeEach(async () => {
  server = await openCopyServer();
  server.salon.lists['stylists'] = [mia];
  server.salon.lists['clients'] = [toClient(1), toClient(2), toClient(3)];
  server.salon.lists['appointments'] = [
    toVisit(1, '2026-03-29T00:30:00Z'),
    toVisit(2, '2026-03-29T01:30:00Z'),
  ];
  machine = createMachine({ asksForZone: true, env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' } });
  path = join(machine.home, 'salon.db');
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function sync(...flags: string[]) {
  const ran = await machine.salon(['sync', 'salon.db', '--json', '--retries', '0', ...flags]);
  return {
    ...ran,
    result: ran.exitCode === 0 ? JSON.parse(ran.stdout) : JSON.parse(ran.stderr.split('\n').at(-2) ?? ''),
  };
}

function ask(query: string, file = path): Record<string, unknown>[] {
  using database = new DatabaseSync(file, { readOnly: true });
  return database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
}

const filesBeside = () => readdirSync(machine.home).filter((name) => name.startsWith('salon.db'));

describe('salon sync', () => {
  it('copies the records of all lists into one file, which only its owner may read', async () => {
    server.salon.lists['payments'] = [toPayment(1, '2026-03-29T00:45:00Z', { amount: 123_456_789_012 })];
    const { result } = await sync();
    expect(result).toMatchObject({ salon: 'Salon acc_1', added: 7, changed: 0, deleted: 0, rows: 7 });
    expect(filesBeside()).toEqual(['salon.db']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(ask('select raw from clients').map(({ raw }) => JSON.parse(String(raw)))).toEqual(
      server.salon.lists['clients'],
    );
    expect(ask("select tags, amount_units from clients, payments_view where clients.id = 'cli_1'")).toEqual([
      { tags: '["vip"]', amount_units: 1_234_567_890.12 },
    ]);
  });

  it('counts what was added, changed and deleted since', async () => {
    await sync();
    expect((await sync()).result).toMatchObject({ added: 0, changed: 0, deleted: 0, rows: 6 });
    server.salon.lists['clients'] = [
      toClient(1),
      toClient(2, { last_name: 'Silva' }),
      toClient(4),
      toClient(5),
    ];
    expect((await sync()).result).toMatchObject({ added: 2, changed: 1, deleted: 1, rows: 7 });
    expect(ask('select last_name from clients order by id').map(({ last_name: name }) => name)).toEqual([
      ...['Costa', 'Silva', 'Costa', 'Costa'],
    ]);
  });

  it('has local times on both sides of a clock change, and follows the zone of the salon', async () => {
    await sync();
    const query =
      'select local_start, local_end, client_name, stylist_name, price_units from appointments_view order by id';
    expect(ask(query)).toEqual([
      {
        ...{ local_start: '2026-03-29 01:30', local_end: '2026-03-29 03:30' },
        ...{ client_name: 'Ana 1 Costa', stylist_name: 'Mia', price_units: 45 },
      },
      expect.objectContaining({ local_start: '2026-03-29 03:30', local_end: '2026-03-29 04:30' }),
    ]);
    server.salon.timeZone = 'America/St_Johns';
    await sync();
    expect(ask(query)).toMatchObject([
      { local_start: '2026-03-28 22:00' },
      { local_start: '2026-03-28 23:00' },
    ]);
  });

  it('keeps every digit of numbers, and IDs and fields of other servers', async () => {
    server.salon.replies['clients'] = (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          '{"data":[{"id":12345678901234567890,"first_name":"Ana","points":1.50}],"pagination":{"page":1,"per_page":50,"total":1}}',
        );
    await sync();
    expect(ask('select id, raw from clients')).toEqual([
      { id: '12345678901234567890', raw: '{"id":12345678901234567890,"first_name":"Ana","points":1.50}' },
    ]);
  });

  it('removes every byte of what was deleted or changed', async () => {
    const secrets = ['Quenby Zyxwv', '+4930777000777'];
    const many = Array.from({ length: 100 }, (_, index) => toClient(1000 + index));
    const erased = toClient(7, { first_name: secrets[0], phone: secrets[1] });
    server.salon.lists['clients'] = [...many.slice(0, 50), erased, ...many.slice(50)];
    server.salon.lists['appointments'] = [toVisit(1, '2026-03-29T00:30:00Z', { notes: secrets[0] })];
    await sync();
    expect(secrets.map((secret) => readFileSync(path).includes(secret))).toEqual([true, true]);
    // SQLite moves rows to other pages then, and leaves them in the unused part of the former one.
    const grown = many.map((client) => ({ ...client, notes: 'x'.repeat(700) }));
    server.salon.lists['clients'] = [...grown.slice(0, 50), erased, ...grown.slice(50)];
    await sync();
    server.salon.lists['clients'] = grown;
    server.salon.lists['appointments'] = [toVisit(1, '2026-03-29T00:30:00Z')];
    expect((await sync()).result).toMatchObject({ changed: 1, deleted: 1 });
    for (const name of filesBeside())
      for (const secret of secrets)
        expect(readFileSync(join(machine.home, name)).includes(secret), name).toBe(false);
  });

  it('says so where another program reads the copy, and removes that the next time', async () => {
    server.salon.lists['clients'] = [toClient(1), toClient(2, { first_name: 'Quenby' })];
    await sync();
    // Readers of WAL see the state at their start, so that it has to stay.
    using reader = new DatabaseSync(path);
    reader.exec('pragma journal_mode = wal; begin');
    reader.prepare('select count(*) from clients').get();
    server.salon.lists['clients'] = [toClient(1)];
    const during = await sync();
    expect(during.stderr).toContain('Another program reads salon.db.');
    expect(reader.prepare('select count(*) as rows from clients').get()).toEqual({ rows: 2 });
    reader.exec('commit');
    reader.close();
    expect((await sync()).stderr).not.toContain('Another program');
    expect(filesBeside()).toEqual(['salon.db']);
    expect(readFileSync(path).includes('Quenby')).toBe(false);
  });

  it('leaves the copy as it was if a list cannot be read whole', async () => {
    await sync();
    server.salon.lists['clients'] = [];
    server.salon.replies['stylists'] = problem(503, 'unavailable');
    expect(await sync()).toMatchObject({ exitCode: 5 });
    expect(ask('select count(*) as rows from clients')).toEqual([{ rows: 3 }]);
    delete server.salon.replies['stylists'];
    expect((await sync()).result).toMatchObject({ deleted: 3 });
  });

  it('leaves no file if the first sync fails', async () => {
    server.salon.replies['stylists'] = problem(403, 'address_not_allowed');
    expect(await sync()).toMatchObject({ exitCode: 10 });
    expect(filesBeside()).toEqual([]);
  });

  it('has no table of a list that the server does not have, and never empties one', async () => {
    server.salon.replies['payments'] = problem(404, 'nothing_here');
    const first = await sync();
    expect(first).toMatchObject({ exitCode: 0, result: { left_out: ['payments'] } });
    expect(first.stderr).toContain('The copy has no payments. This server does not support GET /payments.');
    expect(() => ask('select * from payments')).toThrow('no such table');
    delete server.salon.replies['payments'];
    server.salon.lists['payments'] = [toPayment(1, '2026-03-29T00:45:00Z')];
    expect((await sync()).result).toMatchObject({ rows: 6, left_out: ['payments'] });
    const all = 'appointments,blocked_times,clients,payments,services,stylists,waitlist';
    expect((await sync('--only', all)).result).toMatchObject({ rows: 7, left_out: [] });
    server.salon.replies['payments'] = problem(404, 'nothing_here');
    expect(await sync()).toMatchObject({ exitCode: 1 });
    expect(ask('select count(*) as rows from payments')).toEqual([{ rows: 1 }]);
  });

  it('is refused where the key can read no list at all', async () => {
    for (const name of ['waitlist', 'blocked-times', 'payments', 'appointments', 'clients', 'services'])
      server.salon.replies[name] = problem(403, 'permission_denied');
    server.salon.replies['stylists'] = problem(403, 'permission_denied');
    expect(await sync()).toMatchObject({ exitCode: 10 });
    expect(filesBeside()).toEqual([]);
  });

  describe('refuses, and leaves as it is,', () => {
    async function expectRefusal(message: string, exitCode = 2) {
      const before = readFileSync(path);
      const ran = await sync();
      expect(ran).toMatchObject({ exitCode, result: { message } });
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(filesBeside()).toEqual(['salon.db']);
    }
    const somethingElse = () => `${path} is something else than a copy of a salon; it was left as it is.`;

    it('a file of another kind', async () => {
      writeFileSync(path, 'client;phone\nAna;030\n');
      await expectRefusal(somethingElse());
    });

    it('a database of another program', async () => {
      using other = new DatabaseSync(path);
      other.exec('create table clients (id)');
      other.close();
      await expectRefusal(somethingElse());
    });

    it('a copy of a newer release', async () => {
      await sync();
      using copy = new DatabaseSync(path);
      copy.exec('pragma user_version = 2');
      copy.close();
      await expectRefusal(`${path} was written by a newer release of salon.`);
    });

    it('a damaged copy', async () => {
      await sync();
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0xff, 100, 4096));
      await expectRefusal(`${path} is damaged: database disk image is malformed.`);
    });

    it('a folder', async () => {
      mkdirSync(path);
      expect(await sync()).toMatchObject({
        exitCode: 5,
        result: { message: `Cannot write ${path}: unable to open database file.` },
      });
    });

    it('a file that another sync writes', async () => {
      await sync();
      using other = new DatabaseSync(path);
      other.exec('pragma journal_mode = wal; begin immediate');
      const ran = await sync();
      expect(ran).toMatchObject({ exitCode: 7, result: { message: expect.stringContaining('is in use') } });
      other.exec('rollback');
      expect(await sync()).toMatchObject({ exitCode: 0 });
    });

    it('the copy of another account or server', async () => {
      await sync();
      const { origin } = server;
      server.salon.account = 'acc_2';
      const message = `${path} is a copy of another salon: Salon acc_1 at ${origin}.`;
      expect(await sync()).toMatchObject({ exitCode: 2, result: { message } });
      expect(ask('select account from salon_sync')).toEqual([{ account: 'acc_1' }]);
    });
  });

  it('takes an empty file for a new one', async () => {
    writeFileSync(path, '');
    expect((await sync()).result).toMatchObject({ rows: 6 });
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});
