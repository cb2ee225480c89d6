import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
} from '../../support/misbehaving-server.ts';

const clients = [
  { id: 7, first_name: 'Ana', last_name: 'Costa', phone: '0912 345 678' },
  { id: 8, first_name: 'Ana', last_name: 'Lima', phone: '7' },
  { id: 9, first_name: 'Bo', last_name: 'Twin' },
  { id: 10, first_name: 'Bo', last_name: 'Twin' },
];
const appointments = clients.slice(0, 2).map(({ id }) => ({
  id: 100 + id,
  client_id: id,
  stylist_id: 1,
  service: 'Cut',
  start_time: '2026-11-27T15:00:00Z',
  duration: 30,
  status: 'confirmed',
}));

/** A server that numbers its records, knows no filter and no search, and has no stylists. */
function numbered({ method, path, body }: Received) {
  const [, noun, id] = /^\/api\/v1\/(\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const rows: readonly { id: number }[] | undefined = { clients, appointments }[noun ?? ''];
  if (rows === undefined) return json({}, { status: 404 });
  if (id === undefined)
    return json({ data: rows, pagination: { page: 1, per_page: 200, total: rows.length } });
  const row = rows.find((one) => String(one.id) === id);
  if (row === undefined) return json({ error: 'no such record' }, { status: 404 });
  return json(method === 'PUT' ? { ...row, ...JSON.parse(String(body)) } : row);
}

let machine: Machine;
let server: MisbehavingServer;
beforeAll(async () => {
  server = await openMisbehavingServer(numbered);
});
beforeEach(() => {
  machine?.[Symbol.dispose]();
  machine = createMachine({ now: new Date('2026-11-21T12:00:00Z') });
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const salon = (...argv: readonly string[]) =>
  machine.salon(argv, { env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_TIME_ZONE: 'UTC' } });

describe('a reference on a server that numbers its records', () => {
  it.each([
    ['an ID, not the phone number of another', '7', 'Costa'],
    ['a name', 'lima ana', 'Lima'],
    ['a phone number in international form', '+351912345678', 'Costa'],
  ])('is %s', async (_what, reference, last) => {
    const ran = await salon('clients', 'get', reference, '-c', 'last_name');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, stdout: `last_name\n${last}\n` });
  });

  it('finds the appointment of a client, and changes it', async () => {
    const ran = await salon('appointments', 'update', 'Ana Lima', '--set', 'notes=x', '-c', 'id,notes');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, stdout: 'id\tnotes\n108\tx\n' });
  });

  it.each([
    ['two people', 'Bo Twin', 2],
    ['a part of a name, for a write', 'Lima', 2],
    ['nobody', 'Zoe', 6],
    ['an ID that nobody has', '11', 6],
  ])('that means %s changes nothing', async (_what, reference, exitCode) => {
    const before = server.received.length;
    const ran = await salon('appointments', 'update', reference, '--set', 'notes=x');
    expect(ran, ran.stderr).toMatchObject({ exitCode, stdout: '' });
    expect(server.received.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('to a stylist is an ID where stylists cannot be listed, and says so', async () => {
    const ran = await salon('appointments', 'list', '--stylist', '1', '-c', 'id');
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'id\n107\n108\n' });
    const named = await salon('appointments', 'list', '--stylist', 'Mia Sato');
    expect(named).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
