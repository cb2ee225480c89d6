import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openPeopleSalon, peopleNow, retireSampleStylists } from '../../support/people-salon.ts';
import { openTestService } from '../../support/service.ts';

let salon: Awaited<ReturnType<typeof openSalon>>;

/** A salon in which only Quinn and Ravi can be booked. */
async function openSalon() {
  const opened = await openPeopleSalon();
  await retireSampleStylists(opened);
  return opened;
}

/** It is Saturday 21 November 2026, noon, in Lisbon. Quinn is booked on Friday at 15:00 for an hour, Ravi at noon. */
beforeAll(async () => {
  salon = await openSalon();
  await salon.book('ana');
  await salon.book('joao', { start_time: '2026-11-27T12:00:00Z', duration: 30, stylist_id: salon.ravi });
  await salon.client.stylists.update(salon.quinn, { working_hours: 'mon-fri 9-18', services: ['Balayage'] });
  await salon.client.stylists.update(salon.ravi, { working_hours: 'thu-sat 12-17', services: ['Cut'] });
});
afterAll(() => salon[Symbol.asyncDispose]());

const free = (words: string, columns?: number) =>
  salon.salon(['free', ...words.split(' ').filter(Boolean)], {
    env: { NO_COLOR: '1', PAGER: '' },
    ...(columns === undefined ? {} : { columns }),
  });

describe('salon free', () => {
  it('lists who is free at a time; without hours of the salon, from stylists, appointments and blocked times', async () => {
    const ran = await free('fri 16:00 --duration 45m');
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ran.stdout.split('\n')).toEqual([
      'start_time\tend_time\tstylist_name\tstylist_id',
      `2026-11-27T16:00:00Z\t2026-11-27T16:45:00Z\tQuinn S.\t${salon.quinn}`,
      `2026-11-27T16:00:00Z\t2026-11-27T16:45:00Z\tRavi\t${salon.ravi}`,
      '',
    ]);
    expect(ran.requests.toSorted()).toEqual([
      'GET appointments',
      'GET availability',
      'GET blocked-times',
      'GET stylists',
    ]);
  });

  it.each(['1 jan', '1 jan 10:00', 'Ravi 1 jan'])('%s is a day to come', async (words) => {
    const { exitCode, stdout } = await free(`${words} --json`);
    expect(exitCode).toBe(0);
    for (const { start_time } of JSON.parse(stdout)) expect(start_time).toMatch(/^2027-01-01/);
  });

  it('shows people until when', async () => {
    expect((await free('fri 16:00', 80)).stdout).toBe(
      [
        'Free for 30 min on Friday 27 November 2026 at 16:00',
        '',
        '  Quinn S.  16:00–18:00',
        '  Ravi      16:00–17:00',
        '',
      ].join('\n'),
    );
  });

  it('shows the free time of each day around appointments', async () => {
    expect((await free('--from thu --to sat --duration 1h', 80)).stdout).toBe(
      [
        'Free for 1 h',
        '',
        'Thursday 26 November 2026',
        '  Quinn S.  09:00–18:00',
        '  Ravi      12:00–17:00',
        '',
        'Friday 27 November 2026',
        '  Quinn S.  09:00–15:00  16:00–18:00',
        '  Ravi      12:30–17:00',
        '',
        'Saturday 28 November 2026',
        '  Ravi      12:00–17:00',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['next sat afternoon', ['Ravi 12:00']],
    ['fri morning --duration 3h', ['Quinn S. 09:00']],
    ['fri morning --duration 181m', []],
    ['next sat', ['Ravi 12:00']],
    ['today', ['Ravi 12:00']],
    ['mon --stylist quinn', ['Quinn S. 09:00']],
    ['mon --stylist ravi', []],
    ['quinn mon', ['Quinn S. 09:00']],
    ['mon with quinn', ['Quinn S. 09:00']],
    ['next week for Cut --duration 2h', ['Ravi 12:00']],
    ['Ravi Brandt next sat afternoon', ['Ravi 12:00']],
    ['fri --service balayage --duration 2h', ['Quinn S. 09:00']],
    ['fri --service Cut --duration 2h', ['Ravi 12:30']],
    ['next week --service Cut --duration 2h', ['Ravi 12:00']],
  ])('%s: %j first', async (words, expected) => {
    const ran = await free(`${words} --json`);
    const slots = JSON.parse(ran.stdout) as { start_time: string; stylist_name: string }[];
    const firsts = Map.groupBy(slots, ({ stylist_name }) => stylist_name);
    const shown = [...firsts].map(([name, [slot]]) => `${name} ${slot?.start_time.slice(11, 16)}`);
    expect({ exitCode: ran.exitCode, shown }).toEqual({ exitCode: 0, shown: expected });
  });

  it('names the next free times where nobody is free', async () => {
    const ran = await free('fri 17:45', 80);
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    expect(ran.stderr).toContain('Nobody is free for 30 min on Friday 27 November 2026 at 17:45.');
    expect(ran.stderr).toContain('at 17:45. Nor later that day.');
    const busy = await free('quinn fri 15:10');
    expect(busy.stderr).toContain('Quinn S. is not free for 30 min on Friday 27 November 2026 at 15:10.');
    expect(busy.stderr).toContain('Next: Quinn S. 16:00.');
    expect((await free('fri 17:45 --json')).stdout.trim()).toBe('[]');
  });

  it('names the command for next week where a part of a weekday has passed today', async () => {
    const ran = await free('sat morning');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(
      '"sat morning" is in the past.\n  For next week: salon free next sat morning\n',
    );
    expect(await free('next sat morning')).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['tomorow afternoon', 6, 'Did you mean "tomorrow"?'],
    ['yesterday', 2, '"yesterday" is in the past.'],
    ['+6y', 2, 'more than five years ahead'],
    ['nobody fri', 6, 'No stylist matches "nobody".'],
    ['soon', 2, '"soon" is not a day or time.'],
    ['31.11.', 2, 'The day "31.11." does not exist.'],
    ['03/04/2027', 2, 'may be 3 April 2027 or 4 March 2027'],
    ['--from fri --to thu', 0, ''],
    ['--from 2026-12-04 --to 2026-12-03', 2, 'The range ends before it begins'],
    ['--from today --to +200d', 2, 'more than 92 days'],
    ['fri --from mon', 2, 'Pass either "fri" or --from and --to'],
    ['fri --duration 25h', 2, 'at most a day'],
    ['fri --duration soon', 2, '--duration needs a duration'],
    ['fri --service Perm', 6, 'No service matches "Perm".'],
    ['fri --service Cut', 2, 'How long Cut takes is not known'],
    ['fri --stylist Nobody', 6, 'No stylist matches "Nobody".'],
  ])('%s exits with %i: %s', async (words, exitCode, message) => {
    const ran = await free(words);
    expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toEqual({
      exitCode,
      stderr: expect.stringContaining(message),
    });
    if (exitCode !== 0) expect(ran.stdout).toBe('');
  });
});

describe('where the service tells who is free', () => {
  it('one request is enough, and what is computed elsewhere is the same', async () => {
    await using other = await openSalon();
    await other.client.stylists.update(other.quinn, { working_hours: 'mon-sat 8-12 13-20' });
    await other.book('ana');
    const read = () => other.salon(['free', '--from', 'today', '--to', '+70d', '--json']);
    await other.client.salon.update({ opening_hours: 'mon-fri 9-18' });
    const computed = await other.salon(['free', 'fri', '--json'], {
      env: { SALON_OPENING_HOURS: 'mon-fri 9-18' },
    });
    await other.client.salon.update({ time_zone: 'Europe/Lisbon' });
    const told = await other.salon(['free', 'fri', '--json']);
    expect(told.requests).toEqual(['GET availability']);
    const fit = JSON.parse(told.stdout) as { stylist_id: string }[];
    const ofRavi = (slots: { stylist_id: string }[]) => slots.filter((one) => one.stylist_id === other.ravi);
    expect(ofRavi(JSON.parse(computed.stdout))).toEqual(ofRavi(fit));
    // 31 days are asked about at once.
    const long = await read();
    expect(long.requests).toEqual(['GET availability', 'GET availability', 'GET availability']);
    const starts = JSON.parse(long.stdout).map(
      (one: { start_time: string; stylist_id: string }) => `${one.start_time} ${one.stylist_id}`,
    );
    expect(new Set(starts).size).toBe(starts.length);
    expect(starts.filter((start: string) => start.startsWith('2026-12-22')).length).toBeGreaterThan(50);
  });

  it('times in another zone are said to be so', async () => {
    await using other = await openSalon();
    await other.client.salon.update({ opening_hours: 'mon-fri 9-18', time_zone: 'Asia/Tokyo' });
    const ran = await other.salon(['free', 'mon', '--json']);
    expect(ran.stderr).toContain('The salon is in Asia/Tokyo; times are those of Europe/Lisbon.');
  });
});

describe('the key of a stylist', () => {
  it('shows their own free time alone, as the others would merely look free', async () => {
    await using service = await openTestService({ clients: 0, now: () => peopleNow });
    using machine = createMachine({ now: peopleNow, timeZone: 'Europe/Lisbon' });
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.stylist };
    const ran = await machine.salon(['free', 'mon', '--json'], { env });
    const slots = JSON.parse(ran.stdout) as { stylist_id: string }[];
    expect(new Set(slots.map(({ stylist_id }) => stylist_id))).toEqual(new Set([service.stylistIds[0]]));
    expect(ran.stderr).toContain(
      "This API key can only see its own stylist's calendar. Others are not shown.",
    );
  });
});

describe('on another server', () => {
  const booked = { client_id: 'c1', service: 'Cut', duration: '45', status: 'CONFIRMED' };
  const appointments = [
    { ...booked, id: 1, stylist_id: 7, start_time: '2026-11-18T09:00:00Z' },
    { ...booked, id: 2, stylist_id: 7, start_time: '2026-11-25T09:30:00+00:00' },
    { ...booked, id: 3, stylist_id: 7, start_time: '2026-11-25T11:00:00Z', status: 'CANCELED_BY_CLIENT' },
    { ...booked, id: 4, stylist_id: 's8', start_time: '2026-11-18T12:00:00Z', duration: 60 },
    { ...booked, id: 5, stylist_id: 's8', start_time: '2026-11-25T10:00:00Z', duration: 'PT30M' },
  ];

  it('stylists are those seen in appointments, which is said', async () => {
    using machine = createMachine({ now: peopleNow, timeZone: 'Europe/Lisbon' });
    await using server = await openMisbehavingServer(({ path }) => {
      if (!/^\/api\/v1\/appointments(\?|$)/.test(path)) return json({}, { status: 404 });
      return json({ data: appointments, pagination: { page: 1, per_page: 200, total: appointments.length } });
    });
    const env = { SALON_BASE_URL: `${server.origin}/api/v1`, SALON_API_KEY: 'k', NO_COLOR: '1' };
    const ran = await machine.salon(['free', 'wed', '--duration', '45m'], { env, columns: 80 });
    expect(ran.stderr).toContain('This server does not list stylists');
    expect(ran.stderr).toContain('learnt from the past 6 weeks: wed 09:00-13:00.');
    expect(ran.stdout).toContain(
      'Wednesday 25 November 2026\n  7   10:15–13:00\n  s8  09:00–10:00  10:30–13:00\n',
    );
  });
});

describe('opening hours', () => {
  it('are learnt from past appointments where nobody has set them, which is said', async () => {
    await using other = await openSalon();
    const weeks = [0, 7, 14, 21, 28];
    for (const days of weeks) {
      const date = new Date(Date.parse('2026-11-20T00:00:00Z') - days * 86_400_000)
        .toISOString()
        .slice(0, 10);
      await other.book('ana', { start_time: `${date}T09:10:00Z`, duration: 60 });
      await other.book('bob', { start_time: `${date}T16:00:00Z`, duration: 75, stylist_id: other.ravi });
    }
    await other.book('ana', { start_time: '2026-10-30T05:00:00Z', duration: 30 });
    const ran = await other.salon([
      'free',
      '--from',
      'thu',
      '--to',
      'sat',
      '--service',
      'Balayage',
      '--json',
    ]);
    expect(ran.requests.toSorted()).toEqual([
      'GET appointments',
      'GET appointments',
      'GET availability',
      'GET blocked-times',
      'GET me',
      'GET services',
      'GET stylists',
    ]);
    expect(ran.stderr).toContain('Opening hours, learnt from the past 6 weeks: fri 09:00-17:30.');
    const slots = JSON.parse(ran.stdout) as { start_time: string; end_time: string }[];
    const starts = slots.map(({ start_time }) => start_time).toSorted();
    expect([starts[0], starts.at(-1)]).toEqual(['2026-11-27T09:00:00Z', '2026-11-27T16:15:00Z']);
    expect(slots[0]?.end_time).toBe('2026-11-27T10:15:00Z');
  });

  it('are assumed where there is nothing to learn from, which is said', async () => {
    await using other = await openSalon();
    const ran = await other.salon(['free', 'mon', '--json']);
    expect(ran.stderr).toContain(
      'there are no appointments of the past 6 weeks; assuming mon-sat 09:00-18:00',
    );
    expect(JSON.parse(ran.stdout)[0]).toMatchObject({ start_time: '2026-11-23T09:00:00Z' });
  });

  it('of the profile apply to stylists without their own', async () => {
    await using other = await openSalon();
    await other.client.salon.update({ time_zone: 'Europe/Lisbon' });
    await other.client.stylists.update(other.ravi, { working_hours: 'mon 14-16' });
    const { SALON_BASE_URL: origin, SALON_API_KEY: stdin } = other.env;
    await other.salon(['auth', 'login', '-p', 'shop', '--base-url', origin], { stdin });
    const set = (hours: string) => other.salon(['profiles', 'set', 'shop', 'opening_hours', hours]);
    expect(await set('mon 18-9')).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await set('Mon - Fri: 10-12')).toMatchObject({ exitCode: 0 });
    const ran = await other.salon(['free', 'mon', '--profile', 'shop'], {
      columns: 80,
      env: { NO_COLOR: '1', SALON_BASE_URL: undefined, SALON_API_KEY: undefined },
    });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('  Quinn S.  10:00–12:00\n  Ravi      14:00–16:00\n');
  });
});
