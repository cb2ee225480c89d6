import { describe, expect, it } from 'vitest';
import { deliverySchedule } from '../../../src/contract/delivery.ts';
import { toUpdate } from '../../../src/service/db/rows.ts';
import { body, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openWebhookSalon, type WebhookSalon } from '../../support/webhook-salon.ts';

const failing = body('', { status: 503 });

/** Repeatedly advances the clock to the next due delivery and delivers it. */
async function deliverAll(salon: WebhookSalon, webhookId: string): Promise<void> {
  const worker = salon.createWorker();
  for (;;) {
    await worker.deliverAllDue();
    const dues = (await salon.readDeliveries(webhookId)).flatMap(({ next_ms }) => next_ms ?? []);
    if (dues.length === 0) return;
    salon.clock.nowMs = Math.max(salon.clock.nowMs, Math.min(...dues));
  }
}

describe('the attempts of a delivery', () => {
  it('follow the schedule, signed anew with the same ID; the tenth failure disables the webhook', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => failing);
    const { id } = await salon.addWebhook(receiver.origin);
    const begunMs = salon.clock.nowMs;
    const [eventId] = await salon.addEvents(id, 1);
    await deliverAll(salon, id);
    const sent = receiver.received.map(({ headers }) => headers);
    const seconds = sent.map((headers) => Number(headers['webhook-timestamp']) - begunMs / 1000);
    expect(seconds).toEqual(deliverySchedule.map((ms) => ms / 1000));
    expect(new Set(sent.map((headers) => headers['webhook-id']))).toEqual(new Set([eventId]));
    expect(new Set(sent.map((headers) => headers['webhook-signature'])).size).toBe(10);
    const [delivery] = await salon.readDeliveries(id);
    expect(delivery).toMatchObject({ status: 'failed', attempts: 10, next_ms: null });
    const attempts = await salon.readAttempts(delivery?.id ?? '');
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await salon.readWebhook(id)).toMatchObject({ active: false, disabled_reason: 'exhausted' });
    expect(salon.logged).toMatchObject([{ webhook: id, reason: 'exhausted', message: 'webhook disabled' }]);
  });

  it('end with the first 2xx', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer((_request, index) => (index < 3 ? failing : body('')));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    await deliverAll(salon, id);
    expect(receiver.received).toHaveLength(4);
    expect(await salon.readDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 4 }]);
    expect(await salon.readWebhook(id)).toMatchObject({ active: true, disabled_reason: null });
  });

  it('respect Retry-After', async () => {
    await using salon = await openWebhookSalon();
    const busy = body('', { status: 429, headers: { 'retry-after': '3600' } });
    await using receiver = await openMisbehavingServer((_request, index) => (index === 0 ? busy : body('')));
    const { id } = await salon.addWebhook(receiver.origin);
    const begunMs = salon.clock.nowMs;
    await salon.addEvents(id, 1);
    await deliverAll(salon, id);
    expect(salon.clock.nowMs).toBe(begunMs + 3_600_000);
    expect(receiver.received).toHaveLength(2);
  });

  it('restart on redelivery and keep counting', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer((_request, index) => (index < 1 ? failing : body('')));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    await deliverAll(salon, id);
    const again = { status: 'pending', attempts: 0, next_ms: salon.clock.nowMs } as const;
    await salon.database.transaction('service', (tx) =>
      tx.run(...toUpdate('deliveries', again, { webhook_id: id })),
    );
    await deliverAll(salon, id);
    expect(receiver.received).toHaveLength(3);
    const [delivery] = await salon.readDeliveries(id);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1 });
    const attempts = await salon.readAttempts(delivery?.id ?? '');
    expect(attempts.map(({ number, status_code }) => [number, status_code])).toEqual([
      [1, 503],
      [2, 200],
      [3, 200],
    ]);
  });
});

describe('a webhook', () => {
  it('is disabled by a 410, which cancels its pending deliveries', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body('', { status: 410 }));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 300);
    const before = await salon.readWebhook(id);
    await salon.createWorker().deliverAllDue();
    await salon.createWorker().deliverAllDue();
    const webhook = await salon.readWebhook(id);
    expect(webhook).toMatchObject({ active: false, disabled_reason: 'gone' });
    expect(Date.parse(webhook.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(receiver.received.length).toBeLessThanOrEqual(8);
    const deliveries = await salon.readDeliveries(id);
    expect(new Set(deliveries.map(({ status, next_ms }) => `${status} ${next_ms}`))).toEqual(
      new Set(['failed null']),
    );
    expect(salon.logged).toMatchObject([{ webhook: id, reason: 'gone' }]);
  });

  it('that is disabled has no pending deliveries, however late they are due', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body('', { status: 410 }));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1000);
    const later = { next_ms: salon.clock.nowMs + 86_400_000, attempts: 3 };
    await salon.database.transaction('service', (tx) =>
      tx.run(...toUpdate('deliveries', later, { webhook_id: id })),
    );
    await salon.addEvents(id, 1);
    await salon.createWorker().deliverAllDue();
    const deliveries = await salon.readDeliveries(id);
    expect(deliveries.filter(({ status, next_ms }) => status !== 'failed' || next_ms !== null)).toEqual([]);
  });

  it('that is disabled or removed receives nothing', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id: off } = await salon.addWebhook(receiver.origin, { change: { active: 0 } });
    await salon.addEvents(off, 2);
    await salon.addEvents('whk_gone', 2);
    await salon.createWorker().deliverAllDue();
    expect(receiver.received).toEqual([]);
    const left = [...(await salon.readDeliveries(off)), ...(await salon.readDeliveries('whk_gone'))];
    expect(left.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed']);
  });

  it('that is disabled during an attempt is not retried', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => (response) => {
      void salon.database
        .transaction('service', (tx) => tx.run('update webhooks set active = 0', []))
        .then(() => failing(response));
    });
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    await salon.createWorker().deliverAllDue();
    expect(await salon.readDeliveries(id)).toMatchObject([{ status: 'failed', attempts: 1, next_ms: null }]);
    expect(salon.logged).toEqual([]);
  });

  it('receives no erased event', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    await salon.database.transaction('service', (tx) => tx.run('update events set body = null', []));
    await salon.createWorker().deliverAllDue();
    expect(receiver.received).toEqual([]);
    expect(await salon.readDeliveries(id)).toMatchObject([{ status: 'failed', next_ms: null }]);
  });
});
