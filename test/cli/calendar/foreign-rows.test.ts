import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';

const usual = {
  ...{ id: 'a1', client_id: 'c1', stylist_id: 's1', service: 'Cut' },
  ...{ start_time: '2026-11-24T09:00:00Z', duration: 30, status: 'confirmed' },
};
const clients = [
  { id: 'c1', first_name: 'Ada' },
  { id: 7, first_name: 'Bo' },
  { id: 'c@salon', first_name: 'Cy' },
];

/** Shows the day of one appointment as another server may write it. */
async function showDay(change: object, flags = '--json', stylists: readonly object[] = []) {
  using machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  await using server = await openMisbehavingServer(({ path }) => {
    const [, noun, id] = /^\/api\/v1\/(\w+)(?:\/(.+))?$/.exec(path) ?? [];
    if (noun === 'me') return json({}, { status: 404 });
    if (id !== undefined)
      return json(clients.find((client) => String(client.id) === decodeURIComponent(id)) ?? {});
    const data = noun === 'stylists' ? stylists : noun === 'clients' ? clients : [{ ...usual, ...change }];
    return json({ data, pagination: { page: 1, per_page: 200, total: data.length } });
  });
  const env = {
    SALON_BASE_URL: `${server.origin}/api/v1`,
    SALON_API_KEY: 'k',
    SALON_TIME_ZONE: 'UTC',
    NO_COLOR: '1',
  };
  const line = `appointments calendar 2026-11-24 ${flags}`;
  return await machine.salon(line.split(' '), { env, columns: 80 });
}

async function readRow(change: object, stylists: readonly object[] = []): Promise<object> {
  const ran = await showDay(change, '--json', stylists);
  expect(ran).toMatchObject({ exitCode: 0 });
  return JSON.parse(ran.stdout)[0];
}

describe('an appointment of another server', () => {
  it.each([
    [30, '2026-11-24T09:30:00Z'],
    ['45', '2026-11-24T09:45:00Z'],
    ['PT1H', '2026-11-24T10:00:00Z'],
    [null, null],
    [-30, null],
    ['long', null],
    [1e18, null],
  ])('with duration %j ends at %s and is drawn', async (duration, end_time) => {
    expect(await readRow({ duration })).toMatchObject({ end_time });
    expect((await showDay({ duration }, '-f table')).stdout).toContain('▌C Ada');
  });

  it('without an end is shown so in every view', async () => {
    const unknown = { duration: null };
    expect((await showDay(unknown, '--plain')).stdout).toContain('09:00 to ?: Ada, Cut, confirmed.');
    expect((await showDay(unknown, '--plain --week')).stdout).toContain('09:00 to ?: Ada, Cut, confirmed.');
    expect((await showDay(unknown, '-f csv')).stdout).toContain('2026-11-24T09:00:00Z,,');
  });

  it.each([
    ['a number', 7, { client_id: '7', client: 'Bo' }],
    ['an ID that needs escaping', 'c@salon', { client_id: 'c@salon', client: 'Cy' }],
    ['missing', null, { client_id: '', client: null }],
    ['unknown', 'c d', { client_id: 'c d', client: null }],
  ])('whose client is %s is shown', async (_, client_id, row) => {
    expect(await readRow({ client_id })).toMatchObject(row);
  });

  it('without a stylist is shown after the stylists', async () => {
    const { stdout } = await showDay({ stylist_id: undefined }, '-f table', [{ id: 's1' }]);
    expect(stdout).toMatch(/s1 +no stylist +1/);
  });

  it.each(['canceled', 'CANCELLED', 'No-Show', 'cancelled_by_customer'])(
    'with status %s is not shown as booked',
    async (status) => {
      expect(JSON.parse((await showDay({ status })).stdout)).toEqual([]);
      expect((await showDay({ status }, '-f table')).stdout).toContain('No appointments on');
      expect(JSON.parse((await showDay({ status }, '--json --all')).stdout)).toMatchObject([{ status }]);
    },
  );

  it('of a deleted client says so instead of a part of the ID', async () => {
    const { stdout } = await showDay({ client_id: 'gone-1234567890-1234567890' }, '-f table');
    expect(stdout).toContain('▌C (deleted)');
    expect(stdout).not.toContain('gone');
  });

  it('belongs to the stylist with the same numeric ID', async () => {
    const stylists = [{ id: 5, display_name: 'Mia' }];
    expect(await readRow({ stylist_id: 5 }, stylists)).toMatchObject({ stylist_id: '5', stylist: 'Mia' });
  });
});
