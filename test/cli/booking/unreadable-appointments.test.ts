import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';

/** A Saturday. The appointment is on Monday from 9:00 to 9:30, with stylist 7. */
const now = new Date('2026-11-21T12:00:00Z');
const usual = { id: 1, client_id: 2, stylist_id: 7, service: 'Cut', status: 'CONFIRMED' };
const ours = { start_time: '2026-11-23T09:00:00Z', duration: 30 };
const startMs = Date.parse(ours.start_time);
const clients = [{ id: 2, first_name: 'Bo', last_name: 'Lee' }];
const stylists = [{ id: 7, display_name: 'Mia', working_hours: 'mon-sun 08:00-12:00' }];

/** Runs a command at a server that ignores filters, without dry runs and single appointments. */
async function run(appointments: readonly object[], line: string, env: Record<string, string> = {}) {
  using machine = createMachine({
    env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' },
    now,
    timeZone: 'UTC',
    asksForZone: true,
  });
  await using server = await openMisbehavingServer(({ path, method }) => {
    const [, noun = '', id] = /^\/api\/v1\/(clients|stylists|appointments)(?:\/(.+))?$/.exec(path) ?? [];
    const rows = ({ clients, stylists, appointments } as Record<string, readonly object[]>)[noun];
    if (rows === undefined || method !== 'GET') return json({}, { status: 404 });
    const found = rows.find((row) => 'id' in row && String(row.id) === id);
    if (id !== undefined) return found === undefined ? json({}, { status: 404 }) : json(found);
    return json({ data: rows, pagination: { page: 1, per_page: 200, total: rows.length } });
  });
  const salon = {
    ...{ SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', NO_COLOR: '1' },
    ...{ SALON_DIALECT_TOTAL_KEY: 'pagination.total', ...env },
  };
  const ran = await machine.salon(line.split(' '), { env: salon });
  const written = server.received.filter(({ method }) => method !== 'GET').length;
  const file = line.includes(' -o ')
    ? readFileSync(join(machine.home, line.split(' -o ')[1] ?? ''), 'utf8')
    : '';
  return { ...ran, written, file };
}

const utc = { SALON_TIME_ZONE: 'UTC' };
/** Declares the server's names for fields. */
const calling = (names: Readonly<Record<string, string>>) => ({
  ...utc,
  SALON_DIALECT_FIELDS: JSON.stringify({ appointments: names }),
});

describe('appointments of servers that write them in another way', () => {
  const ways: [string, object, Record<string, string>?][] = [
    ['as the contract', ours],
    [
      'start_at and end_at',
      { start_at: ours.start_time, end_at: '2026-11-23T09:30:00Z' },
      calling({ start_time: 'start_at', end_time: 'end_at' }),
    ],
    [
      'startsAt with an offset',
      { startsAt: '2026-11-23T10:00:00.000+0100', duration: '30' },
      calling({ start_time: 'startsAt' }),
    ],
    [
      'start and end in seconds',
      { start: startMs / 1000, end: startMs / 1000 + 1800 },
      calling({ start_time: 'start', end_time: 'end' }),
    ],
    [
      'start in milliseconds, as text',
      { start: String(startMs), duration: 'PT30M' },
      calling({ start_time: 'start' }),
    ],
    [
      'objects, as Google',
      { start: { dateTime: ours.start_time }, end: { dateTime: '2026-11-23T09:30:00Z' } },
      calling({ start_time: 'start', end_time: 'end' }),
    ],
    ['a duration as Django', { start_time: ours.start_time, duration: '00:30:00' }],
    ['an ISO duration as Django', { start_time: ours.start_time, duration: 'P0DT00H30M00S' }],
    [
      'duration_minutes',
      { start_time: ours.start_time, duration_minutes: 30 },
      calling({ duration: 'duration_minutes' }),
    ],
    ['an unusable duration and an end', { ...ours, duration: null, end_time: '2026-11-23T09:30:00Z' }],
    [
      'a nested stylist',
      { ...ours, stylist_id: undefined, stylist: { id: 7 } },
      calling({ stylist_id: 'stylist.id' }),
    ],
    [
      'local times of the salon',
      { start_time: '2026-11-23 10:00', duration: 30 },
      { SALON_TIME_ZONE: 'Europe/Berlin' },
    ],
  ];
  // Profiles of earlier versions declare no names.
  const undeclared = ways.map(([what, times, env = utc]) => [
    `${what}, without names in the dialect`,
    times,
    Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'SALON_DIALECT_FIELDS')),
  ]) as typeof ways;

  it.each([...ways, ...undeclared])('are read: %s', async (_what, times, env = utc) => {
    const rows = [{ ...usual, ...times }];
    const free = await run(rows, 'free mon --stylist Mia --json', env);
    expect(free).toMatchObject({ exitCode: 0 });
    const starts = JSON.parse(free.stdout).map(({ start_time }: { start_time: string }) => start_time);
    expect(starts).toContain('2026-11-23T08:30:00Z');
    expect(starts).not.toContain('2026-11-23T08:45:00Z');
    expect(starts).not.toContain('2026-11-23T09:15:00Z');
    expect(starts).toContain('2026-11-23T09:30:00Z');
    const day = await run(rows, 'calendar mon --json', env);
    expect(day).toMatchObject({ exitCode: 0 });
    expect(day.stderr).not.toContain('ambiguous');
    expect(JSON.parse(day.stdout)).toMatchObject([
      { start_time: '2026-11-23T09:00:00Z', end_time: '2026-11-23T09:30:00Z', stylist: 'Mia' },
    ]);
    const report = await run(rows, 'report utilisation 2026-11-23 --json', env);
    expect(report).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(report.stdout)).toMatchObject([{ booked_minutes: 30, opening_minutes: 240 }]);
  });

  it('are said to be ambiguous without a zone where no time zone is set', async () => {
    const { exitCode, stderr } = await run(
      [{ ...usual, ...ours, start_time: '2026-11-23T09:00' }],
      'calendar mon --json',
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Times without a zone are ambiguous: taken as local times of UTC.');
    expect(stderr).toContain('time_zone UTC');
  });

  const unreadable = { ...usual, id: 3, when: 'soon' };
  const commands = [
    ...['free mon', 'free mon --json', 'today', 'calendar mon', 'calendar mon --json', 'calendar mon -f csv'],
    ...[
      'calendar mon --plain',
      'calendar mon --week',
      'report utilisation 2026-11-23',
      'report no-shows 2026-11-23',
    ],
    ...['report retention 2026-06 --json', 'book Bo Lee with anyone for Cut mon 10:00 --duration 30m'],
    'book Bo Lee with Mia --service Cut mon 10:00 --duration 30m --yes',
    ...[
      'appointments update --where-date mon --status arrived --yes',
      'appointments cancel --where-from mon --yes',
    ],
  ];

  it.each(commands)('exit 1 naming what is missing where none can be read: salon %s', async (line) => {
    const ran = await run([unreadable], line, utc);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '', written: 0 });
    expect(ran.stderr).toMatch(/No appointment can be read: start_time is missing or not understood\./);
    expect(ran.stderr).toContain(
      'The first of them has these fields: id, client_id, stylist_id, service, status, when.',
    );
  });

  it.each(commands)('exit 3 naming how many where some cannot be read: salon %s', async (line) => {
    const others = ['2026-11-21', '2026-06-10'].map((day, index) => ({
      ...{ ...usual, ...ours, id: 4 + index, start_time: `${day}T11:45:00Z` },
    }));
    const ran = await run([{ ...usual, ...ours }, ...others, unreadable], line, utc);
    expect(ran).toMatchObject({ exitCode: 3, written: 0 });
    expect(ran.stderr).toMatch(
      /1 of \d appointments cannot be read: start_time is missing or not understood\./,
    );
    if (!/^(calendar|today|report)/.test(line)) expect(ran.stdout).toBe('');
    else if (!line.includes('retention')) expect(ran.stdout).not.toBe('');
  });

  it.each(['day.html', 'day.ics'])('exit 3 with the rest in %s', async (file) => {
    const ran = await run([{ ...usual, ...ours }, unreadable], `calendar mon -o ${file}`, utc);
    expect(ran).toMatchObject({ exitCode: 3, stdout: '' });
    expect(ran.stderr).toContain('1 of 2 appointments cannot be read');
    expect(ran.file).toContain('Bo Lee');
  });

  it.each([
    ['length', { ...ours, duration: null }, 'duration or end_time is missing or not understood'],
    [
      'length in an odd unit',
      { ...ours, duration: 90_000 },
      'duration or end_time is missing or not understood',
    ],
    ['stylist', { ...ours, stylist_id: undefined }, 'stylist_id is missing or not understood'],
  ])('never seem free for want of a %s', async (_what, times, problem) => {
    const only = await run([{ ...usual, ...times }], 'free mon --json', utc);
    expect(only).toMatchObject({ exitCode: 1, stdout: '' });
    expect(only.stderr).toContain(`No appointment can be read: ${problem}.`);
    const some = await run(
      [
        { ...usual, ...ours },
        { ...usual, ...times, id: 4 },
      ],
      'free mon',
      utc,
    );
    expect(some).toMatchObject({ exitCode: 3, stdout: '' });
    expect(some.stderr).toContain(`1 of 2 appointments cannot be read: ${problem}.`);
  });

  it.each([
    ['longer', { duration: 1, end_time: '2026-11-23T10:00:00Z' }, '10:00'],
    ['shorter', { duration: 60, end_time: '2026-11-23T09:30:00Z' }, '09:30'],
  ])('end when they say, not after a duration that contradicts it: %s', async (_what, times, end) => {
    const rows = [5, 6].map((id) => ({ ...usual, ...ours, ...times, id }));
    const free = await run(rows, 'free mon --stylist Mia --json', utc);
    expect(free).toMatchObject({ exitCode: 0 });
    const starts = JSON.parse(free.stdout).map((slot: { start_time: string }) =>
      slot.start_time.slice(11, 16),
    );
    expect(starts).toEqual(expect.arrayContaining(['08:30', end]));
    expect(starts.filter((start: string) => start > '08:30' && start < end)).toEqual([]);
    expect(free.stderr.match(/Durations of appointments contradict their ends/g)).toHaveLength(1);
    const day = await run(rows, 'calendar mon --json', utc);
    expect(JSON.parse(day.stdout)[0]).toMatchObject({ end_time: `2026-11-23T${end}:00Z` });
  });

  it('are unknown, not a minute long, with an end before the start', async () => {
    const rows = [{ ...usual, ...ours, end_time: '2026-11-23T08:00:00Z' }];
    expect(await run(rows, 'free mon', utc)).toMatchObject({ exitCode: 1, stdout: '' });
  });

  const past = ['02', '03', '04'].map((day) => ({
    ...usual,
    ...ours,
    start_time: `2026-11-${day}T09:00:00Z`,
  }));
  const marked = (...words: readonly string[]) => past.map((row, id) => ({ ...row, id, status: words[id] }));

  it.each(['report no-shows 2026-11', 'report retention 2026-11'])(
    'are not counted as kept for a status of another word: salon %s',
    async (line) => {
      const some = await run(marked('missed', 'DONE', 'absent'), `${line} --json`, utc);
      expect(some).toMatchObject({ exitCode: 3 });
      expect(some.stderr).toMatch(
        /2 of 3 appointments cannot be read: the status .*missed.* is not .*absent/,
      );
      expect(JSON.parse(some.stdout)).toMatchObject([
        line.includes('no-shows') ? { appointments: 1 } : { clients: 1 },
      ]);
      const none = await run(marked('missed', 'missed', 'absent'), line, utc);
      expect(none).toMatchObject({ exitCode: 1, stdout: '' });
      expect(none.stderr).toContain(
        'No appointment can be read: the status "missed" is not understood; the status "absent" is not understood.',
      );
      const coming = [{ ...usual, ...ours, id: 9, status: 'scheduled' }, ...marked('DONE', 'DONE', 'DONE')];
      expect(await run(coming, line, utc)).toMatchObject({ exitCode: 0 });
    },
  );

  it('name the dialect setting that mends it', async () => {
    const { exitCode, stderr } = await run([{ id: 1, properties: { ...usual, ...ours } }], 'free mon', utc);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Set fields_key of the dialect to properties.');
  });

  it('cannot be moved where the start cannot be read', async () => {
    const ran = await run([{ ...unreadable, id: 'apt-x' }], 'move apt-x fri 11:00', utc);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '', written: 0 });
    expect(ran.stderr).toContain('No appointment can be read: start_time is missing or not understood.');
  });
});
