import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { body, json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';

/** A salon whose last `booked` clients have appointments on 24 November, and one on another day. */
interface Foreign {
  readonly clients: number;
  readonly booked: number;
  readonly readsOne: boolean;
  readonly hasStylists?: boolean;
}

function answer({ path, query }: Received, { clients, booked, readsOne, hasStylists = true }: Foreign) {
  const [, noun, id] = /^\/api\/v1\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
  const client = (index: number) => ({ id: `cli_${index}`, first_name: `Name${index}`, last_name: null });
  if (noun === 'stylists' && hasStylists) return list([{ id: 'sty_a', display_name: 'Mia', active: true }]);
  if (noun === 'clients' && id === undefined) {
    const page = Number(query.get('page') ?? 1);
    const rows = Array.from({ length: clients }, (_, index) => client(index));
    return list(rows.slice((page - 1) * 200, page * 200), clients, page);
  }
  if (noun === 'clients' && readsOne) return json(client(Number(id?.slice(4))));
  if (noun !== 'appointments') return json({}, { status: 404 });
  // Ignores every filter.
  const rows = Array.from({ length: booked }, (_, index) => booking(clients - 1 - index, '2026-11-24'));
  return list([...rows, booking(0, '2026-11-26')]);
}

function booking(client: number, day: string) {
  const id = `apt_${client}_${day}`;
  const when = { start_time: `${day}T09:00:00Z`, duration: 30 };
  return {
    id,
    client_id: `cli_${client}`,
    stylist_id: 'sty_a',
    service: 'Cut',
    status: 'confirmed',
    ...when,
  };
}

function list(data: readonly unknown[], total = data.length, page = 1) {
  return json({ data, pagination: { page, per_page: 200, total } });
}

async function showDay(foreign: Foreign, flags = '--json') {
  using machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  await using server = await openMisbehavingServer((request) => answer(request, foreign));
  const env = { SALON_BASE_URL: `${server.origin}/api/v1`, SALON_API_KEY: 'k', SALON_TIME_ZONE: 'UTC' };
  const line = `appointments calendar 2026-11-24 ${flags}`;
  const ran = await machine.salon(line.split(' '), { env });
  const requests = server.received.map(({ path }) => path.replace('/api/v1/', '').replace(/cli_\d+/, 'one'));
  return { ...ran, rows: ran.exitCode === 0 ? JSON.parse(ran.stdout) : [], requests };
}

describe('client names in a calendar', () => {
  it('take two requests for two clients', async () => {
    const { rows, requests } = await showDay({ clients: 1000, booked: 2, readsOne: true });
    expect(rows.map(({ client }: { client: string }) => client).toSorted()).toEqual(['Name998', 'Name999']);
    expect(requests.filter((path) => path.startsWith('clients'))).toEqual(['clients/one', 'clients/one']);
  });

  it('are read one by one for a few of many clients', async () => {
    const { rows, requests } = await showDay({ clients: 4000, booked: 5, readsOne: true });
    expect(rows.every(({ client }: { client: string }) => client.startsWith('Name'))).toBe(true);
    expect(requests.filter((path) => path === 'clients/one')).toHaveLength(5);
    expect(requests.filter((path) => path === 'clients')).toHaveLength(1);
  });

  it('are read from the list for many clients', async () => {
    const { rows, requests } = await showDay({ clients: 600, booked: 100, readsOne: true });
    expect(rows).toHaveLength(100);
    expect(rows.every(({ client }: { client: string }) => client.startsWith('Name'))).toBe(true);
    expect(requests.filter((path) => path.startsWith('clients/'))).toEqual([]);
    expect(requests.filter((path) => path === 'clients').length).toBeLessThanOrEqual(4);
  });

  it('are read from the list if the server does not read single clients', async () => {
    const { rows, stderr } = await showDay({ clients: 300, booked: 1, readsOne: false });
    expect(rows).toMatchObject([{ client: 'Name299', stylist: 'Mia' }]);
    expect(stderr).toContain('The server ignored the filter start_time_to; filtering the rows here.');
  });

  it('are not read with --no-names', async () => {
    const { requests } = await showDay({ clients: 300, booked: 3, readsOne: true }, '--no-names --json');
    expect(requests.toSorted()).toEqual(['appointments', 'blocked-times', 'stylists']);
  });
});

describe('a calendar of a server without stylists', () => {
  it('shows the stylists of its appointments without another request', async () => {
    const foreign = { clients: 300, booked: 3, readsOne: true, hasStylists: false };
    const { rows, requests } = await showDay(foreign, '--no-names --json');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ stylist: 'sty_a', stylist_id: 'sty_a' });
    expect(requests.filter((path) => path === 'appointments')).toHaveLength(1);
  });

  it('finds appointments by stylist ID', async () => {
    const foreign = { clients: 300, booked: 3, readsOne: true, hasStylists: false };
    expect((await showDay(foreign, '--stylist sty_a --json')).rows).toHaveLength(3);
    expect((await showDay(foreign, '--stylist sty_b --json')).rows).toHaveLength(0);
  });
});

describe('a calendar that fails to load', () => {
  it('exits with code 5 and prints nothing', async () => {
    using machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
    await using server = await openMisbehavingServer(() => body('', { status: 500 }));
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const ran = await machine.salon('appointments calendar --retries 0'.split(' '), { env, columns: 80 });
    expect(ran).toMatchObject({ exitCode: 5, stdout: '' });
  });
});
