import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCountingGateway } from '../../support/counting-gateway.ts';
import { createMachine } from '../../support/io.ts';
import { openPeopleSalon, peopleNow } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
beforeAll(async () => {
  salon = await openPeopleSalon();
  // A Friday and a Saturday.
  await salon.book('ana', { start_time: '2026-11-27T15:00:00Z' });
  await salon.book('joao', { start_time: '2026-11-28T10:00:00Z' });
  const over = await salon.book('bob', { start_time: '2026-11-28T12:00:00Z' });
  await salon.client.appointments.cancel(over);
});
afterAll(() => salon[Symbol.asyncDispose]());
const former = { time_zone: 'Europe/Lisbon', opening_hours: 'mon-fri 09:00-18:00, sat 09:00-14:00' };
beforeEach(async () => {
  await salon.client.salon.update(former);
});

const set = (argv: string, ...flags: readonly string[]) =>
  salon.salon(['settings', 'set', ...argv.split(' '), ...flags]);
const read = async () => (await salon.client.salon.get()).opening_hours;

describe('new opening hours', () => {
  it('are compared with the old ones by weekday, and name whom they leave out, before a question', async () => {
    const { exitCode, stderr, stdout } = await set('opening_hours mon-thu 9-17');
    expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
    const [affected = '', comparison = ''] = stderr.split(/(?=^ +now)/m);
    expect(comparison).toBe(
      [
        '       now          new',
        ...['Mon', 'Tue', 'Wed', 'Thu'].map((day) => `  ${day}  09:00-18:00  09:00-17:00`),
        '  Fri  09:00-18:00  closed',
        '  Sat  09:00-14:00  closed',
        '  Sun  closed       closed',
        'error: Set these opening hours? Confirmation is required.',
        '  Add --yes to confirm.',
        '',
      ].join('\n'),
    );
    expect(affected).toMatch(
      /^2 appointments outside these hours stay booked:\n {2}Fri 27 Nov 15:00 {2}Ana Costa {2}\+351912345678 {2}Balayage {2}apt_\w+\n {2}Sat 28 Nov 10:00 {2}João Silva {2}no phone {2}Balayage {2}apt_\w+\nTo move one: salon move apt_\w+ fri 11:00\nTo call them: salon call-list --id apt_\w+,apt_\w+\n$/,
    );
    expect(await read()).toBe(former.opening_hours);
  });

  it('are set with --yes, or with a yes', async () => {
    expect(await set('opening_hours mon-thu 9-17', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await read()).toBe('mon-thu 09:00-17:00');
    expect(await salon.talk('settings set opening_hours mon-sat 9-17', ['y'])).toMatchObject({ exitCode: 0 });
    expect(await read()).toBe('mon-sat 09:00-17:00');
    expect(await salon.talk('settings set opening_hours sun 9-17', ['n'])).toMatchObject({ exitCode: 8 });
    expect(await read()).toBe('mon-sat 09:00-17:00');
  });

  it('list at most ten whom they leave out, above the comparison, which stays on the screen', async () => {
    const days = Array.from({ length: 10 }, (_, week) => week);
    const ids = await Promise.all(
      days.map((week) => {
        const start_time = new Date(Date.UTC(2026, 11, 7 + 7 * week, 15)).toISOString();
        return salon.book('ana', { start_time });
      }),
    );
    const { stderr } = await set('opening_hours mon-thu 9-10');
    for (const id of ids) await salon.client.appointments.cancel(id);
    expect(stderr).toMatch(
      /^12 appointments outside these hours stay booked:\n(?: {2}\w{3} .+\n){10} {2}… and 2 more/,
    );
    expect(stderr).not.toContain('call-list --id');
    const screen = stderr
      .split('\n')
      .slice(-24)
      .flatMap((line) => line.match(/.{1,80}/g) ?? [''])
      .slice(-24);
    expect(screen).toContain('       now          new');
  });

  it('are only shown by a dry run', async () => {
    const { exitCode, stdout, stderr } = await set('opening_hours mon 9-17', '--dry-run', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      { field: 'opening_hours', old: former.opening_hours, new: 'mon 09:00-17:00' },
    ]);
    expect(stderr).toMatch(
      /^2 appointments outside these hours stay booked:[\s\S]*\n {2}Sat {2}09:00-14:00 {2}closed\n/m,
    );
    expect(await read()).toBe(former.opening_hours);
  });

  it.each([
    ['the same hours in other words', 'opening_hours mon-fri 9-18, sat 9-14'],
    ['another setting', 'phone +4930123456'],
    ['the same time zone', 'time_zone Europe/Lisbon'],
    ['another name of the same clock', 'time_zone Europe/London'],
  ])('ask nothing where nobody is concerned: %s', async (_, argv) => {
    expect(await set(argv)).toMatchObject({ exitCode: 0 });
  });

  it('ask nothing the first time, unless they leave somebody out', async () => {
    await salon.client.salon.update({ opening_hours: null });
    expect(await set('opening_hours fri-sat 9-18')).toMatchObject({ exitCode: 0 });
    await salon.client.salon.update({ opening_hours: null });
    const { exitCode, stderr } = await set('opening_hours fri 9-18');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 8,
      stderr: expect.stringMatching(
        /^An appointment outside these hours stays booked:$[\s\S]*Sat {2}not set {2}closed/m,
      ),
    });
  });

  it('are not set if somebody else has changed them since they were shown', async () => {
    await using gateway = await openCountingGateway(salon.env.SALON_BASE_URL, {
      async fateOf(method) {
        if (method === 'PATCH') await salon.client.salon.update({ opening_hours: 'sat 10-12' });
        return 'passed' as const;
      },
    });
    const argv = ['settings', 'set', 'opening_hours', 'mon 9-17', '--yes'];
    const { exitCode } = await salon.salon(argv, { env: { SALON_BASE_URL: gateway.origin } });
    expect({ exitCode, hours: await read() }).toEqual({ exitCode: 7, hours: 'sat 10:00-12:00' });
  });

  it('are set after a warning where it cannot be read whom they leave out', async () => {
    const key = await salon.addKey(['stylists:read', 'stylists:write']);
    const argv = ['settings', 'set', 'opening_hours', 'mon 9-17', '--yes'];
    const { exitCode, stderr } = await salon.salon(argv, { env: { SALON_API_KEY: key } });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Whom it affects is not known.'),
    });
  });

  it('are compared with what the salon has now, where the profile knows earlier settings', async () => {
    using machine = createMachine({ now: peopleNow });
    const login = ['auth', 'login', '--base-url', salon.env.SALON_BASE_URL, '--with-key'];
    await machine.salon(login, { stdin: salon.env.SALON_API_KEY });
    await salon.client.salon.update({ opening_hours: 'mon-sat 08:00-20:00' });
    const { exitCode, stderr } = await machine.salon(['settings', 'set', 'opening_hours', 'mon 9-17']);
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(/^ +now +new\n {2}Mon {2}08:00-20:00 {2}09:00-17:00\n/m);
    expect(stderr.match(/^ +now/gm)).toHaveLength(1);
  });

  it('are refused if nobody can read them', async () => {
    expect(await set('opening_hours now and then')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('opening_hours needs weekly opening hours, not "now and then".'),
    });
  });
});

describe('a new time zone', () => {
  it('shows which appointments get another time on the clock, before a question', async () => {
    const { exitCode, stderr } = await set('time_zone Europe/Berlin');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 8,
      stderr: expect.stringMatching(
        /^2 upcoming appointments stay at their moment, and show another time:\n {2}Fri 27 Nov 15:00 → Fri 27 Nov 16:00 {2}Ana Costa[^\n]*\n {2}Sat 28 Nov 10:00 → Sat 28 Nov 11:00 {2}João Silva[^\n]*\nTime zone: Europe\/Lisbon → Europe\/Berlin\nerror: Set this time zone\? Confirmation is required\.\n/,
      ),
    });
    expect((await salon.client.salon.get()).time_zone).toBe('Europe/Lisbon');
    expect(await set('time_zone Europe/Berlin', '--yes')).toMatchObject({ exitCode: 0 });
    expect((await salon.client.salon.get()).time_zone).toBe('Europe/Berlin');
  });

  it("is compared with the salon's, not with that of the profile", async () => {
    const { stderr } = await salon.salon(['settings', 'set', 'time_zone', 'Europe/Berlin'], {
      env: { SALON_TIME_ZONE: 'Europe/Berlin' },
    });
    expect(stderr).toContain('  Fri 27 Nov 15:00 → Fri 27 Nov 16:00  Ana Costa');
  });
});
