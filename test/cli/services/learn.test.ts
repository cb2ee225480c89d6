import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunOptions } from '../../support/io.ts';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

/** Balayage is listed; Cut is paid alike, Colour not; Wash is paid in another currency; Prem was booked twice. */
beforeAll(async () => {
  salon = await openPeopleSalon();
  await salon.client.salon.update({ currency: 'EUR' });
  await salon.client.services.create({ name: 'Balayage', duration: 90, price: 17500 });
  await visit('Cut', [4500, 4500, 4500, 5000]);
  await visit('Colour', [6000, 7000, 8000]);
  await visit('Wash', [900, 900, 900], 'USD');
  await visit('Prem', [4500, 4500]);
  await visit('balayage', [100, 100, 100]);
});
afterAll(() => salon[Symbol.asyncDispose]());

let hour = Date.parse('2026-11-02T00:00:00Z');

/** Books a service once for each amount, and pays it. */
async function visit(service: string, amounts: readonly number[], currency = 'EUR') {
  for (const amount of amounts) {
    hour += 3_600_000;
    const start_time = new Date(hour).toISOString();
    const id = await salon.book('ana', { service, start_time, duration: 30 });
    await salon.client.payments.create({ appointment_id: id, amount, currency, method: 'card' });
  }
}

const learn = (line = '', options?: RunOptions) =>
  salon.salon(['services', 'learn', ...line.split(' ').filter(Boolean)], options);

async function listNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const { rows } of salon.client.services.list()) names.push(...rows.map(({ name }) => name));
  return names.toSorted();
}

describe('salon services learn', () => {
  it('proposes services that are not listed, with a price where most payments are of one amount', async () => {
    const ran = await learn('--dry-run --json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual([
      { name: 'Cut', duration: 30, price: 4500, bookings: 4, currency: 'EUR' },
      { name: 'Colour', duration: 30, price: null, bookings: 3, currency: 'EUR' },
      { name: 'Wash', duration: 30, price: null, bookings: 3, currency: 'EUR' },
    ]);
    expect(ran.stderr).toContain('Left out: 1 service booked less than 3 times.');
    expect(ran.requests.filter((request) => request.startsWith('POST'))).toHaveLength(3);
    expect(await listNames()).toEqual(['Balayage']);
  });

  it('shows them, and adds none without --yes in a script, or at a no', async () => {
    const inScript = await learn();
    expect(inScript).toMatchObject({ exitCode: 8, stdout: '' });
    expect(inScript.stderr).toMatch(/^ {2}Cut +30 min +45\.00 EUR +4 bookings$/m);
    expect(inScript.stderr).toMatch(/^ {2}Colour +30 min +no clear price +3 bookings$/m);
    const refused = await learn('--plain', { columns: 100, stdin: 'n\n' });
    expect(refused.exitCode).toBe(8);
    expect(refused.stderr).toContain('Add 3 services?');
    expect(await listNames()).toEqual(['Balayage']);
  });

  it('adds them once, and leaves the listed ones alone', async () => {
    const ran = await learn('--yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(await listNames()).toEqual(['Balayage', 'Colour', 'Cut', 'Wash']);
    const again = await learn('--yes --json');
    expect(again).toMatchObject({ exitCode: 0, stdout: '[]\n' });
    expect(again.requests).not.toContain('POST services');
    const listed = await salon.salon(['services', 'get', 'Balayage', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ duration: 90, price: 17500 });
  });
});
