import { copyFileSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mia, openCopyServer, toClient, toPayment, toVisit } from '../../support/copy-server.ts';
import { createMachine, type Machine } from '../../support/io.ts';

const theo = { ...mia, id: 'sty_2', first_name: 'Theo', display_name: null };

/** In Berlin, an hour or two ahead of UTC. */
const lists = {
  stylists: [mia, theo],
  clients: [
    toClient(1),
    toClient(2, { first_name: null, last_name: null, email: 'ben@example.com' }),
    toClient(3),
  ],
  appointments: [
    toVisit(1, '2019-01-10T09:00:00Z'),
    toVisit(2, '2019-03-10T09:00:00Z', { stylist_id: 'sty_2' }),
    toVisit(3, '2020-01-31T23:30:00Z', { price: 5000 }),
    toVisit(4, '2020-02-10T09:00:00Z', { client_id: 'cli_2', status: 'no_show', paid_amount: 0 }),
    toVisit(5, '2020-02-11T09:00:00Z', { client_id: 'cli_2', status: 'no_show', service: 'Colour' }),
    toVisit(6, '2020-02-12T09:00:00Z', { client_id: 'cli_2', status: 'cancelled', service: 'Colour' }),
    toVisit(7, '2019-05-10T09:00:00Z', { client_id: 'cli_3', stylist_id: 'sty_2' }),
    toVisit(8, '2019-06-10T09:00:00Z', { client_id: 'cli_3', stylist_id: 'sty_2' }),
    toVisit(9, '2019-06-11T09:00:00Z', { client_id: 'cli_3', stylist_id: 'sty_2', duration: 90 }),
    toVisit(10, '2099-06-11T09:00:00Z', { client_id: 'cli_3', status: 'confirmed', stylist_id: 'sty_2' }),
    toVisit(11, '2099-06-11T09:30:00Z', { status: 'confirmed', stylist_id: 'sty_2', client_id: 'cli_2' }),
  ],
  payments: [
    toPayment(1, '2019-01-10T10:00:00Z', { tip_amount: 500, refunded_amount: 700 }),
    toPayment(2, '2019-03-10T10:00:00Z', { method: 'cash' }),
    toPayment(7, '2019-05-31T22:30:00Z', { client_id: 'cli_3', amount: 999 }),
    toPayment(8, '2019-06-10T10:00:00Z', { client_id: 'cli_3', status: 'failed' }),
    toPayment(9, '2019-06-11T10:00:00Z', {
      client_id: null,
      appointment_id: null,
      amount: 2000,
      currency: 'JPY',
    }),
  ],
};

let machine: Machine;
beforeAll(async () => {
  await using server = await openCopyServer();
  Object.assign(server.salon.lists, lists);
  machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' }, asksForZone: true });
  expect(await machine.salon(['sync', 'salon.db'])).toMatchObject({ exitCode: 0 });
});
afterAll(() => machine[Symbol.dispose]());

const sql = (...argv: readonly string[]) => machine.salon(['sql', ...argv]);

async function rows(query: string): Promise<unknown> {
  const ran = await sql(query, '-f', 'csv');
  expect(ran.exitCode, ran.stderr).toBe(0);
  return ran.stdout.trimEnd().split('\n').slice(1);
}

const guide = readFileSync(join(import.meta.dirname, '../../../docs/sql.md'), 'utf8');
const questions = [...guide.matchAll(/\n([^\n]+):\n\n```sql\n(.+?)```/gs)].map(
  ([, title = '', query = '']) => ({
    title: title.replace(/[,(].*/s, '').trim(),
    query,
  }),
);

describe('the questions of docs/sql.md', () => {
  const answers: Readonly<Record<string, readonly string[]>> = {
    'Who has not paid': ['2020-02-01 00:30,Ana 1 Costa,+493012341,Cut,5,EUR'],
    'Who does not come': ['ben@example.com,+493012342,2'],
    'Which regulars have not come for three months': ['Ana 1 Costa,+493012341,3,2020-02-01'],
    'How many come again within 90 days': [
      ...['2019-01,1,100', '2019-03,1,0', '2019-05,1,100', '2019-06,2,50', '2020-02,1,0'],
    ],
    'The busiest hours': ['11,5', '10,2', '00,1'],
    'A commission of 40% by stylist and month': [
      ...['2019-01,Mia,EUR,17.2,0', '2019-03,Theo,EUR,18,0', '2019-06,Theo,EUR,4,0'],
    ],
    'Revenue by month and payment method': [
      ...['2019-01,card,EUR,45', '2019-03,cash,EUR,45', '2019-06,card,EUR,9.99', '2019-06,card,JPY,2000'],
    ],
    'Who spends most': [',JPY,2000,1', 'Ana 1 Costa,EUR,90,2', 'Ana 3 Costa,EUR,9.99,1'],
    'How many hours each stylist is booked': [
      ...['2019-01,Mia,1', '2019-03,Theo,1', '2019-05,Theo,1', '2019-06,Theo,2.5', '2020-02,Mia,1'],
      '2099-06,Theo,2',
    ],
    'New clients by month': ['2019-01,Mia,1', '2019-05,Theo,1'],
    'Which services are cancelled most': ['Colour,2,1,50', 'Cut,9,0,0'],
    'Which appointments of a stylist overlap': [
      'Theo,2099-06-11 11:00,Ana 3 Costa,2099-06-11 11:30,ben@example.com',
    ],
  };

  it('are twelve', () => {
    expect(questions.map(({ title }) => title)).toEqual(Object.keys(answers));
  });

  it.each(questions)('$title', async ({ title, query }) => {
    expect(await rows(query)).toEqual(answers[title]);
  });
});

describe('salon sql', () => {
  it('keeps the columns of a view that the guide names', async () => {
    for (const [, view = '', columns = ''] of guide.matchAll(/^\| `(\w+_view)` +\| (.+?) +\|$/gm)) {
      const names = columns.split(', ').map((name) => name.replaceAll('`', ''));
      const { stdout } = await sql(`select * from ${view}`, '-f', 'csv');
      expect(stdout.split('\n')[0]?.split(','), view).toEqual(expect.arrayContaining(names));
    }
  });

  it('shows big integers, decimals, nulls, blobs and columns of one name as they are', async () => {
    const query = `select 9223372036854775807 as big, -9007199254740993 as odd, 1.5 as half, null as missing,
      x'00ff' as bytes, 9e999 as endless, '' as empty, 1 as half`;
    const text = '9223372036854775807,-9007199254740993,1.5,,00ff,Inf,"",1'.replace('""', '');
    expect(await rows(query)).toEqual([text]);
    expect((await sql(query, '-f', 'ndjson')).stdout.trimEnd()).toBe(
      '{"big":9223372036854775807,"odd":-9007199254740993,"half":1.5,"missing":null,"bytes":"00ff","endless":"Inf","empty":"","half_2":1}',
    );
  });

  it('names the columns of a result without rows', async () => {
    expect(await sql('select id, phone from clients where 0', '-f', 'csv')).toMatchObject({
      stdout: 'id,phone\n',
    });
  });

  it('writes long results whole, in every format', async () => {
    const query =
      'with recursive n(i) as (select 1 union all select i + 1 from n limit 20001) select i from n';
    const { stdout } = await sql(query, '-f', 'csv');
    expect(stdout.trimEnd().split('\n').slice(1).map(Number)).toEqual(
      Array.from({ length: 20_001 }, (_, i) => i + 1),
    );
    for (const file of ['n.csv', 'n.json', 'n.ndjson', 'n.tsv', 'n.xlsx'])
      expect((await sql(query, '-o', file)).stderr).toContain(`20,001 rows written to ${file}`);
  });

  it.each([
    ['delete from clients', 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ['update clients set phone = null', 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ['create table x (a)', 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ['create temp table x (a)', 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ["attach 'other.db' as o", 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ["vacuum into 'other.db'", 'Refused, because salon sql only runs one SELECT: authorization denied.'],
    ['pragma query_only = off', 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ['pragma journal_mode = wal', 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ["select load_extension('x')", 'The query failed: not authorized.'],
    ['begin', 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ['select 1; delete from clients', 'Refused, because salon sql only runs one SELECT: not authorized.'],
    ['select 1; select 2', 'Refused, because salon sql only runs one SELECT: there are several statements.'],
    ['select nope', 'The query failed: no such column: nope.'],
    ['selec 1', 'The query failed: near "selec": syntax error.'],
    [
      'select * from clients where id = $id',
      'Refused, because salon sql only runs one SELECT: a parameter has no value.',
    ],
    ['/* nothing */', 'The query failed: The SQL query contains no statements.'],
    ['select abs(-9223372036854775808)', 'The query failed: integer overflow.'],
  ])('refuses %s', async (query, message) => {
    const before = readFileSync(join(machine.home, 'salon.db'));
    const ran = await sql('salon.db', query);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr.split('\n')[0]).toBe(`error: ${message}`);
    expect(readFileSync(join(machine.home, 'salon.db')).equals(before)).toBe(true);
    expect(readdirSync(machine.home)).not.toContain('other.db');
  });

  it.each([
    ['select * from client', /^ {2}Views: appointments_view, (?:\w+_view, )*\w+_view$/m],
    ['salon.db', /^ {2}Give the query, too: salon sql copy.db "select/m],
  ])('has a hint for %s', async (query, hint) => {
    expect(await sql(query)).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(hint) });
  });

  it('keeps all columns of one name, and the names of others', async () => {
    const { stdout } = await sql('select 1 as a, 2 as a, 3 as a_2, 4 as A, 5 as a', '-f', 'ndjson');
    expect(JSON.parse(stdout)).toEqual({ a: 1, a_3: 2, a_2: 3, A: 4, a_4: 5 });
  });

  it('runs nothing of what is no statement', async () => {
    for (const query of [';', '/* */ ;', '\n\t;;'])
      expect(await sql('salon.db', query)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await rows('select 1; -- and nothing else')).toEqual(['1']);
  });

  it('reads the copy of a newer release, and says that one is in use or damaged', async () => {
    const file = join(machine.home, 'newer.db');
    copyFileSync(join(machine.home, 'salon.db'), file);
    using database = new DatabaseSync(file);
    database.exec('pragma user_version = 99');
    expect(await sql('newer.db', 'select count(*) as n from clients')).toMatchObject({ stdout: 'n\n3\n' });
    database.exec('begin exclusive');
    expect(await sql('newer.db', 'select 1')).toMatchObject({
      exitCode: 7,
      stderr: expect.stringContaining(`Cannot read ${file}: database is locked.`),
    });
    database.exec('rollback');
    truncateSync(file, 40_960);
    expect(await sql('newer.db', 'select * from clients')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('database disk image is malformed.'),
    });
  });

  it('can ask for the tables and their columns', async () => {
    expect(await rows("select name from pragma_table_info('stylists') limit 2")).toEqual([
      'id',
      'first_name',
    ]);
  });

  it('ends a query at the time limit', async () => {
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
    const ran = await sql(endless, '--max-time', '200ms');
    expect(ran).toMatchObject({ exitCode: 5, stdout: '' });
    expect(ran.stderr).toContain('The query took longer than 0.2 seconds.');
  });

  it('ends a query with the command', async () => {
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
    const interrupt = new AbortController();
    const running = machine.salon(['sql', endless], { signal: interrupt.signal });
    interrupt.abort('SIGINT');
    expect(await running).toMatchObject({ exitCode: 130 });
  });

  it.each(['--json', '--max-time soon', '-o no/such/folder.csv'])(
    'leaves no process behind: %s',
    async (flags) => {
      await sql('select nope', ...flags.split(' '));
      await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('ProcessWrap');
    },
  );

  it('reads a second copy', async () => {
    const query = 'select count(*) as both from clients join other.clients using (id)';
    expect(await sql('salon.db', query, '--attach', 'salon.db', '-f', 'csv')).toMatchObject({
      stdout: 'both\n3\n',
    });
    const write = await sql('salon.db', 'delete from other.clients', '--attach', 'salon.db');
    expect(write).toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['missing.db', 'unable to open database file'],
    ['other.txt', 'file is not a database'],
  ])('says that it cannot read %s', async (file, reason) => {
    await sql('select 1 as a', '-o', 'other.txt');
    const ran = await sql(file, 'select 1');
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain(`Cannot read ${join(machine.home, file)}: ${reason}.`);
    expect(readdirSync(machine.home)).not.toContain('missing.db');
  });

  it('says how to make a copy where there is none', async () => {
    using other = createMachine({ env: { SALON_BASE_URL: 'http://127.0.0.1:9', SALON_API_KEY: 'k' } });
    const ran = await other.salon(['sql', 'select 1']);
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('There is no copy of this salon on this machine.');
  });
});
