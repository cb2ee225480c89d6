import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseJson } from '../../src/text/json.ts';
import { createMachine, type Machine } from '../support/io.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
  body as text,
} from '../support/misbehaving-server.ts';

type Row = Readonly<Record<string, unknown>>;

/** More than a JavaScript number holds. */
const big = '9007199254740993';
const clients = `[{"id":${big},"first_name":"Ana","last_name":"Costa"},{"id":2,"first_name":"Bo","last_name":"Lee"}]`;
const stylists = '[{"id":7,"display_name":"Mia"},{"id":8,"display_name":"Theo"}]';

let appointments: Row[];
let server: MisbehavingServer;
let machine: Machine;

/** What the sign-in finds. */
const words = {
  ...{ PENDING: 'pending', CONFIRMED: 'confirmed', CANCELED: 'cancelled', 'NO-SHOW': 'no_show' },
};

/** A server that numbers its records, writes statuses in its own letters, and finds only those. */
function answer({ method, path, query, body }: Received) {
  const [, noun = '', id] = /^\/api\/v1\/(clients|stylists|appointments)(?:\/(\w+))?$/.exec(path) ?? [];
  const list = { clients, stylists, appointments: JSON.stringify(appointments) }[noun];
  if (list === undefined) return json({ detail: 'Not found.' }, { status: 404 });
  const rows = parseJson(list) as Row[];
  const row = rows.find((one) => String(one['id']) === id);
  if (id !== undefined && row === undefined) return json({ detail: 'Not found.' }, { status: 404 });
  if (method === 'GET') {
    if (row !== undefined) return text(JSON.stringify(row));
    const status = query.get('status');
    const found = rows.filter((one) => status === null || one['status'] === status);
    const total = found.length;
    return text(JSON.stringify({ data: found, pagination: { page: 1, per_page: 200, total } }));
  }
  const fields = parseJson(body) as Row;
  const wrong = ['client_id', 'stylist_id'].find((name) => typeof fields[name] === 'string');
  if (wrong !== undefined) return json({ [wrong]: ['A valid integer is required.'] }, { status: 400 });
  const words = ['PENDING', 'CONFIRMED', 'CANCELED', 'NO-SHOW', 'WAITLISTED'];
  const { status = 'CONFIRMED' } = fields;
  if (!words.includes(String(status))) return json({ status: ['Not a valid choice.'] }, { status: 400 });
  const written = { id: appointments.length + 1, status, ...row, ...fields };
  appointments =
    row === undefined
      ? [...appointments, written]
      : appointments.map((one) => (String(one['id']) === id ? written : one));
  return text(JSON.stringify(written), { status: row === undefined ? 201 : 200 });
}

beforeEach(async () => {
  const visit = { client_id: 2, service: 'Cut', duration: 30 };
  appointments = [
    { ...visit, id: 1, stylist_id: 7, start_time: '2026-11-24T09:00:00Z', status: 'CONFIRMED' },
    { ...visit, id: 2, stylist_id: 7, start_time: '2026-11-24T10:00:00Z', status: 'CANCELED' },
    { ...visit, id: 3, stylist_id: 7, start_time: '2026-11-24T11:00:00Z', status: 'NO-SHOW' },
    { ...visit, id: 4, stylist_id: 8, start_time: '2026-11-24T11:00:00Z', status: 'CANCELED' },
    { ...visit, id: 5, stylist_id: 8, start_time: '2026-11-24T12:00:00Z', status: 'WAITLISTED' },
  ];
  server = await openMisbehavingServer(answer);
  machine = createMachine({
    env: {
      SALON_DATA_DIR: 'data',
      SALON_CONFIG_DIR: 'config',
      SALON_BASE_URL: server.origin,
      SALON_API_KEY: 'k',
      SALON_DIALECT_PAGING: 'page',
      SALON_DIALECT_STATUSES: JSON.stringify(words),
    },
    now: new Date('2026-11-23T12:00:00Z'),
    timeZone: 'UTC',
  });
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const salon = (line: string, ...more: string[]) => machine.salon([...line.split(' '), ...more]);
const written = () => server.received.filter(({ method }) => method !== 'GET').map(({ body }) => body);

describe('a reference by name on a server that numbers its records', () => {
  it('is written as the number that the server gave, with every digit', async () => {
    const booking = ['--client', 'Ana Costa', '--stylist', 'Theo', '--service', 'Cut'];
    const times = ['--start', '2026-11-25T10:00:00Z', '--duration', '30', '--yes'];
    const ran = await salon('appointments create', ...booking, ...times);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(written()[0]).toContain(`"client_id":${big},"stylist_id":8,`);
  });

  it('is a number in a change and in a move, too', async () => {
    expect(await salon('appointments update 1 --stylist Theo')).toMatchObject({ exitCode: 0 });
    expect(written()[0]).toContain('"stylist_id":8');
    const moved = await salon('move 1 2026-11-25 10:00 --stylist Mia --yes');
    expect(moved.exitCode, moved.stderr).toBe(0);
    expect(written()[1]).toContain('"stylist_id":7');
  });

  it('is a number in a bulk edit', async () => {
    const ran = await salon('appointments update --where-stylist Mia --stylist Theo --yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(written()).toEqual([expect.stringContaining('"stylist_id":8')]);
  });
});

describe('a status in the words of another server', () => {
  it('leaves out what is over, and keeps an unknown word', async () => {
    const ran = await salon(
      'appointments update --where-date 2026-11-24 --set notes=x --allow-new-fields --yes',
    );
    expect([ran.exitCode, ran.stderr]).toEqual([
      0,
      expect.stringContaining('3 appointments are over (completed, cancelled or no-show) and left out.'),
    ]);
    expect(appointments.filter((row) => row['notes'] === 'x').map(({ id }) => id)).toEqual([1, 5]);
  });

  it.each([
    ['cancelled', [2, 4]],
    ['CANCELED', [2, 4]],
    ['no_show', [3]],
    ['confirmed,no-show', [1, 3]],
    ['completed', []],
    ['WAITLISTED', [5]],
  ])('is found as %s', async (status, expected) => {
    const ran = await salon('appointments list --json --status', status);
    expect([ran.exitCode, JSON.parse(ran.stdout).map(({ id }: Row) => id)]).toEqual([0, expected]);
  });

  it('is written as the server spells it, as far as that was seen', async () => {
    const line = 'appointments update --where-status no_show,confirmed --status cancelled --yes --json';
    const ran = await salon('appointments list --json');
    expect(ran.exitCode).toBe(0);
    const edited = await salon(line);
    expect(edited.exitCode, edited.stderr).toBe(0);
    expect(appointments.map((row) => row['status'])).toEqual([
      ...['CANCELED', 'CANCELED', 'CANCELED', 'CANCELED', 'WAITLISTED'],
    ]);
    const { job } = JSON.parse(edited.stdout);
    const undone = await salon('jobs undo', job, '--yes');
    expect(undone.stderr).toContain('cancelled is final');
  });

  it('keeps a stylist busy unless it means cancelled or missed', async () => {
    const line = 'appointments update --where-status confirmed --stylist Theo --yes --start';
    const busy = await salon(line, '2026-11-24T12:00:00Z');
    expect([busy.exitCode, busy.stderr]).toEqual([3, expect.stringContaining('Theo is booked')]);
    const free = await salon(line, '2026-11-24T11:00:00Z');
    expect(free.exitCode, free.stderr).toBe(0);
    expect(appointments[0]).toMatchObject({ stylist_id: 8, start_time: '2026-11-24T11:00:00Z' });
  });

  it('can be moved by name when one appointment is still to come', async () => {
    appointments = appointments.filter(({ id }) => id !== 5);
    const ran = await salon('move', 'Bo Lee', '2026-11-25', '10:00', '--yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(appointments[0]).toMatchObject({ start_time: '2026-11-25T10:00:00Z', status: 'CONFIRMED' });
  });
});
