import { beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
} from '../../support/misbehaving-server.ts';

/** A Saturday. */
const now = new Date('2026-11-21T12:00:00Z');
const clients = [
  { id: 1, first_name: 'Ana', last_name: 'Costa' },
  { id: 2, first_name: 'Bo', last_name: 'Lee' },
];
type Booked = Record<string, unknown>;
let appointments: Booked[];
let machine: Machine;
let server: MisbehavingServer;

/** A server with numeric IDs, without stylists, dry runs, filters and codes of errors. */
function answer({ method, path, body }: Received) {
  const [, noun = '', id] = /^\/api\/v1\/(clients|appointments)(?:\/(\d+)(?:\/cancel)?)?$/.exec(path) ?? [];
  const rows: Booked[] = noun === 'clients' ? clients : noun === 'appointments' ? appointments : [];
  const found = rows.find((row) => String(row['id']) === id);
  if (noun === '' || (id !== undefined && found === undefined))
    return json({ detail: 'Not found.' }, { status: 404 });
  if (method === 'GET') return json(found ?? { count: rows.length, results: rows });
  const fields = path.endsWith('/cancel') ? { status: 'cancelled' } : (JSON.parse(body) as Booked);
  // It knows of more than its appointments; of those it takes two at a time.
  if (['2026-11-26T23:00:00Z', '2026-11-30T11:00:00Z'].includes(String(fields['start_time'])))
    return json({ message: 'Slot taken.' }, { status: 409 });
  if (found !== undefined) return json(Object.assign(found, fields));
  const added = { id: 100 + appointments.length, ...fields };
  appointments.push(added);
  return json(added, { status: 201 });
}

beforeEach(async () => {
  const visit = { client_id: 2, stylist_id: 7, service: 'Cut', duration: 45, status: 'completed' };
  appointments = ['16', '17', '18'].flatMap((day) => [
    { ...visit, id: Number(day), start_time: `2026-11-${day}T09:00:00Z` },
    { ...visit, id: 10 + Number(day), start_time: `2026-11-${day}T16:00:00Z`, stylist_id: 8 },
  ]);
  appointments.push({
    ...visit,
    id: 99,
    client_id: 1,
    status: 'confirmed',
    start_time: '2026-11-25T10:00:00Z',
  });
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' }, now, timeZone: 'UTC' });
  server = await openMisbehavingServer(answer);
  return async () => {
    machine[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  };
});

const salon = (line: string, answers?: readonly string[]) =>
  machine.salon(line.split(' '), {
    env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DIALECT_PAGING: 'none' },
    ...(answers && { columns: 80, stdin: answers.map((text) => `${text}\n`).join('') }),
  });

describe('on a server of another kind', () => {
  it('books by name, for the usual duration, with the ID of a stylist', async () => {
    const ran = await salon('book Ana Costa with 7 for cut mon 10:00');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(appointments.at(-1)).toMatchObject({
      client_id: 1,
      stylist_id: 7,
      service: 'Cut',
      start_time: '2026-11-23T10:00:00Z',
      duration: 45,
    });
  });

  it('offers the stylists that its appointments name, and asks a refused time again', async () => {
    // The learnt hours of 7 are from 9 to 16:45 on Monday.
    const ran = await salon('book Ana Costa for Cut --plain mon 10:00', ['7', '1', '1']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('1: Anyone free\n2: 7, free\n3: 8, free\n');
    const again = await salon('book Bo Lee with 7 for Cut --plain mon 10:00', ['1', '11:00', '1', '1']);
    expect(again.stderr).toContain(
      '7 is booked Mon 23 Nov 10:00–10:45 (Ana Costa).\n1: Choose another time\n',
    );
    expect(appointments.at(-1)).toMatchObject({ client_id: 2, start_time: '2026-11-23T11:00:00Z' });
  });

  it('picks somebody free of those with appointments', async () => {
    const ran = await salon('book Ana Costa with anyone for Cut tue 9:00');
    expect(ran.stderr).toMatch(/^Free then: [78]\.$/m);
    expect(ran).toMatchObject({ exitCode: 0 });
  });

  const mondays = 'book Bo Lee with 7 for Cut mon 11:00 every week 3 times';
  const booked = () => appointments.filter(({ start_time }) => String(start_time).endsWith('T11:00:00Z'));

  it('stops at the first refusal of several, and names what is booked and the command that cancels it', async () => {
    const ran = await salon(mondays);
    expect(ran).toMatchObject({ exitCode: 3 });
    expect(ran.stderr).toMatch(
      /Slot taken\.\n(.*\n)*Booked already:\n {2}Cut for Bo Lee, Mon 23 Nov 11:00–11:45\n/,
    );
    const [, id = ''] = /To cancel them: salon jobs undo (\S+)$/m.exec(ran.stderr) ?? [];
    expect(booked()).toHaveLength(1);
    expect(await salon(`jobs undo ${id} --yes`)).toMatchObject({ exitCode: 0 });
    expect(booked()).toEqual([expect.objectContaining({ status: 'cancelled' })]);
  });

  it('exits 7 where already the first of several is refused, without a word about flags that it lacks', async () => {
    const ran = await salon('book Bo Lee with 7 for Cut 30 nov 11:00 every week 2 times');
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toMatch(/Slot taken\.\nerror: One booking was refused; the rest was not tried\.\n/);
    expect(ran.stderr).not.toContain('--max-errors');
  });

  it('cancels what is booked of several at a terminal, if that is wanted', async () => {
    const ran = await salon(`${mondays} --plain`, ['1', 'y']);
    expect(ran.stderr).toContain('Cancel them?');
    expect(booked()).toEqual([expect.objectContaining({ status: 'cancelled' })]);
  });

  it('moves or cancels those that follow one of several, in turn', async () => {
    const ran = await salon('book Ana Costa with 7 for Cut 2026-12-07T12:00 every week 3 times');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    const three = () => appointments.slice(-3);
    const [, second] = three();
    const moved = await salon(`move ${second?.['id']} 2026-12-15T13:00 --following --yes`);
    expect(moved, moved.stderr).toMatchObject({ exitCode: 0 });
    const starts = () => three().map(({ start_time: start }) => start);
    expect(starts()).toEqual(['2026-12-07T12:00:00Z', '2026-12-15T13:00:00Z', '2026-12-22T13:00:00Z']);
    const cancelled = await salon(`appointments cancel ${second?.['id']} --following --yes`);
    expect(cancelled, cancelled.stderr).toMatchObject({ exitCode: 0 });
    expect(three().map(({ status }) => status)).toEqual([undefined, 'cancelled', 'cancelled']);
  });

  it('moves by ID or by name', async () => {
    expect(await salon('move 99 thu 11:00')).toMatchObject({ exitCode: 0 });
    expect(appointments.find(({ id }) => id === 99)).toMatchObject({ start_time: '2026-11-26T11:00:00Z' });
    expect(await salon('move Ana Costa fri 12:00')).toMatchObject({ exitCode: 0 });
    expect(appointments.find(({ id }) => id === 99)).toMatchObject({ start_time: '2026-11-27T12:00:00Z' });
  });

  it('exits 7 with its own words for a conflict', async () => {
    const ran = await salon('book Bo Lee with 7 for Cut thu 23:00');
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toContain('error: Slot taken.');
  });

  it.each([
    ['book Bo Lee with 7 for Cut wed 10:00', '7 is booked Wed 25 Nov 10:00–10:45 (Ana Costa).'],
    ['book Bo Lee with 7 for Cut wed 9:30 --yes', '7 is booked Wed 25 Nov 10:00–10:45 (Ana Costa).'],
    [
      'appointments create --client 2 --stylist 7 --service Cut --start 2026-11-25T10:44 --duration 5',
      'Wed 25 Nov',
    ],
    ['move 98 wed 10:30', '7 is booked Wed 25 Nov 10:00–10:45 (Ana Costa).'],
  ])('exits 7 before it takes a time that the server shows as taken: %s', async (line, message) => {
    appointments.push({ ...appointments.at(-1), id: 98, client_id: 2, start_time: '2026-11-25T12:00:00Z' });
    const before = structuredClone(appointments);
    const ran = await salon(line);
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(appointments).toEqual(before);
    expect(await salon(`${line} --allow-overlap`)).toMatchObject({ exitCode: 0 });
    expect(appointments).not.toEqual(before);
  });

  it.each([
    ['book Bo Lee with 7 for Cut wed 9:15', { start_time: '2026-11-25T09:15:00Z' }],
    ['book Bo Lee with 8 for Cut wed 10:00', { stylist_id: 8 }],
    ['move 99 wed 10:15', { start_time: '2026-11-25T10:15:00Z' }],
  ])('takes the time beside an appointment: %s', async (line, expected) => {
    expect(await salon(line)).toMatchObject({ exitCode: 0 });
    expect(appointments).toContainEqual(expect.objectContaining(expected));
  });

  it.each(['Canceled', 'COMPLETED'])('does not move an appointment that is %s', async (status) => {
    Object.assign(appointments.at(-1) ?? {}, { status });
    const ran = await salon('move 99 thu 11:00');
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toContain(`The appointment is ${status === 'Canceled' ? 'cancelled' : 'completed'}.`);
    expect(appointments.at(-1)).toMatchObject({ start_time: '2026-11-25T10:00:00Z' });
  });

  it('leaves it to the server whether an appointment that has begun can be cancelled', async () => {
    Object.assign(appointments.at(-1) ?? {}, { status: 'in_progress' });
    const ran = await salon('appointments cancel --where-date 2026-11-25');
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.stderr).toContain('There is 1 appointment on Wed 25 Nov. It will be cancelled.');
    expect(ran.stderr.match(/If this server cannot cancel/g)).toHaveLength(1);
  });

  it('takes one word for a service, not several, where it knows none', async () => {
    appointments = [];
    const several = await salon('book Bo Lee with 7 for Cut in two weeks 10:00 --duration 30m');
    expect(several).toMatchObject({ exitCode: 2, stdout: '' });
    expect(several.stderr).toContain('"Cut in two weeks" is not a service that this salon is known to book.');
    expect(appointments).toEqual([]);
    expect(await salon('book Bo Lee with 7 for Cut mon 10:00 --duration 30m')).toMatchObject({ exitCode: 0 });
  });

  it('shows the day', async () => {
    const ran = await salon('today');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stdout.split('\n')).toHaveLength(2);
  });
});
