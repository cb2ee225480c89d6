import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

/** Cut is listed with another duration than it was booked for; Perm is no longer offered. */
beforeAll(async () => {
  salon = await openPeopleSalon();
  await salon.client.salon.update({ currency: 'EUR' });
  await salon.client.services.create({ name: 'Cut', duration: 45, price: 4950 });
  await salon.client.services.create({ name: 'Perm', duration: 120, price: 9000, active: false });
  for (const day of ['16', '17']) {
    await salon.book('joao', { service: 'Cut', start_time: `2026-11-${day}T10:00:00Z`, duration: 90 });
  }
});
afterAll(() => salon[Symbol.asyncDispose]());

const book = (line: string) => salon.salon(['book', ...line.split(' '), '--json']);

describe('the price list in salon book', () => {
  it('gives duration and price of a listed service, without past appointments', async () => {
    const ran = await book('Ana Costa for cut with Quinn S. mon 09:00');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ service: 'Cut', duration: 45, price: 4950 });
    expect(ran.stderr).toContain('Duration: 45 min, as usual for Cut.');
  });

  it.each([
    ['--price 30', 3000, 'mon 11:00'],
    ['--price 0', 0, 'mon 13:00'],
    ['--price 12.50 --duration 20m', 1250, 'mon 15:00'],
  ])('gives way to %s', async (flags, price, time) => {
    const ran = await book(`Ana Costa for Cut with Quinn S. ${time} ${flags}`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ price });
  });

  it.each(['12.505', '-1', 'ten'])('sends nothing for a price of %s', async (price) => {
    const ran = await book(`Ana Costa for Cut with Quinn S. tue 09:00 --price=${price}`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('--price');
    expect(ran.requests).not.toContain('POST appointments');
  });

  it('gives neither for an inactive service', async () => {
    const without = await book('Ana Costa with Quinn S. tue 10:00 --service Perm');
    expect(without).toMatchObject({ exitCode: 2, stdout: '' });
    expect(without.stderr).toContain('Missing: duration.');
    const ran = await book('Ana Costa with Quinn S. tue 10:00 --service Perm --duration 1h');
    expect(JSON.parse(ran.stdout)).toMatchObject({ service: 'Perm', duration: 60, price: null });
  });

  it('shows the price before it asks', async () => {
    const words = 'book Ana Costa for Cut with Quinn S. wed 09:00 --plain'.split(' ');
    const ran = await salon.salon(words, { columns: 80, stdin: '' });
    expect(ran.stderr).toMatch(/^Price: 49\.50 EUR$/m);
    expect(ran.requests).not.toContain('POST appointments');
  });
});

describe('prices and durations of listed services', () => {
  it('need no past appointments in salon free, and no list of services without --service', async () => {
    const named = await salon.salon('free mon --service cut --json'.split(' '));
    expect(named.exitCode, named.stderr).toBe(0);
    expect(named.requests.slice(0, 2)).toEqual(['GET services', 'GET availability']);
    const [slot] = JSON.parse(named.stdout);
    expect(Date.parse(slot.end_time) - Date.parse(slot.start_time)).toBe(45 * 60_000);
    const any = await salon.salon('free mon --json'.split(' '));
    expect(any.requests).not.toContain('GET services');
  });

  it('are shown in decimals, without a profile that knows the currency', async () => {
    const id = await salon.book('bob', { service: 'Cut', start_time: '2026-11-26T10:00:00Z' });
    const shown = await salon.salon(['appointments', 'get', id, '--no-color'], { columns: 120 });
    expect(shown.stdout).toMatch(/^Price +49\.50 EUR$/m);
    const list = 'appointments list --from 2026-11-26 -c service,price'.split(' ');
    expect((await salon.salon(list, { columns: 120 })).stdout).toContain('49.50 EUR');
  });
});
