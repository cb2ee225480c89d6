import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { json, type MisbehavingServer, openMisbehavingServer } from '../../support/misbehaving-server.ts';

type Row = Record<string, unknown>;

/** As earlier versions detected it: nothing says what the server calls fields, or that it numbers its records. */
const dialect = {
  ...{ prefix: '', resources: { clients: 'customers' } },
  ...{ paging: 'offset', pageParameter: 'offset', perPageParameter: 'limit' },
};

let machine: Machine;
let server: MisbehavingServer;
let customers: Row[];
let appointments: Row[];

const file = () => join(machine.home, '.config/salon/config.json');
const writes = () =>
  server.received
    .filter(({ method }) => method !== 'GET')
    .map(({ method, body }) => [method, JSON.parse(body)]);

beforeEach(async () => {
  customers = ['Ana', 'Bo', 'Cleo'].map((givenName, at) => ({
    ...{ id: at + 1, givenName, familyName: 'Costa', emailAddress: `${givenName}@x.example` },
    ...(at === 1 && { phoneNumber: '+351912000111' }),
  }));
  appointments = [1, 2].map((at) => ({
    ...{ id: at, customer_id: at, employee: { id: 7 }, serviceName: 'Cut' },
    ...{ starts_at: `2026-11-23T1${at}:00:00Z`, ends_at: `2026-11-23T1${at}:30:00Z` },
    status: at === 1 ? 'CONFIRMED' : 'CANCELED',
  }));
  const records: Record<string, Row[]> = {
    customers,
    appointments,
    stylists: [{ id: 7, display_name: 'Mia' }],
  };
  server = await openMisbehavingServer(({ method, path, query, body }) => {
    const [, noun = '', id] = path.split('/');
    const rows = records[noun];
    if (rows === undefined) return json({}, { status: 404 });
    if (id === undefined && method === 'POST') {
      rows.push({ id: rows.length + 1, ...JSON.parse(body) });
      return json(rows.at(-1), { status: 201 });
    }
    const start = Number(query.get('offset') ?? 0);
    if (id === undefined) return json(rows.slice(start, start + Number(query.get('limit') ?? 20)));
    const record = rows.find((row) => String(row['id']) === id);
    if (record === undefined) return json({}, { status: 404 });
    if (method === 'PUT') Object.assign(record, JSON.parse(body));
    return json(record);
  });
  machine = createMachine({ now: new Date('2026-11-22T12:00:00Z'), timeZone: 'UTC' });
  await machine.salon(['auth', 'login', '--base-url', server.origin, '--no-verify'], { stdin: 'sk_test' });
  const config = JSON.parse(readFileSync(file(), 'utf8'));
  config.profiles.default = { ...config.profiles.default, time_zone: 'UTC', dialect };
  writeFileSync(file(), JSON.stringify(config));
});

afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function salon(...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await machine.salon(argv);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

describe('a profile of an earlier version, without names of fields', () => {
  it('shows appointments that start under another name, and stores nothing', async () => {
    const day = JSON.parse(await salon('calendar', 'mon', '--json'));
    expect(day).toMatchObject([{ start_time: '2026-11-23T11:00:00Z', stylist: 'Mia', service: 'Cut' }]);
    expect(JSON.parse(readFileSync(file(), 'utf8')).profiles.default.dialect).toEqual(dialect);
  });

  it('exports what the server has into the columns of the contract', async () => {
    const csv = await salon('clients', 'list', '-f', 'csv', '--columns', 'id,first_name,email,phone');
    expect(csv.replaceAll("'+", '+').trim().split(/\r?\n/).slice(1)).toEqual([
      ...['1,Ana,Ana@x.example,', '2,Bo,Bo@x.example,+351912000111', '3,Cleo,Cleo@x.example,'],
    ]);
  });

  it.each([
    ['by its ID', '2'],
    ['by the phone number', '+351912000111'],
  ])('finds a client %s', async (_how, reference) => {
    expect(JSON.parse(await salon('clients', 'get', reference, '--json'))).toMatchObject({
      ...{ first_name: 'Bo', email: 'Bo@x.example', phone: '+351912000111' },
    });
  });

  it("changes a field under the server's name, and keeps the others", async () => {
    await salon('clients', 'update', '2', '--set', 'email=bo@y.example', '--yes');
    const { id: _id, ...others }: Row = { ...customers[1], emailAddress: 'bo@y.example' };
    expect(writes()).toEqual([['PUT', others]]);
  });

  it('changes what a condition selects', async () => {
    const where = ['--where-service', 'Cut', '--where-status', 'confirmed'];
    await salon('appointments', 'update', ...where, '--status', 'completed', '--yes');
    expect(writes()).toMatchObject([
      [
        'PUT',
        { customer_id: 1, employee: { id: 7 }, starts_at: '2026-11-23T11:00:00Z', status: 'COMPLETED' },
      ],
    ]);
    expect(writes()[0]?.[1]).not.toHaveProperty('start_time');
  });
});
