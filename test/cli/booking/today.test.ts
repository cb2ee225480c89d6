import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const now = new Date('2026-11-24T10:05:00Z');
let machine: Machine;
let service: TestService;
let names: readonly string[];

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  service = await openTestService({ now: () => now, clients: 5 });
  const clients = JSON.parse((await salon('clients list --json')).stdout);
  names = clients.map((client: Record<string, string>) => `${client['first_name']} ${client['last_name']}`);
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
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner, TZ: 'Europe/Berlin' };
  return machine.salon(line.split(' '), { now, ...world, env: { ...env, NO_COLOR: '1' } });
}

describe('salon today', () => {
  it('lists what is due above the calendar, in 80 columns', async () => {
    const { stdout } = await salon('today', { columns: 80 });
    const lines = stdout.split('\n');
    expect(lines.slice(0, 5).map((line) => line.replace(/ {2,}/g, '  ').split(/, /)[0])).toEqual([
      'Due at 11:05',
      `  Not arrived  10:00–10:30  ${names[0]}  Cut`,
      `  Not completed  09:00–09:30  ${names[1]}  Cut`,
      `  To confirm  15:00–15:30  ${names[2]}  Cut`,
      `  Next  12:00–12:30  ${names[3]}  Cut`,
    ]);
    expect(stdout).toContain('Tuesday 24 November 2026');
    expect(stdout).toContain('5 appointments');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('fits the screen with the list above', async () => {
    const screen = { columns: 240, rows: 36 };
    const [{ stdout }, calendar] = [await salon('today', screen), await salon('calendar', screen)];
    expect(calendar.stdout.split('\n').length).toBeGreaterThan(30);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(36);
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
    expect(stdout).toMatch(/^Due at 11:05\.\nNot arrived: 10:00 .+, Cut, .+\.$/m);
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
