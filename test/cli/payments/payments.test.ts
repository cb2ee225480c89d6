import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer, problem, type Received } from '../../support/misbehaving-server.ts';

const paid = {
  ...{ id: 'pay_1', client_id: null, appointment_id: null, amount: 4500, currency: 'EUR', tip_amount: 0 },
  ...{ method: 'card', status: 'completed', refunded_amount: 0, reference: null },
};

/** A server where another user changes each payment first. */
function changedMeanwhile({ method }: Received) {
  return method === 'GET'
    ? json(paid, { headers: { etag: '"1"' } })
    : problem(412, 'precondition_failed', { etag: '"2"' });
}

describe('salon payments', () => {
  it('refunds the payment only as it was shown', async () => {
    using machine = createMachine();
    await using server = await openMisbehavingServer(changedMeanwhile);
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const ran = await machine.salon(['payments', 'refund', 'pay_1', '--yes'], { env });
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    const sent = server.received.filter(({ method }) => method === 'POST');
    expect(sent).toMatchObject([{ path: '/api/v1/payments/pay_1/refunds', body: '{"amount":4500}' }]);
    expect(sent[0]?.headers['if-match']).toBe('"1"');
  });

  it.each([
    [8, 'refund pay_1'],
    [2, 'refund pay_1 --amount 4,5 --yes'],
    [1, 'refund pay_1 --amount 45.01 --yes'],
    [0, 'refund pay_1 --dry-run'],
    [2, 'record --amount 4.505 --currency EUR --method cash'],
    [2, 'record --amount 4.50 --currency EUR'],
    [0, 'record --amount 4.50 --currency EUR --method cash --dry-run'],
    [8, 'record --amount 4.50 --currency EUR --method cash --confirm Another'],
  ])('exits %i and sends nothing: %s', async (exitCode, line) => {
    using machine = createMachine();
    await using server = await openMisbehavingServer(changedMeanwhile);
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const ran = await machine.salon(['payments', ...line.split(' ')], { env });
    expect(ran.exitCode, ran.stderr).toBe(exitCode);
    expect(server.received.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('sends days in the salon’s time zone and filters what the server did not', async () => {
    using machine = createMachine({ timeZone: 'Europe/Berlin', now: new Date('2026-11-21T12:00:00Z') });
    const rows = [
      { ...paid, id: 'pay_1', created_at: '2026-11-20T22:59:59Z' },
      { ...paid, id: 'pay_2', created_at: '2026-11-20T23:00:00Z' },
    ];
    await using server = await openMisbehavingServer(() =>
      json({ data: rows, pagination: { page: 1, per_page: 200, total: 2 } }),
    );
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const line = 'payment list --from today --to today -f ndjson -c id'.split(' ');
    const ran = await machine.salon(line, { env });
    expect(ran).toMatchObject({ exitCode: 0, stdout: '{"id":"pay_2"}\n' });
    expect(ran.stderr).toContain('The server ignored the filter created_from');
    expect(server.received[0]?.query.get('created_from')).toBe('2026-11-20T23:00:00Z');
    expect(server.received[0]?.query.get('created_to')).toBe('2026-11-21T23:00:00Z');
  });
});
