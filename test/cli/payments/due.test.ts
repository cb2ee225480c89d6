import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json, openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
const visits: Record<string, string> = {};

/** João owes one part, Ana all; Ana María paid in another currency, Bob in full. */
beforeAll(async () => {
  salon = await openPeopleSalon();
  await salon.client.salon.update({ currency: 'EUR' });
  await salon.client.services.create({ name: 'Cut', duration: 30, price: 4500 });
  await complete('ana', 16);
  await complete('joao', 17, 1500);
  await complete('anaMaria', 18, 4500, 'USD');
  await complete('bob', 19, 4500);
  await salon.book('ana', { service: 'Cut', start_time: '2026-11-23T10:00:00Z' });
});
afterAll(() => salon[Symbol.asyncDispose]());

/** Books a cut on a day of November, completes it, and pays a part. */
async function complete(
  who: Parameters<typeof salon.book>[0],
  day: number,
  amount?: number,
  currency = 'EUR',
) {
  const id = await salon.book(who, { service: 'Cut', start_time: `2026-11-${day}T10:00:00Z`, duration: 30 });
  await salon.client.appointments.update(id, { status: 'completed' });
  if (amount !== undefined) {
    await salon.client.payments.create({ appointment_id: id, amount, currency, method: 'card' });
  }
  visits[who] = id;
}

describe('salon payments due', () => {
  it('lists completed visits that are not fully paid, and what is due in all', async () => {
    const ran = await salon.salon(['payments', 'due', '--json']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject([
      { id: visits['ana'], price: 4500, paid_amount: 0, due_amount: 4500, currency: 'EUR', payment: 'due' },
      { id: visits['joao'], paid_amount: 1500, due_amount: 3000, payment: 'due' },
      { id: visits['anaMaria'], paid_amount: null, due_amount: null, payment: 'check' },
    ]);
    expect(ran.stderr).toContain('2 appointments due: 75.00 EUR in all.');
    expect(ran.stderr).toContain('To check: 1 appointment with payments in another currency');
  });

  it('shows people names, phone numbers and decimals', async () => {
    const ran = await salon.salon(['payments', 'due', '--client', 'Ana Costa'], { columns: 200 });
    expect(ran.stdout).toMatch(/Ana Costa +\+351912345678 +Cut +45\.00 EUR +0\.00 EUR +45\.00 EUR +due/);
    expect(ran.stdout).not.toContain('João');
    expect(ran.stderr).toContain('1 appointment due: 45.00 EUR in all.');
  });

  it('takes days in the salon’s time zone', async () => {
    const ran = await salon.salon(
      'payments due --from 17/11/2026 --to 17/11/2026 -f ndjson -c id'.split(' '),
    );
    expect(ran.stdout).toBe(`${JSON.stringify({ id: visits['joao'] })}\n`);
  });

  it('takes a day in words, but not twice', async () => {
    const ran = await salon.salon('payments due 17/11/2026 -f ndjson -c id'.split(' '));
    expect(ran.stdout).toBe(`${JSON.stringify({ id: visits['joao'] })}\n`);
    const twice = await salon.salon('payments due 17/11/2026 --from today'.split(' '));
    expect(twice).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('only once') });
  });

  it('says in one sentence that a server has no prices, and lists no appointments', async () => {
    const empty = { data: [], pagination: { page: 1, per_page: 200, total: 0 } };
    await using server = await openMisbehavingServer(({ path }) =>
      path.includes('/services') ? problem(404, 'not_found') : json(empty),
    );
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const ran = await salon.salon(['payments', 'due'], { env });
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^error: This server .*\n?$/);
    expect(ran.requests).not.toContain('GET appointments');
  });
});
