import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type RunOptions } from '../../support/io.ts';
import { type OtherClock, openOtherClock, shiftedFrom } from '../../support/other-clock.ts';
import { openPeopleSalon, peopleNow, retireSampleStylists } from '../../support/people-salon.ts';

// The service has an hour more from December on, as if its Node were newer than that of the command line.
let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
let server: OtherClock;
beforeAll(async () => {
  salon = await openPeopleSalon();
  await retireSampleStylists(salon);
  await salon.client.salon.update({ time_zone: 'America/Bogota', opening_hours: 'mon-sun 0-24' });
  server = await openOtherClock(salon.env.SALON_BASE_URL);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await salon[Symbol.asyncDispose]();
});

const december = '2026-12-01T00:00:00Z';
const tz = process.versions['tz'];
const difference = (time: string, own: string, theirs: string) =>
  `${time} in America/Bogota is ${own} by the clock rules here (tz ${tz}), but ${theirs} by those of the server (tz 2026e).`;
const winter = difference('Tuesday 8 December 2026 09:00', '2026-12-08T14:00Z', '2026-12-08T13:00Z');

/** A machine with a profile, signed in while the server says that of its clock. */
async function openProfile(change: OtherClock['change'] = shiftedFrom(december, 60)) {
  server.change = change;
  const machine = createMachine({ now: peopleNow });
  const login = ['auth', 'login', '--base-url', server.origin, '--with-key'];
  const { exitCode, stderr } = await machine.salon(login, { stdin: salon.env.SALON_API_KEY });
  expect(exitCode, stderr).toBe(0);
  return {
    home: machine.home,
    run: (line: string, options: RunOptions = {}) =>
      machine.salon(line.match(/[^\s"]+|"[^"]*"/g)?.map((word) => word.replaceAll('"', '')) ?? [], options),
    [Symbol.dispose]: () => machine[Symbol.dispose](),
  };
}

const startsOf = async (client_id: string) => {
  const starts: string[] = [];
  for await (const { rows } of salon.client.appointments.list({ client_id }))
    starts.push(...rows.map(({ start_time }) => start_time));
  return starts;
};
const addClient = async () =>
  (await salon.client.clients.create({ first_name: 'Nia', last_name: 'Berg' })).id ?? '';

describe('a local time that the server reads differently', () => {
  const create = (client: string, start: string) =>
    `appointments create --client ${client} --stylist ${salon.quinn} --service Cut --duration 30 --allow-overlap --start "${start}"`;

  it('is not sent by a script, which learns both readings and what to write', async () => {
    using profile = await openProfile();
    const client = await addClient();
    const ran = await profile.run(create(client, '8.12.2026 9:00'));
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.stderr).toContain(`${winter} Nothing was changed.`);
    expect(ran.stderr).toContain(
      'Say which you mean: write 2026-12-08T09:00-04:00 or 2026-12-08T09:00-05:00. To send 2026-12-08T14:00Z, add --yes.',
    );
    expect(await startsOf(client)).toEqual([]);
  });

  it('is sent by a script with --yes, and said', async () => {
    using profile = await openProfile();
    const client = await addClient();
    const ran = await profile.run(
      `book ${client} with ${salon.quinn} --service Cut 8.12.2026 9:00 --duration 30 --yes`,
    );
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(winter);
    expect(await startsOf(client)).toEqual(['2026-12-08T14:00:00Z']);
  });

  it.each([
    ['with the offset of the server', '2026-12-08T10:00-04:00', '2026-12-08T14:00:00Z'],
    ['in UTC', '2026-12-08T15:00Z', '2026-12-08T15:00:00Z'],
    ['before the rules part', '30.11.2026 9:00', '2026-11-30T14:00:00Z'],
  ])('is no question for one %s', async (_what, start, sent) => {
    using profile = await openProfile();
    const client = await addClient();
    const ran = await profile.run(create(client, start));
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('clock rules');
    expect(await startsOf(client)).toEqual([sent]);
  });

  it.each([
    ['n', 8, []],
    ['y', 0, ['2026-12-08T14:00:00Z']],
  ])('is asked at a terminal: %s', async (answer, exitCode, sent) => {
    using profile = await openProfile();
    const client = await addClient();
    const line = `${create(client, '8.12.2026 9:00')} --plain`;
    const ran = await profile.run(line, { columns: 200, stdin: `${answer}\n` });
    expect(ran.stderr.replaceAll('\n', ' ')).toContain(`${winter} Send 2026-12-08T14:00Z?`);
    expect(ran.exitCode, ran.stderr).toBe(exitCode);
    expect(await startsOf(client)).toEqual(sent);
  });

  it('is asked where a free time was chosen by it', async () => {
    using profile = await openProfile();
    const client = await addClient();
    const line = `book ${client} with ${salon.quinn} --service Cut --duration 30 8.12.2026 --plain`;
    const ran = await profile.run(line, { columns: 200, stdin: '19:00\n1\n1\nn\n' });
    expect(ran.stderr).toContain('2026-12-09T00:00Z by the clock rules here');
    expect(ran.exitCode, ran.stderr).toBe(8);
    expect(await startsOf(client)).toEqual([]);
  });

  it('is refused before a new client is added', async () => {
    using profile = await openProfile();
    const line = `book --new-client "Ida Winter" with ${salon.quinn} --service Cut 8.12.2026 9:00 --duration 30`;
    expect(await profile.run(line)).toMatchObject({ exitCode: 8 });
    const found = await profile.run('clients list --search Winter --json');
    expect(JSON.parse(found.stdout)).toEqual([]);
  });

  it('is said by a dry run, which asks nothing', async () => {
    using profile = await openProfile();
    const ran = await profile.run(`${create(salon.ids.ana, '8.12.2026 9:00')} --dry-run`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(winter);
  });

  it('is asked for with the key of the environment, too', async () => {
    server.change = shiftedFrom(december, 60);
    using machine = createMachine({ now: peopleNow });
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: salon.env.SALON_API_KEY };
    const argv = ['block', 'Ravi', '2026-12-24', 'to', '2026-12-26', 'holiday'];
    const ran = await machine.salon(argv, { env, timeZone: 'America/Bogota' });
    expect(ran.exitCode, ran.stderr).toBe(8);
    expect(ran.stderr).toContain(
      difference('Thursday 24 December 2026 00:00', '2026-12-24T05:00Z', '2026-12-24T04:00Z'),
    );
    expect(ran.stderr).toContain('The same goes for 1 more time.');
  });

  it.each([
    ['move', (id: string) => `move ${id} 9.12.2026 9:00`],
    ['update', (id: string) => `appointments update ${id} --start "9.12.2026 9:00"`],
    ['--set', (id: string) => `appointments update ${id} --set "start_time=9.12.2026 9:00"`],
  ])('is not sent by %s', async (_what, line) => {
    using profile = await openProfile();
    const id = await salon.book('bob', { start_time: '2026-11-28T15:00:00Z', allow_overlap: true });
    const ran = await profile.run(line(id));
    expect(ran.exitCode, ran.stderr).toBe(8);
    expect(ran.stderr).toContain('2026-12-09T14:00Z by the clock rules here');
    expect((await salon.client.appointments.get(id)).start_time).toBe('2026-11-28T15:00:00Z');
    // Another field of an appointment with such a time is no question.
    expect(await profile.run(`appointments update ${id} --notes Window`)).toMatchObject({ exitCode: 0 });
  });

  it('is not sent with a day that a condition moves', async () => {
    using profile = await openProfile();
    const id = await salon.book('joao', { start_time: '2026-11-29T17:00:00Z', allow_overlap: true });
    const line = `appointments update --where-client ${salon.ids.joao} --start +9d`;
    const ran = await profile.run(line);
    expect(ran.exitCode, ran.stderr).toBe(8);
    expect(ran.stderr).toContain('2026-12-08T17:00Z by the clock rules here');
    expect((await salon.client.appointments.get(id)).start_time).toBe('2026-11-29T17:00:00Z');
  });
});

describe('a sheet of local times that the server reads differently', () => {
  const headings = 'client_id,stylist_id,service,start_time,duration,allow_overlap';
  const sheet = (client: string, starts: readonly string[]) =>
    [headings, ...starts.map((start) => `${client},${salon.quinn},Cut,${start},30,yes`)].join('\n');

  it('is refused whole without --yes, also as a saved plan', async () => {
    using profile = await openProfile();
    const client = await addClient();
    const starts = ['2026-11-30 09:00', '2026-12-08 09:00', '2026-12-09 09:00', '2026-12-10T09:00:00-05:00'];
    writeFileSync(join(profile.home, 'a.csv'), sheet(client, starts));
    for (const line of ['appointments create --file a.csv', 'jobs apply plan.json']) {
      const ran = await profile.run(line);
      expect(ran.exitCode, ran.stderr).toBe(8);
      expect(ran.stderr).toContain(`${winter} The same goes for 1 more time. Nothing was changed.`);
      expect((await profile.run('appointments create --file a.csv --plan-file plan.json')).exitCode).toBe(0);
    }
    expect(await startsOf(client)).toEqual([]);
    const ran = await profile.run('jobs apply plan.json --yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(winter);
    expect(await startsOf(client)).toHaveLength(4);
  });

  it('is no question where every time has an offset', async () => {
    using profile = await openProfile();
    const client = await addClient();
    writeFileSync(join(profile.home, 'a.csv'), sheet(client, ['2026-12-10T09:00:00-05:00']));
    const ran = await profile.run('appointments create --file a.csv --yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('clock rules');
  });
});

describe('a clock that says nothing usable', () => {
  it.each([
    ['no list', { until: 'never' }, 'sends rules that no clock can follow'],
    [
      'absurd offsets',
      { until: '2030-01-01T00:00:00Z', offsets: [{ from: december, offset_minutes: 1e9 }] },
      'sends rules that no clock can follow',
    ],
    ['a text', 'America/Bogota', 'sends rules that no clock can follow'],
    [
      'a zone that the server does not know',
      { until: '2030-01-01T00:00:00Z', offsets: [] },
      'does not know this zone',
    ],
  ])('is no question, and said once: %s', async (_what, clock, why) => {
    using profile = await openProfile(() => clock);
    const client = await addClient();
    const line = `book ${client} with ${salon.quinn} --service Cut 8.12.2026 9:00 --duration 30 --allow-overlap`;
    const ran = await profile.run(line);
    expect(ran.exitCode, ran.stderr).toBe(0);
    const said = `Times in America/Bogota are read by the clock rules here alone: the server ${why}.`;
    expect(ran.stderr.split(said)).toHaveLength(2);
    const doctor = await profile.run('doctor --json');
    expect(doctor.exitCode).toBe(0);
    const checks: { check: string; status: string }[] = JSON.parse(doctor.stdout);
    expect(checks.find(({ check }) => check === 'zone')).toMatchObject({ status: 'warning' });
  });

  it.each([
    ['null', null],
    ['the same rules', undefined],
  ])('is no question, and nothing is said: %s', async (_what, clock) => {
    using profile = await openProfile((own) => (clock === undefined ? own : clock));
    const client = await addClient();
    const line = `book ${client} with ${salon.quinn} --service Cut 8.12.2026 9:00 --duration 30 --allow-overlap`;
    const ran = await profile.run(line);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('clock');
  });
});

describe('the doctor about the time zone', () => {
  const check = async (change?: OtherClock['change']) => {
    using profile = await openProfile(change);
    const { stdout } = await profile.run('doctor --json');
    const checks: { check: string; message: string }[] = JSON.parse(stdout);
    return checks.find((one) => one.check === 'zone');
  };

  it('names both versions, and the first time at which the rules part', async () => {
    expect(await check()).toMatchObject({
      status: 'warning',
      message: difference('Monday 30 November 2026 19:00', '2026-12-01T00:00Z', '2026-11-30T23:00Z'),
      details: { time_zone: 'America/Bogota', tz, server_tz: '2026e' },
    });
  });

  it('names both versions where the rules agree', async () => {
    expect(await check((own) => ({ ...own, tz_version: '2026b' }))).toMatchObject({
      status: 'ok',
      message: `America/Bogota has the same rules: tz ${tz} here, tz 2026b on the server`,
    });
  });
});

describe('a zone that only the server knows', () => {
  beforeAll(() => {
    server.zone = 'Europe/Atlantis';
  });
  afterAll(() => {
    server.zone = undefined;
  });

  it('fails what needs it, and nothing else', async () => {
    using profile = await openProfile((clock) => clock);
    for (const line of ['clients list', 'whoami', 'settings show', 'doctor'])
      expect((await profile.run(line)).exitCode, line).toBe(0);
    const client = await addClient();
    const line = `book ${client} with ${salon.quinn} --service Cut --duration 30 --allow-overlap`;
    const ran = await profile.run(`${line} 8.12.2026 9:00`);
    expect(ran.exitCode, ran.stderr).toBe(2);
    expect(ran.stderr).toContain('Europe/Atlantis');
    expect(await startsOf(client)).toEqual([]);
    const { stdout } = await profile.run('doctor --json');
    const checks: { check: string; message: string }[] = JSON.parse(stdout);
    const message = `This machine does not know Europe/Atlantis: tz ${tz} here, tz of an unknown version on the server`;
    expect(checks.find(({ check }) => check === 'zone')).toMatchObject({ status: 'warning', message });
    // With another zone, on purpose, times can be written.
    const env = { TZ: 'UTC', SALON_TIME_ZONE: 'UTC' };
    const elsewhere = await profile.run(`${line} 2026-12-08T09:00-05:00`, { env });
    expect(elsewhere.exitCode, elsewhere.stderr).toBe(0);
    const { id } = JSON.parse(
      (await profile.run(`appointments list --client ${client} --json`, { env })).stdout,
    )[0];
    writeFileSync(join(profile.home, 'a.csv'), `id,start_time\n${id},2026-12-08 20:00`);
    const sheet = await profile.run('appointments update --file a.csv --yes', { env });
    expect(sheet.exitCode, sheet.stderr).toBe(0);
  });
});
