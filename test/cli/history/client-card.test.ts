import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { json, openMisbehavingServer, type Received, type Reply } from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const now = new Date('2026-11-24T10:05:00Z');
const hostile = `<script>alert(1)</script>\u202e`;
let machine: Machine;
let service: TestService;
let ana: string;

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  service = await openTestService({ now: () => now, clients: 2 });
  const make = async (...argv: string[]) => {
    const { stdout, stderr } = await salon([...argv, '--json']);
    expect(stderr).not.toContain('error');
    return JSON.parse(stdout).id;
  };
  ana = await make('clients', 'create', '--set', `first_name=${hostile}`, '--set', 'notes=line 1\nline 2');
  const [mia = '', theo = ''] = service.stylistIds;
  for (const [stylist, start] of [
    [mia, '2026-12-01T09:00'],
    [theo, '2026-10-01T09:00'],
  ] as const) {
    const what = ['--service', 'Cut', '--start', start, '--duration', '30', '--notes', `of ${start}`];
    await make('appointments', 'create', '--client', ana, '--stylist', stylist, ...what);
  }
  await make('waitlist', 'add', '2026-12-09', '--client', ana, '--service', 'Cut', '--note', 'mornings');
  const paid = ['--amount', '45', '--currency', 'EUR', '--method', 'card'];
  const payment = await make('payments', 'record', '--client', ana, ...paid);
  await salon(['payments', 'refund', payment, '--amount', '5', '--yes']);
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

function salon(argv: readonly string[], options: RunOptions = {}) {
  const env = {
    SALON_BASE_URL: service.origin,
    SALON_API_KEY: service.keys.owner,
    SALON_TIME_ZONE: 'Europe/Berlin',
    NO_COLOR: '1',
  };
  return machine.salon(argv, { now, ...options, env: { ...env, ...options.env } });
}

const card = (argv: readonly string[] = [], options?: RunOptions) =>
  salon(['clients', 'card', ana, ...argv], options);

describe('the card of a client', () => {
  it('is a page with everything in words, local times, decimal money, and nothing that runs', async () => {
    const ran = await card(['-o', 'ana.html']);
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    expect(ran.stderr).toContain('Card written to ana.html');
    const html = readFileSync(join(machine.home, 'ana.html'), 'utf8');
    expect(html).toContain('<b>SMS marketing consent</b><bdi>no</bdi>');
    expect(html).toContain('<b>Notes</b><bdi>line 1<br>line 2</bdi>');
    expect(html).toContain('<b>Start</b><bdi>2026-12-01 09:00 (Europe/Berlin)</bdi>');
    expect(html).toContain('<b>Notes</b><bdi>of 2026-10-01T09:00</bdi>');
    expect(html).toContain('<b>Amount</b><bdi>45.00 EUR</bdi>');
    expect(html).toContain('<b>Refunded</b><bdi>5.00 EUR</bdi>');
    expect(html.indexOf('2026-12-01 09:00')).toBeLessThan(html.indexOf('2026-10-01 09:00'));
    expect(html).toContain('Not included: the log of who changed what');
    expect(html).toContain('About &lt;script&gt;');
    expect(html).not.toMatch(/<script|\u202e/);
  });

  it('has the records of the API in JSON', async () => {
    const { client, appointments, payments, waitlist } = JSON.parse((await card(['--json'])).stdout);
    expect(client).toMatchObject({ id: ana, first_name: hostile });
    expect(appointments.map((row: { start_time: string }) => row.start_time)).toEqual([
      '2026-10-01T07:00:00Z',
      '2026-12-01T08:00:00Z',
    ]);
    expect(payments).toMatchObject([{ amount: 4500, refunded_amount: 500 }]);
    expect(waitlist).toMatchObject([{ service: 'Cut', note: 'mornings' }]);
  });

  it('is a text on a screen, with times to come before past ones', async () => {
    const { stdout } = await card([], { columns: 80 });
    expect(stdout).toMatch(/^Client record\n {2}ID +cli_/);
    expect(stdout).toMatch(/Appointments to come\n {2}ID +apt_[\s\S]*Past appointments\n[\s\S]*Payments\n/);
    expect(stdout).not.toContain('\u202e');
    expect(stdout).not.toMatch(/Paid amount/);
  });

  it('says what else there is on the day of an appointment, in a page and a text, not in JSON', async () => {
    const [mia = '', theo = ''] = service.stylistIds;
    const { stdout: made } = await salon(['clients', 'create', '--set', 'first_name=Ana', '--json']);
    const { id } = JSON.parse(made);
    for (const [stylist, start, what] of [
      [mia, '2026-12-02T09:00', 'Balayage'],
      [theo, '2026-12-02T11:00', 'Blow-dry'],
      [theo, '2026-12-04T11:00', 'Cut'],
    ] as const) {
      const booked = ['--service', what, '--start', start, '--duration', '30'];
      await salon(['appointments', 'create', '--client', id, '--stylist', stylist, ...booked]);
    }
    const text = (await salon(['clients', 'card', id], { columns: 80 })).stdout;
    const said = Array.from(text.matchAll(/Same day:? +(.*)/g), ([, words]) => words);
    expect(said).toEqual(['then Blow-dry 11:00 with Theo', 'after Balayage 09:00 with Mia']);
    await salon(['clients', 'card', id, '-o', 'both.html']);
    const html = readFileSync(join(machine.home, 'both.html'), 'utf8');
    expect(html).toContain('<b>Same day</b><bdi>then Blow-dry 11:00 with Theo</bdi>');
    const { appointments } = JSON.parse((await salon(['clients', 'card', id, '--json'])).stdout);
    expect(appointments).toHaveLength(3);
    expect(JSON.stringify(appointments)).not.toContain('same_day');
  });

  it('of somebody without appointments says so', async () => {
    const { stdout } = await salon(['clients', 'list', '--limit', '1', '--json']);
    const ran = await salon(['clients', 'card', JSON.parse(stdout)[0].id], { columns: 80 });
    expect(ran.stdout).toContain('Appointments to come (0)\n');
    expect(ran.stdout).toContain('Payments (0)\n');
    expect(ran.stdout).toContain('Waiting list (0)\n');
  });

  it("names what a stylist's key does not see", async () => {
    const ran = await card([], { columns: 80, env: { SALON_API_KEY: service.keys.stylist } });
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain("Not included: other stylists' appointments, payments and waiting");
  });

  it.each([
    [['-f', 'csv'], 2, 'A card does not fit a sheet (csv).'],
    [['-o', 'ana.xlsx'], 2, 'A card does not fit a sheet (xlsx).'],
    [['-c', 'id'], 2, "'-c'"],
    [['-o', 'taken.html'], 2, 'taken.html is a folder'],
  ])('refuses %j with exit code %i', async (argv, exitCode, message) => {
    mkdirSync(join(machine.home, 'taken.html'), { recursive: true });
    const ran = await card(argv);
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr.replaceAll('"', "'")).toContain(message);
  });
});

describe('the card from another server', () => {
  async function run(answer: (request: Received) => Reply | undefined, ...argv: string[]) {
    await using server = await openMisbehavingServer((request) => {
      const path = request.path.replace('/api/v1', '');
      if (path === '/clients/7') return json({ id: '7', first_name: 'Ana' });
      return answer({ ...request, path }) ?? json({}, { status: 404 });
    });
    const env = {
      ...{ SALON_BASE_URL: `${server.origin}/api/v1`, SALON_API_KEY: 'k' },
      SALON_DIALECT_TOTAL_KEY: 'pagination.total',
    };
    return await salon(['clients', 'card', '7', ...argv], { columns: 80, env });
  }
  const visits = (...rows: object[]) =>
    json({ data: rows, pagination: { page: 1, per_page: 50, total: rows.length } });
  const visit = {
    id: 'a1',
    client_id: '7',
    start_time: '2026-10-01T09:00:00Z',
    service: 'Cut',
    notes: 'short',
  };

  it('says that there are no payments where the server has none', async () => {
    const { stdout, stderr, exitCode } = await run(({ path }) =>
      path === '/appointments' ? visits(visit) : undefined,
    );
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toMatch(/^ {2}Notes +short$/m);
    expect(stdout).toContain('Payments: not included\n');
    expect(stdout).toMatch(/^Not included: payments\. /m);
  });

  it('has nothing of others, whom a server without the filter sends, and is not made if it cannot tell', async () => {
    const other = { ...visit, id: 'a2', client_id: '8', notes: 'of Bob' };
    const mixed = await run(({ path }) => (path === '/appointments' ? visits(visit, other) : undefined));
    expect(mixed.stdout).toMatch(/^ {2}Notes +short$/m);
    expect(mixed.stdout).not.toContain('of Bob');
    const { client_id: _, ...unclear } = visit;
    const ran = await run(({ path }) => (path === '/appointments' ? visits(unclear) : undefined));
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('No card was made');
  });

  it('is not made of a list that misses rows', async () => {
    const short = json({ data: [visit], pagination: { page: 1, per_page: 50, total: 5 } });
    const ran = await run(({ path }) => (path === '/appointments' ? short : undefined), '-o', 'short.html');
    expect(ran.exitCode).not.toBe(0);
    expect(() => readFileSync(join(machine.home, 'short.html'))).toThrow('ENOENT');
  });
});
