import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/client/http/retry.ts';
import { collect } from '../../support/collect.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

const stored = { id: 'pay_1', client_id: null, amount: 4500, currency: 'EUR', refunded_amount: 4500 };

describe('payments', () => {
  it('are recorded, listed, read and refunded', async () => {
    const service = await openSharedService();
    await using client = openClient(service.origin, {
      credential: { kind: 'bearer', token: service.keys.manager },
      random: systemRandom,
    });
    const { id = '', record } = await client.payments.create({
      amount: 4500,
      currency: 'EUR',
      method: 'cash',
    });
    expect(await client.payments.get(id)).toEqual(record);
    const first = await client.payments.refund(id, { amount: 500 });
    expect(first.record).toMatchObject({ id, refunded_amount: 500 });
    expect((await client.payments.refund(id)).record).toMatchObject({ refunded_amount: 4500 });
    const [page] = await collect(client.payments.list({ status: 'completed', sort: '-created_at' }));
    expect(page).toMatchObject({ total: 1, rows: [{ id, refunded_amount: 4500 }] });
    expect(await refusal(client.payments.refund(id))).toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: '/amount', code: 'out_of_range' }],
    });
    expect(await refusal(client.payments.void(id))).toMatchObject({ code: 'invalid_status_transition' });
    const wrong = await client.payments.create({ amount: 10, currency: 'EUR', method: 'cash' });
    const voided = await client.payments.void(wrong.id ?? '');
    expect(voided.record).toMatchObject({ id: wrong.id, status: 'cancelled' });
  });

  it.each([
    [{}, ''],
    [{ amount: 500 }, '{"amount":500}'],
  ])('refunded with %j send the body %j, an entity tag and a key', async (options, body) => {
    await using server = await openMisbehavingServer(() => json(stored));
    await using client = openClient(server.origin);
    const refundOptions = { ...options, ifMatch: '"1"', idempotencyKey: 'once' };
    const written = await client.payments.refund('pay_1', refundOptions);
    expect(written).toMatchObject({ outcome: 'done', id: 'pay_1', record: { refunded_amount: 4500 } });
    expect(server.received).toMatchObject([{ method: 'POST', path: '/api/v1/payments/pay_1/refunds', body }]);
    expect(server.received[0]?.headers).toMatchObject({ 'if-match': '"1"', 'idempotency-key': 'once' });
  });

  it('are filtered here, also by time, if the server ignores filters', async () => {
    const rows = [
      { ...stored, id: 'pay_1', appointment_id: 'apt_1', created_at: '2026-11-20T10:00:00Z' },
      { ...stored, id: 'pay_2', appointment_id: 'apt_1', created_at: '2026-11-21T10:00:00Z' },
      { ...stored, id: 'pay_3', appointment_id: null, created_at: '2026-11-21T10:00:00Z' },
    ];
    const all = (_: Received) =>
      json({ data: rows, pagination: { page: 1, per_page: 200, total: rows.length } });
    await using server = await openMisbehavingServer(all);
    await using client = openClient(server.origin);
    const query = { appointment_id: 'apt_1', created_from: '2026-11-21T00:00:00Z' };
    const pages = await collect(client.payments.list(query));
    expect(pages.flatMap((page) => page.rows.map(({ id }) => id))).toEqual(['pay_2']);
  });

  it.each([
    ['GET /payments', (client: ReturnType<typeof openClient>) => collect(client.payments.list())],
    ['POST /payments', (client: ReturnType<typeof openClient>) => client.payments.create({})],
    [
      'POST /payments/:id/refunds',
      (client: ReturnType<typeof openClient>) => client.payments.refund('pay_1'),
    ],
  ])('name the missing endpoint on a server without %s', async (missing, ask) => {
    await using server = await openMisbehavingServer(() => json({}, { status: 404 }));
    await using client = openClient(server.origin);
    expect(await refusal(ask(client))).toMatchObject({
      code: 'not_supported',
      message: `This server does not support ${missing}.`,
    });
  });

  it('are not refunded with an ID that would change the path', async () => {
    await using server = await openMisbehavingServer(() => json(stored));
    await using client = openClient(server.origin);
    expect(await refusal(client.payments.refund('../clients'))).toMatchObject({ code: 'usage' });
    expect(server.received).toEqual([]);
  });
});
