import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CountingGateway, openCountingGateway } from '../../support/counting-gateway.ts';
import { createMachine, type RunOptions } from '../../support/io.ts';
import { openPeopleSalon, peopleNow, readRequests } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
let gateway: CountingGateway;
/** Happens before a write reaches the service. */
let beforeWrite: (writes: number) => Promise<unknown> = async () => {};
beforeAll(async () => {
  salon = await openPeopleSalon();
  gateway = await openCountingGateway(salon.env.SALON_BASE_URL, {
    async fateOf(method, writes) {
      if (method !== 'GET') await beforeWrite(writes);
      return 'passed' as const;
    },
  });
  await salon.book('ana', { start_time: '2026-11-20T09:00:00Z' });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await salon[Symbol.asyncDispose]();
});

interface ProfileOptions {
  /** Settings of the salon at the sign-in. */
  readonly settings?: object;
  /** The time zone of the machine. */
  readonly zone?: string;
  readonly set?: readonly string[];
}

const berlin = { time_zone: 'Europe/Berlin', opening_hours: null, currency: null, country: null };
const newYork = { ...berlin, time_zone: 'America/New_York' };

/** A machine with a profile. */
async function openProfile({ settings = berlin, zone = 'UTC', set = [] }: ProfileOptions = {}) {
  await salon.client.salon.update(settings);
  const machine = createMachine({ now: peopleNow, timeZone: zone, env: { TZ: zone } });
  const login = ['auth', 'login', '--base-url', gateway.origin, '--with-key'];
  const signedIn = await machine.salon([...login, ...set.flatMap((one) => ['--set', one])], {
    stdin: salon.env.SALON_API_KEY,
  });
  expect(signedIn.exitCode, signedIn.stderr).toBe(0);
  return {
    home: machine.home,
    async run(words: string, options: RunOptions = {}) {
      const ran = await machine.salon([...words.split(' '), '--trace', 'requests.har'], options);
      return { ...ran, requests: readRequests(join(machine.home, 'requests.har')) };
    },
    /** Creates an appointment whose first request is the write. Returns the run and the start. */
    async create(start: string, flags = '') {
      const fields = [
        ...[`client_id=${salon.ids.ana}`, `stylist_id=${salon.quinn}`, 'service=Cut', 'duration=30'],
        `start_time=${start}`,
      ];
      const sets = fields.map((field) => `--set ${field}`).join(' ');
      const ran = await this.run(`appointments create ${sets} --allow-overlap --yes --json ${flags}`.trim());
      const record = ran.exitCode === 0 ? JSON.parse(ran.stdout) : {};
      return { ...ran, start: record.start_time as string | undefined };
    },
    write: (name: string, text: string) => writeFileSync(join(machine.home, name), text),
    [Symbol.dispose]: () => machine[Symbol.dispose](),
  };
}

const sheet = () =>
  `client_id,stylist_id,service,start_time,duration\n${salon.ids.bob},${salon.ravi},Cut,2026-12-01 10:00,30\n`;
const startsOf = async (who: 'ana' | 'bob') => {
  const starts: (string | null | undefined)[] = [];
  for await (const { rows } of salon.client.appointments.list({ client_id: salon.ids[who] }))
    starts.push(...rows.map((row) => row.start_time));
  return starts;
};

describe('the time zone of the salon wins over TZ', () => {
  it.each(['UTC', 'America/New_York', 'Asia/Tokyo'])('in "book" with TZ=%s', async (zone) => {
    using profile = await openProfile({ zone });
    const booked = await profile.run(
      'book Ana Costa with Quinn for Balayage 2026-11-24 10:00 --duration 30 --yes --json --allow-overlap',
    );
    expect(booked.exitCode, booked.stderr).toBe(0);
    expect(JSON.parse(booked.stdout)).toMatchObject({ start_time: '2026-11-24T09:00:00Z' });
    expect(booked.stderr).not.toContain('time zone');
  });

  it('in "move"', async () => {
    using profile = await openProfile();
    const id = await salon.book('joao', { start_time: '2026-11-26T09:00:00Z' });
    const moved = await profile.run(`move ${id} 2026-11-26 11:30 --yes --json`);
    expect(moved.exitCode, moved.stderr).toBe(0);
    expect((await salon.client.appointments.get(id)).start_time).toBe('2026-11-26T10:30:00Z');
  });

  it('in "block"', async () => {
    using profile = await openProfile();
    const blocked = await profile.run('block Ravi 2026-12-02 12-13 --json');
    expect(blocked.exitCode, blocked.stderr).toBe(0);
    expect(blocked.stdout).toContain('2026-12-02T11:00:00Z');
  });

  it('in lists, reports and sheets', async () => {
    using profile = await openProfile();
    const listed = await profile.run('appointments list --no-pager', { columns: 200 });
    expect(listed.stdout).toMatch(/Europe\/Berlin[\s\S]*2026-11-20 10:00/);
    const written = await profile.run('appointments list -o a.csv --excel');
    expect(written.exitCode, written.stderr).toBe(0);
    expect(readFileSync(join(profile.home, 'a.csv'), 'utf8')).toContain('2026-11-20 10:00');
    // 23:30 UTC on the day before is the day in Berlin.
    await salon.book('joao', { start_time: '2026-12-07T23:30:00Z' });
    const report = await profile.run('report utilisation 2026-12-08 --json');
    expect(report.exitCode, report.stderr).toBe(0);
    expect(report.stdout).toMatch(/"Quinn S.","appointments":1,/);
    profile.write('new.csv', sheet());
    const created = await profile.run('appointments create --file new.csv --yes --json');
    expect(created.exitCode, created.stderr).toBe(0);
    expect(await startsOf('bob')).toContain('2026-12-01T09:00:00Z');
  });
});

describe('settings that a colleague has changed', () => {
  it('are used by the next command, also if that begins with a write', async () => {
    using profile = await openProfile();
    await salon.client.salon.update(newYork);
    const first = await profile.create('2026-11-24T10:00');
    expect(first.start).toBe('2026-11-24T15:00:00Z');
    const notice = "The salon's time zone changed from Europe/Berlin to America/New_York.\n";
    expect(first.stderr).toMatch(new RegExp(`^${notice}Booked Cut, Tue 24 Nov 10:00`));
    expect(first.requests).toEqual(['POST appointments', 'GET salon', 'POST appointments']);
    const second = await profile.create('2026-11-24T11:00');
    expect(second).toMatchObject({ start: '2026-11-24T16:00:00Z', requests: ['POST appointments'] });
    expect(second.stderr).not.toContain('changed');
  });

  it.each(['whoami --check', 'auth status', 'doctor', 'clients list', 'api GET clients'])(
    'are noticed, said and kept by "%s"',
    async (words) => {
      using profile = await openProfile();
      await salon.client.salon.update({ ...newYork, currency: 'EUR', country: 'DE' });
      const { exitCode, stderr } = await profile.run(words);
      expect(exitCode, stderr).toBe(0);
      expect(stderr).toContain("The salon's time zone changed from Europe/Berlin to America/New_York.");
      expect(stderr).toContain("The salon's currency changed from not set to EUR.");
      const shown = await profile.run('profiles show --json');
      expect(JSON.parse(shown.stdout)).toContainEqual(
        expect.objectContaining({ setting: 'time_zone', value: 'America/New_York', from: 'salon' }),
      );
      expect((await profile.run(words)).stderr).not.toContain('changed');
    },
  );

  it('are noticed by the server where a change that --curl shows is sent', async () => {
    using profile = await openProfile();
    await salon.client.salon.update(newYork);
    const { stderr } = await profile.run('stylists create --set first_name=Theo --curl');
    const version = /salon-settings-version: (\S+)'/.exec(stderr)?.[1];
    const sent = await fetch(`${gateway.origin}/api/v1/clients`, {
      headers: {
        authorization: `Bearer ${salon.env.SALON_API_KEY}`,
        'content-type': 'application/json',
        'salon-settings-version': version ?? '',
      },
    });
    expect(sent.status).toBe(412);
    const listed = await profile.run('clients list --curl');
    expect(listed.stderr).not.toContain('salon-settings-version');
  });

  it('are learnt by a profile that was saved without a request', async () => {
    using profile = await openProfile();
    const login = `auth login -p new --base-url ${gateway.origin} --with-key --no-verify`;
    await profile.run(login, { stdin: salon.env.SALON_API_KEY });
    const first = await profile.create('2026-11-25T10:00', '-p new');
    expect(first).toMatchObject({ start: '2026-11-25T09:00:00Z' });
    expect(first.requests).toEqual(['GET salon', 'POST appointments']);
    expect(first.stderr).not.toContain('assuming');
  });

  it('are the opening hours, too', async () => {
    using profile = await openProfile({ settings: { ...berlin, opening_hours: 'mon-sun 09:00-18:00' } });
    await salon.client.salon.update({ opening_hours: 'mon-sun 12:00-13:00' });
    const free = await profile.run('free 2026-11-25 --duration 30 --json');
    expect(free.exitCode, free.stderr).toBe(0);
    expect(free.stderr).toContain("The salon's opening hours changed");
  });

  it('are used for a sheet on standard input, which is read once', async () => {
    using profile = await openProfile();
    await salon.client.salon.update(newYork);
    const created = await profile.run('appointments create --file - --yes --json', {
      stdin: sheet().replace('12-01 10:00', '12-03 10:00'),
    });
    expect(created.exitCode, created.stderr).toBe(0);
    expect(await startsOf('bob')).toContain('2026-12-03T15:00:00Z');
  });

  it('make a saved plan that was read in the former time zone worthless', async () => {
    using profile = await openProfile();
    profile.write('new.csv', sheet().replace('12-01 10:00', '12-04 10:00'));
    const saved = await profile.run('appointments create --file new.csv --plan-file plan.json');
    expect(saved.exitCode, saved.stderr).toBe(0);
    await salon.client.salon.update(newYork);
    const applied = await profile.run('jobs apply plan.json --yes');
    expect(applied).toMatchObject({ exitCode: 7, stdout: '' });
    expect(applied.stderr).toContain('was made with times of Europe/Berlin');
    expect(await startsOf('bob')).not.toContain('2026-12-04T09:00:00Z');
    await salon.client.salon.update(berlin);
    expect((await profile.run('jobs apply plan.json --yes')).exitCode).toBe(0);
    expect(await startsOf('bob')).toContain('2026-12-04T09:00:00Z');
  });

  it('between reading and writing make the command start again', async () => {
    using profile = await openProfile();
    let isChanged = false;
    beforeWrite = async () => {
      if (!isChanged) await salon.client.salon.update(newYork);
      isChanged = true;
    };
    profile.write('new.csv', sheet().replace('12-01 10:00', '12-05 10:00'));
    const created = await profile.run('appointments create --file new.csv --yes --json');
    beforeWrite = async () => {};
    expect(created.exitCode, created.stderr).toBe(0);
    expect(await startsOf('bob')).toContain('2026-12-05T15:00:00Z');
    expect(await startsOf('bob')).not.toContain('2026-12-05T09:00:00Z');
  });

  it('with every attempt end the command, with nothing written', async () => {
    using profile = await openProfile();
    beforeWrite = (writes) =>
      salon.client.salon.update({ time_zone: writes % 2 === 0 ? 'Asia/Tokyo' : 'Asia/Kolkata' });
    const { exitCode, stderr, stdout } = await profile.create('2026-12-06T10:00');
    beforeWrite = async () => {};
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
    expect(stderr).toContain('The settings of the salon have changed meanwhile.');
    expect((await startsOf('ana')).filter((start) => start?.startsWith('2026-12-06'))).toEqual([]);
  });
});

it.each([
  ['clients list --json', ['GET clients']],
  ['appointments list --json', ['GET appointments']],
  ['whoami --check --json', ['GET me']],
  ['settings show --json', ['GET salon']],
  ['api GET services', ['GET services']],
])('"%s" costs no further request where nothing has changed', async (words, requests) => {
  using profile = await openProfile();
  expect((await profile.run(words)).requests).toEqual(requests);
  expect((await profile.create('2026-11-24T10:00')).requests).toEqual(['POST appointments']);
});

describe('a time zone given on purpose', () => {
  const flag = '--time-zone Asia/Tokyo';
  const env = { SALON_TIME_ZONE: 'Asia/Kolkata' };
  const set = ['time_zone=UTC'];
  it.each([
    [{}, '', {}, '2026-11-24T09:00:00Z', undefined],
    [{ zone: 'America/Lima' }, '', {}, '2026-11-24T09:00:00Z', undefined],
    [{ set }, '', {}, '2026-11-24T10:00:00Z', 'UTC from the profile'],
    [{ set }, '', env, '2026-11-24T04:30:00Z', 'Asia/Kolkata from SALON_TIME_ZONE'],
    [{ set }, flag, env, '2026-11-24T01:00:00Z', 'Asia/Tokyo from --time-zone'],
    [{ set: ['time_zone=Europe/Berlin'] }, '', {}, '2026-11-24T09:00:00Z', undefined],
  ] as const)(
    'wins over that of the salon, and is said: %j %s %j',
    async (options, flags, given, start, said) => {
      using profile = await openProfile(options);
      const id = await salon.book('joao', { start_time: '2026-11-27T09:00:00Z' });
      const words = `move ${id} 2026-11-24 10:00 --yes --allow-overlap ${flags}`.trim();
      const moved = await profile.run(words, { env: given });
      expect(moved.exitCode, moved.stderr).toBe(0);
      expect((await salon.client.appointments.get(id)).start_time).toBe(start);
      const notices = moved.stderr.split('\n').filter((line) => line.includes('time zone'));
      expect(notices).toEqual(
        said ? [`Using the time zone ${said}; that of the salon is Europe/Berlin.`] : [],
      );
    },
  );
});
