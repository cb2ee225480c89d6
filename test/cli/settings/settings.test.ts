import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { openPeopleSalon } from '../../support/people-salon.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function salon(argv: string, key = service.keys.owner) {
  using machine = createMachine({ env: { SALON_BASE_URL: service.origin, SALON_API_KEY: key } });
  return await machine.salon(argv.split(' '));
}

describe('salon settings', () => {
  it('are set one at a time, in words without quotes, and shown', async () => {
    expect(await salon('settings set opening_hours tue-fri 9-18, sat 9-14')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("The salon's opening hours are tue-fri 09:00-18:00, sat 09:00-14:00."),
    });
    const { stdout } = await salon('settings show --json');
    expect(JSON.parse(stdout)).toMatchObject({ opening_hours: 'tue-fri 09:00-18:00, sat 09:00-14:00' });
    expect(await salon('settings set opening_hours none --yes')).toMatchObject({ exitCode: 0 });
    expect(JSON.parse((await salon('settings show --json')).stdout)).toMatchObject({ opening_hours: null });
  });

  it('stay as they are after a dry run, an unknown setting and one without the right', async () => {
    const before = (await salon('settings show --json')).stdout;
    const dryRun = await salon('settings set currency EUR --dry-run --json');
    expect(JSON.parse(dryRun.stdout)).toEqual([{ field: 'currency', old: null, new: 'EUR' }]);
    expect(await salon('settings set currency euros -n')).toMatchObject({ exitCode: 2 });
    expect(await salon('settings set currency EUR', service.keys.receptionist)).toMatchObject({
      exitCode: 10,
    });
    const unknown = await salon('settings set curency EUR');
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Did you mean currency?') });
    expect((await salon('settings show --json')).stdout).toBe(before);
  });
});

describe('commands of a profile', () => {
  it('use the time zone and hours of the salon, unless the profile has its own', async () => {
    using machine = createMachine({ env: { SALON_NO_KEYRING: '1' }, timeZone: 'UTC' });
    const run = async (argv: string) => {
      const result = await machine.salon(argv.split(' '));
      expect(result.exitCode, result.stderr).toBe(0);
      return result.stdout;
    };
    const read = async (setting: string) => {
      const rows: { setting: string }[] = JSON.parse(await run('profiles show --json'));
      return rows.find((row) => row.setting === setting);
    };
    await salon('settings set time_zone Asia/Tokyo');
    const login = ['auth', 'login', '--base-url', service.origin, '--with-key'];
    await machine.salon(login, { stdin: service.keys.owner });
    expect(await read('time_zone')).toMatchObject({ value: 'Asia/Tokyo', from: 'salon' });
    await run('settings set time_zone Europe/Rome');
    await run('settings set opening_hours mon-fri 9-18 --yes');
    expect(await read('time_zone')).toMatchObject({ value: 'Europe/Rome', from: 'salon' });
    expect(await read('opening_hours')).toMatchObject({ value: 'mon-fri 09:00-18:00', from: 'salon' });
    await salon('settings set time_zone Asia/Tokyo');
    await run('settings show');
    expect(await read('time_zone')).toMatchObject({ value: 'Asia/Tokyo', from: 'salon' });
    await run('profiles set default time_zone Europe/Berlin');
    expect(await read('time_zone')).toMatchObject({ value: 'Europe/Berlin', from: 'profile' });
  });
});

describe('commands of a salon that only the environment names', () => {
  let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
  beforeAll(async () => {
    salon = await openPeopleSalon();
    await salon.client.salon.update({ time_zone: 'Asia/Tokyo', opening_hours: 'mon-sun 00:00-24:00' });
  });
  afterAll(() => salon[Symbol.asyncDispose]());

  const run = (argv: string, options: object = {}) =>
    salon.salon(argv.split(' '), { asksForZone: true, ...options });

  it('read and show times in its time zone, with one request', async () => {
    const booked = await run('book Ana Costa with Quinn for Balayage 2026-11-24 15:00 --duration 30 --json');
    expect(JSON.parse(booked.stdout)).toMatchObject({ start_time: '2026-11-24T06:00:00Z' });
    expect(booked.requests.filter((request) => request === 'GET salon')).toHaveLength(1);
    const shown = await run('appointments list --no-pager', { columns: 160 });
    expect(shown.stdout).toMatch(/Asia\/Tokyo[\s\S]*2026-11-24 15:00/);
    const moved = await run('move Ana Costa 2026-11-24 16:00 --yes');
    expect(moved.stderr).toContain('Tue 24 Nov 16:00');
  });

  it('use SALON_TIME_ZONE instead, if it is set', async () => {
    const { stdout } = await run('appointments list --from 2026-11-24', { env: { SALON_TIME_ZONE: 'UTC' } });
    expect(stdout).not.toBe('');
    const shown = await run('appointments list --no-pager', {
      env: { SALON_TIME_ZONE: 'UTC' },
      columns: 160,
    });
    expect(shown.stdout).toContain('2026-11-24 07:00');
    expect(shown.requests).not.toContain('GET salon');
  });

  it.each(['clients list', 'clients list --tag vip', 'appointments list --json'])(
    'do not ask for it where no local time is read or shown: %s',
    async (argv) => {
      const { exitCode, requests } = await run(argv, { columns: 120 });
      expect(exitCode).toBe(0);
      expect(requests).not.toContain('GET salon');
    },
  );

  it('warn once of the zone that is assumed, where the server does not say', async () => {
    await salon.client.salon.update({ time_zone: null });
    const { stderr } = await run('free 2026-11-24 10:00 --duration 30', { timeZone: 'Asia/Kolkata' });
    expect(stderr.match(/does not name the time zone of the salon; assuming Asia\/Kolkata\./g)).toHaveLength(
      1,
    );
    const listed = await run('appointments list --no-pager', { columns: 160, timeZone: 'Asia/Kolkata' });
    expect(listed.stderr).not.toContain('time zone');
  });
});
