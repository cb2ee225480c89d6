import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const now = new Date('2026-11-24T10:05:00Z');
let machine: Machine;
let service: TestService;
let clients: readonly { readonly id: string; readonly first_name: string; readonly last_name: string }[];
let ids: string[];

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  service = await openTestService({ now: () => now, clients: 3 });
  clients = JSON.parse((await salon('clients list --json')).stdout);
  const [mia, theo] = service.stylistIds;
  ids = [];
  for (const [stylist, client, start, duration, more = ''] of [
    [theo, 1, '2026-11-24T09:00', '30'],
    [mia, 0, '2026-11-24T10:00', '90'],
    [mia, 1, '2026-11-24T10:30', '30', '--allow-overlap'],
    [mia, 2, '2026-11-23T23:30', '60'],
    [mia, 0, '2026-11-24T15:00', '30', '--status cancelled'],
    [mia, 0, '2026-11-25T00:00', '30'],
  ] as const) {
    const booking = `--client ${clients[client]?.id} --stylist ${stylist} --start ${start} --duration ${duration}`;
    const [first, rest = ''] = more.startsWith('--status') ? ['', more] : [more, ''];
    const line = `appointments create ${booking} --service Cut ${first} --json`;
    const made = JSON.parse((await salon(line)).stdout);
    ids.push(made.id);
    if (rest !== '') await salon(`appointments cancel ${made.id}`);
  }
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

function salon(line: string, world: RunOptions = {}, role: keyof TestService['keys'] = 'owner') {
  const env = {
    SALON_BASE_URL: service.origin,
    SALON_API_KEY: service.keys[role],
    SALON_TIME_ZONE: 'Europe/Berlin',
    NO_COLOR: '1',
    ...world.env,
  };
  const argv = line.split(' ').filter((word) => word !== '');
  return machine.salon(argv, { now, ...world, env });
}

describe('salon appointments calendar', () => {
  it('draws today at a terminal, in the time zone of the salon', async () => {
    const { stdout, exitCode } = await salon('appointments calendar', { columns: 120, rows: 40 });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Tuesday 24 November 2026');
    expect(stdout).toContain(
      '4 appointments with 11 stylists. Not working: Rhys. Not shown: 1 cancelled (--all).',
    );
    expect(stdout).toContain('11:05▸');
    expect(stdout).toContain('+ The client has another appointment that day.');
    expect(stdout).toContain(`C+${clients[1]?.first_name}`);
  });

  it('prints rows in a pipe, by stylist and time, with names and UTC times', async () => {
    const { stdout } = await salon('appointments calendar 2026-11-24');
    const [header, ...rows] = stdout.trim().split('\n');
    expect(header).toBe('start_time\tend_time\tstylist\tclient\tservice\tstatus\tid\tstylist_id\tclient_id');
    const order = rows.map((row) => ids.indexOf(row.split('\t')[6] ?? ''));
    expect(order).toEqual([3, 1, 2, 0]);
    expect(rows[1]).toMatch(/^2026-11-24T09:00:00Z\t2026-11-24T10:30:00Z\t/);
    expect(rows[1]).toContain(`\t${clients[0]?.first_name} ${clients[0]?.last_name}\t`);
  });

  it.each([
    ['--all', 5],
    ['--status cancelled', 1],
    ['--status confirmed', 4],
    ['tomorrow', 1],
    ['--day 2026-11-25', 1],
    ['--week', 5],
    ['2026-11-30', 0],
  ])('with %s shows %i appointments', async (flags, count) => {
    const { stdout } = await salon(`appointments calendar ${flags} --json`);
    expect(JSON.parse(stdout)).toHaveLength(count);
  });

  it('shows one stylist, by ID or name', async () => {
    const [, theo = ''] = service.stylistIds;
    const [row] = JSON.parse((await salon(`appointments calendar --stylist ${theo} --json`)).stdout);
    expect(row).toMatchObject({ id: ids[0], stylist_id: theo });
    const named = await machine.salon(
      ['appointments', 'calendar', '--json', '--stylist', row.stylist.toUpperCase()],
      {
        now,
        env: {
          SALON_BASE_URL: service.origin,
          SALON_API_KEY: service.keys.owner,
          SALON_TIME_ZONE: 'Europe/Berlin',
        },
      },
    );
    expect(JSON.parse(named.stdout)).toMatchObject([{ id: ids[0] }]);
  });

  it('draws 80 columns wide into a pipe with -f table', async () => {
    const { stdout } = await salon('appointments calendar -f table');
    expect(stdout).toContain('▌C ');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('prints sentences with --plain', async () => {
    const { stdout } = await salon('appointments calendar --plain', { columns: 80 });
    expect(stdout).toMatch(/^10:00 to 11:30: .+, Cut, confirmed\.$/m);
    expect(stdout).not.toMatch(/[▌─]/);
  });

  it('counts cancelled appointments per day with --plain --week', async () => {
    const { stdout } = await salon('appointments calendar --plain --week', { columns: 80 });
    expect(stdout.match(/^.*Not shown: 1 cancelled \(--all\)\.$/gm)).toEqual([
      '4 appointments with 12 stylists. Not shown: 1 cancelled (--all).',
    ]);
  });

  it('draws a week of the salon or of one stylist with --week', async () => {
    const { stdout } = await salon('appointments calendar --week', { columns: 100 });
    expect(stdout).toMatch(/Mon 23 Nov +Tue 24 Nov/);
    expect(stdout).toContain('A full bar is');
    const own = await salon(`appointments calendar --week --stylist ${service.stylistIds[0]}`, {
      columns: 100,
    });
    expect(own.stdout).toMatch(/appointments with \S+\. Not shown: 1 cancelled/);
    expect(own.stdout).toContain('▌C ');
  });

  it('shows client IDs with --no-names', async () => {
    const [row] = JSON.parse((await salon('appointments calendar --no-names --json')).stdout);
    expect(row).toMatchObject({ client: null, client_id: clients[2]?.id });
  });

  it('prints a table with --columns', async () => {
    const { stdout } = await salon('appointments calendar -c start_time,client', { columns: 80 });
    expect(stdout).toMatch(/^Start +Client *$/m);
  });

  it('has client_name and stylist_name on request, as every list of appointments', async () => {
    const names = await salon('appointments calendar -c client_name,stylist_name --json');
    const own = await salon('appointments calendar -c client,stylist --json');
    expect(names.stdout.replaceAll('_name"', '"')).toBe(own.stdout);
    expect((await salon('appointments calendar --json')).stdout).not.toContain('_name');
  });

  it('reports that there are no appointments', async () => {
    const { stdout, exitCode } = await salon('appointments calendar 2026-11-30', { columns: 80 });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('No appointments on Monday 30 November 2026. Stylists: ');
  });

  it('shows a stylist’s key only that stylist’s calendar', async () => {
    const { stdout, exitCode } = await salon('appointments calendar --json', {}, 'stylist');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => ids.indexOf(id))).toEqual([3, 1, 2]);
    const drawn = await salon('appointments calendar', { columns: 120 }, 'stylist');
    expect(drawn.stdout).toMatch(/^3 appointments with [^0-9]+\./m);
    expect(drawn.stderr).toContain("This API key can only see its own stylist's calendar.");
  });

  it.each([
    'appointments calendar --stylist',
    'today --stylist',
    'appointments list --stylist',
    'report no-shows --stylist',
  ])(
    '%s refuses another stylist to a stylist’s key: no appointments would look like free time',
    async (words) => {
      const theo = service.stylistIds[1] ?? '';
      const ran = await salon(`${words} ${theo}`, {}, 'stylist');
      expect(ran).toMatchObject({ exitCode: 10, stdout: '' });
      expect(ran.stderr).toContain("This API key can only see its own stylist's calendar.");
      const own = await salon(`${words} ${service.stylistIds[0]}`, {}, 'stylist');
      expect(own.exitCode).toBe(0);
    },
  );

  it('shows client IDs, with a warning, if the key may not read clients', async () => {
    const { key } = await service.addKey({ scopes: ['appointments:read'] });
    const ran = await salon('appointments calendar --json', { env: { SALON_API_KEY: key } });
    expect(ran.exitCode).toBe(0);
    expect(JSON.parse(ran.stdout)[0]).toMatchObject({ client: null });
    expect(ran.stderr).toContain("Clients' names and phones are not shown.");
  });

  it.each([
    ['Mia', 3],
    ['Theo', 1],
    ['today Theo', 1],
    ['Theo 24/11/2026', 1],
    ['with Theo today', 1],
    ['this week with Theo', 1],
    ['mia tomorrow', 1],
    ['Theo --stylist Mia', 4],
    ['Mia --day tomorrow', 1],
  ])(
    'takes the name of a stylist beside the day, as salon free does: salon calendar %s',
    async (words, count) => {
      const ran = await salon(`calendar ${words} --json`);
      expect({ exitCode: ran.exitCode, count: JSON.parse(ran.stdout).length }).toEqual({
        exitCode: 0,
        count,
      });
    },
  );

  it.each([
    ['Nobody fri', 6, 'No stylist matches "Nobody".'],
    ['Mia Theo', 2, '"Mia Theo" is not a day.'],
    ['3/4/2026', 2, '"3/4/2026" may be 3 April 2026 or 4 March 2026.'],
    ['31 feb', 2, 'The day "31 feb" does not exist.'],
    ['notaday', 2, '"notaday" is not a day.'],
    ['today --day today', 2, 'Pass the day only once'],
    ['--stylist nobody', 6, 'No stylist matches "nobody".'],
  ])('with %s exits with code %i', async (flags, exitCode, message) => {
    const ran = await salon(`appointments calendar ${flags}`, { columns: 80 });
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});
