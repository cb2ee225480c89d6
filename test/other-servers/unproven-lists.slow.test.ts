import { describe, expect, it } from 'vitest';
import { createMachine, type RunOptions } from '../support/io.ts';
import { json, openMisbehavingServer, type Received } from '../support/misbehaving-server.ts';
import { type Row, toPerson } from '../support/servers/client-store.ts';
import { openSails, type SailsOptions } from '../support/servers/sails.ts';
import { writeProfile } from './machine.ts';

const payments = Array.from({ length: 64 }, (_, index) => ({
  ...{ id: `pay_${index}`, client_id: 1, amount: 1_000, currency: 'EUR', tip_amount: 0, method: 'card' },
  ...{ status: 'completed', refunded_amount: 0, created_at: '2026-11-10T10:00:00Z' },
}));
/** Names of paging parameters that nobody can guess. */
const unknownPaging = { skip: 'ab', limit: 'zeilen' };
const sailsPaging = { paging: 'offset', pageParameter: 'skip', perPageParameter: 'limit' };

async function openShop(origin: string, dialect: Row = {}) {
  const env = { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' };
  const machine = createMachine({ env, now: new Date('2026-11-20T10:00:00Z') });
  writeProfile(machine, origin, { prefix: '', ...dialect });
  return {
    home: machine.home,
    salon: (line: string, options: RunOptions = {}) => machine.salon(line.split(' '), options),
    [Symbol.dispose]: () => machine[Symbol.dispose](),
  };
}

async function openSailsShop(options: SailsOptions = {}, dialect: Row = sailsPaging) {
  const server = await openSails({ models: { payments, appointments: [] }, ...options });
  const shop = await openShop(server.origin, dialect);
  return {
    ...shop,
    origin: server.origin,
    countChanged: () => server.all('clients').filter((row) => row['notes'] === 'x').length,
    async [Symbol.asyncDispose]() {
      shop[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const countLines = (text: string) => text.split('\n').filter(Boolean).length;
const updateAll = 'clients update --all --set notes=x --yes';
const revenue = 'report revenue --from 2026-11-01 --to 2026-11-30 --json';

describe('a Sails server, for which an unknown parameter is a filter', () => {
  it.each([
    ['by what is detected', {}],
    ['by settings', sailsPaging],
  ])('is read, changed, searched for duplicates and counted whole: %s', async (_how, dialect) => {
    await using shop = await openSailsShop({}, dialect);
    if (dialect !== sailsPaging) {
      const detected = await shop.salon('profiles detect');
      expect(detected, detected.stderr).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('skip, limit'),
      });
    }
    expect(countLines((await shop.salon('clients list -f ndjson')).stdout)).toBe(237);
    expect((await shop.salon('clients duplicates')).stderr).toContain('237 clients');
    const report = await shop.salon(revenue);
    expect(JSON.stringify(JSON.parse(report.stdout))).toContain('64000');
    const changed = await shop.salon(updateAll);
    expect([changed.exitCode, shop.countChanged()], changed.stderr).toEqual([0, 237]);
  });

  it.each([0, 1, 12, 29, 30, 31, 60])('lists %i clients without a doubt', async (count) => {
    await using shop = await openSailsShop({ count });
    const { exitCode, stdout, stderr } = await shop.salon('clients list -f ndjson');
    expect([exitCode, countLines(stdout)]).toEqual([0, count]);
    expect(stderr).not.toContain('incomplete');
    expect((await shop.salon(updateAll)).exitCode).toBe(0);
  });

  it('finds by conditions that it does not know by reading the list', async () => {
    await using shop = await openSailsShop();
    for (const line of [
      'clients list --search Ingrid -f ndjson',
      'clients list -f ndjson --search client7@',
    ]) {
      const { exitCode, stdout, stderr } = await shop.salon(line);
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('finds nothing by q')]);
      expect(countLines(stdout)).toBeGreaterThan(0);
    }
    const none = await shop.salon('clients list --email client9999@example.com -f ndjson');
    expect(none).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.not.stringContaining('finds nothing'),
    });
  });
});

describe('an empty search of a server that knows no such search', () => {
  it('does not hide a client who would be added again', async () => {
    await using shop = await openSailsShop();
    const sheet = { stdin: 'first_name,email\nIngrid,client7@example.com\nNew,new@example.com\n' };
    const { stderr } = await shop.salon('clients create --file - --dry-run --json', sheet);
    expect(stderr).toContain('line 2: Same email as');
    expect(stderr).not.toContain('line 3: Same');
  });

  it('does not hide the client of a row, of a name, or of a list of appointments', async () => {
    const appointments = [{ id: 1, client_id: 7, stylist_id: 1, service: 'Cut', status: 'confirmed' }].map(
      (row) => ({ ...row, start_time: '2026-11-20T15:00:00Z', duration: 30 }),
    );
    await using shop = await openSailsShop({ models: { payments, appointments } });
    const sheet = { stdin: 'phone,notes\n+49301000007,x\n' };
    const updated = await shop.salon('clients update --file - --match phone --yes', sheet);
    expect([updated.exitCode, shop.countChanged()], updated.stderr).toEqual([0, 1]);
    const named = await shop.salon('clients update client10@example.com --set notes=x');
    expect([named.exitCode, shop.countChanged()], named.stderr).toEqual([0, 2]);
    const booked = await shop.salon('appointments list --from 2026-11-20 --to 2026-11-21 -f ndjson');
    expect([booked.exitCode, countLines(booked.stdout)], booked.stderr).toEqual([0, 1]);
  });
});

describe('a server whose paging parameters nobody can guess', () => {
  const twoCommands = /salon profiles detect.*salon profiles show --dialect > dialect.json/;

  it('is refused without a dialect, naming the commands that mend it', async () => {
    await using shop = await openSailsShop(unknownPaging, {});
    for (const line of ['clients list -f ndjson', 'clients duplicates --json', revenue, updateAll]) {
      const { exitCode, stdout, stderr } = await shop.salon(line);
      expect([exitCode, stdout, stderr], line).toEqual([1, '', expect.stringMatching(twoCommands)]);
    }
    expect(shop.countChanged()).toBe(0);
  });

  it('is not detected: the setting to make is named', async () => {
    await using shop = await openSailsShop(unknownPaging, {});
    const { stderr } = await shop.salon('profiles detect');
    expect(stderr).toContain(
      '30 clients at /clients: nothing shows how to read more, or that these are all.',
    );
    expect(stderr).toContain('salon profiles set <profile> paging <style>');
    expect(stderr).toContain('salon profiles set <profile> lists.payments.paging <style>');
    expect((await shop.salon('clients list -f ndjson')).exitCode).toBe(1);
  });

  it('is refused with a dialect that it contradicts', async () => {
    await using shop = await openSailsShop(unknownPaging, { paging: 'page' });
    for (const line of ['clients list -f ndjson', updateAll]) {
      const { exitCode, stdout, stderr } = await shop.salon(line);
      expect([exitCode, stdout], line).toEqual([1, '']);
      expect(stderr).toMatch(
        /where per_page_parameter is .{1,4}per_page.*: there are no clients with per_page=/,
      );
    }
    expect(shop.countChanged()).toBe(0);
  });

  it('is read whole with its own names', async () => {
    const dialect = { paging: 'offset', pageParameter: 'ab', perPageParameter: 'zeilen' };
    await using shop = await openSailsShop(unknownPaging, dialect);
    expect((await shop.salon(updateAll)).exitCode).toBe(0);
    expect(shop.countChanged()).toBe(237);
  });
});

describe('a list that its own total or page size contradicts', () => {
  const all = Array.from({ length: 237 }, (_, index) => ({ id: index + 1, ...toPerson(index + 1) }));
  const size = ({ query }: Received) => Number(query.get('per_page') ?? 50);
  const number = ({ query }: Received) => Number(query.get('page') ?? 1);
  const first = all.slice(0, 100);
  const odd = all.slice(0, 97);

  async function run(
    line: string,
    answer: (request: Received) => unknown,
    headers: Readonly<Record<string, string>> = {},
    dialect: Row = { paging: 'none' },
  ) {
    await using server = await openMisbehavingServer((request) =>
      request.path === '/clients' ? json(answer(request), { headers }) : json({}, { status: 404 }),
    );
    using shop = await openShop(server.origin, dialect);
    return await shop.salon(line);
  }

  it.each<[string, () => unknown, Record<string, string>]>([
    ['data_total', () => ({ data: first, data_total: 237 }), {}],
    ['a total of clients', () => ({ data: first, meta: { client_count: 237 } }), {}],
    ['the end and data_total', () => ({ data: first, has_more: false, data_total: 237 }), {}],
    ['a number of matches', () => ({ clients: odd, score: 7, matches: 237 }), {}],
    ['the whole beside the count of the page', () => ({ clients: odd, count: 97, of: 237 }), {}],
    ['X-Total-Items', () => odd, { 'x-total-items': '237' }],
    ['X-Total-Records', () => odd, { 'x-total-records': '237' }],
    ['X-Client-Count', () => odd, { 'x-client-count': '237' }],
    ['X-Count', () => odd, { 'x-count': '237' }],
  ])('is refused at its end, and never changed: %s', async (_what, answer, headers) => {
    for (const line of ['clients list -f ndjson', 'clients duplicates', updateAll]) {
      const { exitCode, stderr } = await run(line, answer, headers);
      expect([exitCode, stderr], line).toEqual([
        1,
        expect.stringMatching(/The list of clients may be incomplete: .* is 237, but there are (?:100|97)/),
      ]);
      expect(stderr).toContain('total_key');
    }
  });

  it.each([
    ['a largest size', () => ({ data: first, max: 100 })],
    ['a usual page size alone', () => first],
  ])('is refused where it was too short to show how it is paged: %s', async (_what, answer) => {
    const { exitCode, stdout, stderr } = await run(
      'clients list -f ndjson',
      answer,
      {},
      { paging: 'unknown' },
    );
    expect([exitCode, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/where paging is .{1,4}unknown/),
    ]);
  });

  it.each([
    [
      'of another count',
      () => ({
        data: all.slice(0, 97),
        ...{ request_count: 5_000, total_pages: 1, took_ms: 240, status: 200, per_page: 500 },
      }),
    ],
    ['that agrees', () => ({ data: all, data_total: 237 })],
    ['with a usual total that agrees', () => ({ data: first, total: 100, all_count: 237 })],
    ['with neither', () => all.slice(0, 97)],
  ])('is not doubted because of a member %s', async (_what, answer) => {
    const { exitCode, stderr } = await run('clients list -f ndjson', answer);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('incomplete')]);
  });

  it.each([
    [
      'has a short page in the middle',
      (request: Received) => {
        const hidden = (row: { id: number }) => row.id <= 200 || row.id % 7 === 0 || row.id > 220;
        const rows = all.slice((number(request) - 1) * 50, number(request) * 50);
        return rows.filter((row) => hidden(row) && (row.id < 80 || row.id > 90));
      },
    ],
    [
      'has a short first page',
      (request: Received) => {
        const most = Math.min(50, size(request));
        const rows = all.slice((number(request) - 1) * most, number(request) * most);
        return rows.filter((row) => number(request) > 1 || row.id % 2 === 0);
      },
    ],
    [
      'limits the size of pages, and counts them by the size requested',
      (request: Received) => {
        const start = (number(request) - 1) * size(request);
        return all.slice(start, start + Math.min(100, size(request)));
      },
    ],
    [
      'limits the size of pages, and counts them by that',
      (request: Received) => {
        const most = Math.min(100, size(request));
        return all.slice((number(request) - 1) * most, number(request) * most);
      },
    ],
  ])('is read whole where the server %s', async (_what, answer) => {
    const { exitCode, stdout } = await run('clients list -f ndjson', answer, {}, { paging: 'page' });
    const ids = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => Number(JSON.parse(line).id));
    const expected = new Set(
      [1, 2, 3, 4, 5].flatMap((page) => {
        const query = new URLSearchParams({ page: String(page), per_page: '50' });
        return (answer({ query } as Received) as { id: number }[]).map(({ id }) => id);
      }),
    );
    expect([exitCode, [...expected.difference(new Set(ids))]]).toEqual([0, []]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
