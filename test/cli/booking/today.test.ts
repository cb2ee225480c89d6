import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const now = new Date('2026-11-24T10:05:00Z');
let machine: Machine;
let service: TestService;
let names: readonly string[];
let phones: readonly string[];

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  service = await openTestService({ now: () => now, clients: 5 });
  const clients = JSON.parse((await salon('clients list --json')).stdout);
  names = clients.map((client: Record<string, string>) => `${client['first_name']} ${client['last_name']}`);
  phones = clients.map((client: Record<string, string>) => client['phone']);
  for (const [client, start, status] of [
    [0, '2026-11-24T10:00', 'confirmed'],
    [1, '2026-11-24T09:00', 'in_service'],
    [2, '2026-11-24T15:00', 'pending'],
    [3, '2026-11-24T12:00', 'confirmed'],
    [4, '2026-11-24T13:00', 'confirmed'],
    [0, '2026-11-25T10:00', 'pending'],
  ] as const) {
    const who = `--client ${clients[client].id} --stylist ${service.stylistIds[0]}`;
    const what = `--service Cut --start ${start} --duration 30 --status ${status}`;
    expect(await salon(`appointments create ${who} ${what} --json`)).toMatchObject({ exitCode: 0 });
  }
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

function salon(line: string, world: RunOptions = {}) {
  const env = {
    SALON_BASE_URL: service.origin,
    SALON_API_KEY: service.keys.owner,
    SALON_TIME_ZONE: 'Europe/Berlin',
  };
  return machine.salon(line.split(' '), { now, ...world, env: { ...env, NO_COLOR: '1' } });
}

describe('salon today', () => {
  it('lists what is due and who comes in the next three hours, with phones, in 80 columns', async () => {
    const { stdout } = await salon('today', { columns: 80 });
    const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '));
    expect(lines).toEqual([
      'Tuesday 24 November 2026, 11:05  Europe/Berlin',
      '5 appointments with 10 stylists. Not working: Theo, Rhys.',
      '',
      'Due at 11:05',
      `  Not arrived  10:00  ${names[0]}  ${phones[0]}  Mia, Cut`,
      `  Not completed  09:00  ${names[1]}  ${phones[1]}  Mia, Cut`,
      `  To confirm  15:00  ${names[2]}  ${phones[2]}  Mia, Cut`,
      '',
      'Next three hours',
      `  12:00  ${names[3]}  ${phones[3]}  Mia, Cut`,
      `  13:00  ${names[4]}  ${phones[4]}  Mia, Cut`,
      '',
      'The calendar of the day: salon today --whole-day',
      '',
    ]);
  });

  it.each([
    [80, 24],
    [80, 12],
    [120, 40],
    [40, 24],
    [20, 60],
  ])(
    'fits a screen of %i × %i, the prompt included, and counts what it leaves out',
    async (columns, rows) => {
      const { stdout } = await salon('today', { columns, rows });
      const lines = stdout.split('\n');
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
      const shown = Array.from(stdout.matchAll(/\+\d+/g), ([phone]) => phone);
      expect(shown.length).toBeGreaterThan(0);
      expect(phones).toEqual(expect.arrayContaining(shown));
      if (rows === 12) expect(stdout).toContain('  … and 2 more: salon today --whole-day\n');
    },
  );

  it('names the next appointments where the next three hours have none, and says when there are no more', async () => {
    const early = await salon('today', { columns: 80, now: new Date('2026-11-24T04:00:00Z') });
    expect(early.stdout).toMatch(/^Next\n.* 09:00 /m);
    const late = await salon('today', { columns: 80, now: new Date('2026-11-24T18:00:00Z') });
    expect(late.stdout).toMatch(/^No more appointments today$/m);
  });

  it('has the calendar of the day below with --whole-day, and fits the screen', async () => {
    const screen = { columns: 240, rows: 42 };
    const [{ stdout }, calendar] = [
      await salon('today --whole-day', screen),
      await salon('calendar', screen),
    ];
    expect(stdout.startsWith('Due at 11:05\n')).toBe(true);
    expect(calendar.stdout.split('\n').length).toBeGreaterThan(30);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(42);
  });

  it('does not name itself where it counts what is left out above the calendar', async () => {
    const day = { now: new Date('2026-12-08T10:05:00Z'), columns: 100, rows: 42 };
    const [client] = JSON.parse((await salon('clients list --json')).stdout);
    for (const quarter of Array.from({ length: 20 }, (_, index) => index)) {
      const start = new Date(Date.UTC(2026, 11, 8, 10, 15 * quarter)).toISOString();
      const who = `--client ${client.id} --stylist ${service.stylistIds[0]} --service Cut`;
      const made = await salon(`appointments create ${who} --start ${start} --duration 15 --status pending`);
      expect(made.exitCode, made.stderr).toBe(0);
    }
    expect((await salon('today', { ...day, rows: 20 })).stdout).toContain('more: salon today --whole-day\n');
    const { stdout } = await salon('today --whole-day --no-pager', day);
    expect(stdout).toMatch(/^ {2}… and \d+ more$/m);
    expect(stdout).not.toContain('--whole-day');
  });

  it('says at each of two appointments of a client what the other is, also where one stylist is asked for', async () => {
    const day = { now: new Date('2026-12-10T08:00:00Z') };
    const [ana, ben] = JSON.parse((await salon('clients list --json')).stdout);
    const [mia, other] = service.stylistIds;
    for (const [client, stylist, what] of [
      [ana, mia, 'Balayage --start 2026-12-10T10:00 --duration 60'],
      [ana, other, 'Blow-dry --start 2026-12-10T11:00 --duration 30'],
      [ben, other, 'Cut --start 2026-12-10T10:00 --duration 30'],
    ]) {
      const who = `--client ${client.id} --stylist ${stylist}`;
      const made = await salon(`appointments create ${who} --service ${what}`);
      expect(made.exitCode, made.stderr).toBe(0);
    }
    const rows = JSON.parse((await salon('today --json', day)).stdout);
    const name = rows.find(({ service: of }: Record<string, unknown>) => of === 'Blow-dry').stylist;
    const [then, after] = [`then Blow-dry 11:00 with ${name}`, 'after Balayage 10:00 with Mia'];
    const wide = (await salon('today', { ...day, columns: 80 })).stdout;
    expect(wide.match(/^.*(?:then|after|also) .*$/gm)).toEqual([`    + ${then}`, `    + ${after}`]);
    expect(wide).toMatch(/Mia, Balayage\n {4}\+ then .*\n.* Cut\n.* Blow-dry\n {4}\+ after /);
    for (const one of [`today --stylist ${other}`, `calendar today --stylist ${other}`]) {
      const flat = (await salon(`${one} --plain`, { ...day, columns: 80 })).stdout.replaceAll(/\s+/g, ' ');
      expect(flat).toContain(`, ${after}.`);
      expect(flat).not.toContain(then);
    }
    const narrow = (await salon('today', { ...day, columns: 40 })).stdout.replaceAll(/\s+/g, ' ');
    expect(narrow).toContain(`Mia, Balayage, ${then}.`);
    expect(JSON.stringify(rows)).not.toContain(after);
  });

  it('prints one row per appointment in a pipe, with what is due', async () => {
    const rows = JSON.parse((await salon('today --json')).stdout);
    expect(rows.map(({ client, due }: Record<string, unknown>) => [client, due])).toEqual([
      [names[1], 'not_completed'],
      [names[0], 'not_arrived'],
      [names[3], null],
      [names[4], null],
      [names[2], 'to_confirm'],
    ]);
    const [header] = (await salon('today')).stdout.split('\n');
    expect(header).toBe(
      'start_time\tend_time\tstylist\tclient\tservice\tstatus\tid\tstylist_id\tclient_id\tdue',
    );
  });

  it('prints sentences with --plain', async () => {
    const { stdout } = await salon('today --plain', { columns: 80 });
    expect(stdout).toMatch(/^Due at 11:05\.\nNot arrived: 10:00 .+, \+\d+, Mia, Cut\.$/m);
    expect(stdout).toMatch(/^Next three hours\.\n12:00 .+, Mia, Cut\.$/m);
  });

  it.each([
    ['words', '@'],
    ['words', 'with @'],
    ['words', '@ today'],
    ['the flag', '--stylist @'],
  ])('shows the appointments of one stylist, who is named in %s: salon today %s', async (_in, words) => {
    for (const [name, count] of [
      ['Mia', 5],
      ['Theo', 0],
    ] as const) {
      const ran = await salon(`today ${words.replace('@', name)} --json`);
      expect({ ...ran, count: JSON.parse(ran.stdout).length }).toMatchObject({ exitCode: 0, count });
    }
  });

  it.each([
    ['tomorrow', 2, 'This shows today only.\n  Try: salon calendar tomorrow\n'],
    ['Mia fri', 2, 'This shows today only.\n  Try: salon calendar Mia fri\n'],
    ['Nobody', 2, '"Nobody" is not a day.'],
    [
      'An',
      2,
      '2 stylists match "An".\n  Use a full name, email address, phone number or ID of one of these:\n',
    ],
  ])('exits with a reason: salon today %s', async (words, exitCode, message) => {
    const ran = await salon(`today ${words}`);
    expect(ran).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('shows one stylist, and nothing due on an empty day', async () => {
    const { stdout } = await salon(`today --stylist ${service.stylistIds[1]}`, { columns: 80 });
    expect(stdout).not.toContain('Due at');
    expect(stdout).toContain('No appointments on Tuesday 24 November 2026.');
  });
});

describe('salon calendar', () => {
  it('is salon appointments calendar', async () => {
    const short = await salon('calendar tomorrow --json');
    expect(JSON.parse(short.stdout)).toMatchObject([{ client: names[0], status: 'pending' }]);
    expect(short).toEqual(await salon('appointments calendar tomorrow --json'));
  });

  it('shows every day of a week that is named', async () => {
    const { stdout } = await salon('calendar this week --json');
    expect(stdout).toBe((await salon('calendar --week --json')).stdout);
    expect(JSON.parse(stdout).length).toBeGreaterThan(4);
    expect((await salon('calendar week 48 --json')).stdout).toBe(stdout);
    expect(JSON.parse((await salon('calendar next week --json')).stdout)).toEqual([]);
  });
});
