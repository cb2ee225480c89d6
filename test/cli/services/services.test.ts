import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';

const washing = { id: 'svc_1', name: 'Wash', duration: 20, price: 950, active: true };
const service = { ...washing, created_at: '2026-11-20T10:00:00Z', updated_at: '2026-11-20T10:00:00Z' };

/** A salon in yen without decimals, or in the currency given. */
function openPricedServer(currency: string) {
  return openMisbehavingServer(({ method, path }) => {
    if (path.includes('/salon')) return json({ time_zone: 'UTC', opening_hours: null, currency, name: 'S' });
    if (method === 'GET' && path.includes('/services'))
      return json({ data: [service], pagination: { page: 1, per_page: 200, total: 1 } });
    if (method === 'POST') return json({ ...service, id: 'svc_2' }, { status: 201 });
    return problem(404, 'not_found');
  });
}

describe('salon services', () => {
  it.each([
    ['JPY', '49.50'],
    ['KWD', '4.9505'],
    ['EUR', '-3'],
    ['EUR', '4,95'],
  ])('refuses in %s a price of %s, and sends nothing', async (currency, price) => {
    using machine = createMachine();
    await using server = await openPricedServer(currency);
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const line = ['services', 'create', 'Cut', '--duration', '30m', '--price', price];
    const ran = await machine.salon(line, { env });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('--price');
    expect(server.received.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('sends prices in minor units of the salon’s currency', async () => {
    using machine = createMachine();
    await using server = await openPricedServer('KWD');
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    await machine.salon('services create Cut --duration 1h30m --price 4.95'.split(' '), { env });
    const sent = server.received.find(({ method }) => method === 'POST');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ name: 'Cut', duration: 90, price: 4950 });
  });

  it('refuses a price together with none, and sends nothing', async () => {
    using machine = createMachine();
    await using server = await openPricedServer('EUR');
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const ran = await machine.salon('services update Wash --price 3 --no-price'.split(' '), { env });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('--price');
    expect(server.received).toEqual([]);
  });

  it('sends null for no price', async () => {
    using machine = createMachine();
    await using server = await openPricedServer('EUR');
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    await machine.salon('services create Cut --duration 30m --no-price --inactive'.split(' '), { env });
    const sent = server.received.find(({ method }) => method === 'POST');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ name: 'Cut', duration: 30, price: null, active: false });
  });

  it('names a service that is not in the list', async () => {
    using machine = createMachine();
    await using server = await openPricedServer('EUR');
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const ran = await machine.salon('services update Wosh --price 3'.split(' '), { env });
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' });
    expect(ran.stderr).toContain('Did you mean Wash?');
  });

  it.each(['payments due', 'appointments list --unpaid', 'services learn'])(
    'says on a server without prices that it has none: %s',
    async (line) => {
      using machine = createMachine();
      await using server = await openMisbehavingServer(() => problem(404, 'not_found'));
      const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
      const ran = await machine.salon(line.split(' '), { env });
      expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
      expect(ran.stderr).toMatch(/^error: This server (?:does not support|has no)/m);
    },
  );
});
