import { describe, expect, it } from 'vitest';
import { deleteOldEvents } from '../../../src/service/db/deliveries/delivery-maintenance.ts';
import { cancelDeliveries } from '../../../src/service/db/deliveries/delivery-queue.ts';
import { insertEvent, readLastEvent } from '../../../src/service/db/deliveries/events.ts';
import { body, hang, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openWebhookSalon } from '../../support/webhook-salon.ts';

const dayMs = 86_400_000;

describe('a closed delivery worker', () => {
  it('waits for attempts in flight and starts no more', async () => {
    await using salon = await openWebhookSalon();
    const held: (() => void)[] = [];
    await using receiver = await openMisbehavingServer((_request, index) => (response) => {
      if (index === 0) response.writeHead(200).end();
      else held.push(() => response.writeHead(200).end());
    });
    const { id } = await salon.addWebhook(receiver.origin);
    const worker = salon.createWorker({ graceMs: 60_000 });
    await salon.addEvents(id, 1);
    await worker.deliverAllDue();
    await salon.addEvents(id, 20);
    await worker.startDue();
    while (held.length < 8) await new Promise((resolve) => setImmediate(resolve));
    const closed = worker.close();
    for (const respond of held) respond();
    await closed;
    await worker.startDue();
    const standings = (await salon.readDeliveries(id)).map(({ status }) => status);
    expect(standings.filter((status) => status === 'delivered')).toHaveLength(9);
    expect(standings.filter((status) => status === 'pending')).toHaveLength(12);
    expect(receiver.received).toHaveLength(9);
  });

  it('releases an attempt without a response, uncounted, for another worker', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer((_request, index) => (index < 1 ? hang : body('')));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    const first = salon.createWorker({ graceMs: 10 });
    await first.startDue();
    while (receiver.received.length < 1) await new Promise((resolve) => setImmediate(resolve));
    await first.close();
    expect(await salon.readDeliveries(id)).toMatchObject([
      { status: 'pending', attempts: 0, leased_until_ms: 0 },
    ]);
    await salon.createWorker().deliverAllDue();
    expect(await salon.readDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });
});

describe('events and deliveries', () => {
  it('are deleted after a time, oldest first, in batches', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 250);
    await salon.createWorker().deliverAllDue();
    const beforeMs = salon.clock.nowMs + 1;
    salon.clock.nowMs += dayMs;
    const kept = await salon.addEvents(id, 2);
    const { database } = salon;
    expect(await deleteOldEvents(database, beforeMs - 1)).toBe(false);
    expect(await salon.readDeliveries(id)).toHaveLength(252);
    expect(await deleteOldEvents(database, beforeMs)).toBe(true);
    expect(await salon.readDeliveries(id)).toHaveLength(152);
    expect(await deleteOldEvents(database, beforeMs)).toBe(true);
    expect(await deleteOldEvents(database, beforeMs)).toBe(true);
    expect(await deleteOldEvents(database, beforeMs)).toBe(false);
    const text = 'select id, seq from events order by seq';
    const events = await database.reader.run<{ id: string; seq: number }>(text, []);
    expect(events.map((event) => event.id)).toEqual(kept);
    const left = await salon.readDeliveries(id);
    expect(left.map(({ event_seq }) => event_seq)).toEqual(events.map(({ seq }) => seq));
    expect(await database.reader.run('select * from delivery_attempts', [])).toEqual([]);
  });

  it('stay while a delivery is pending, and the newest of each account stays always', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id } = await salon.addWebhook(receiver.origin);
    const { id: silent } = await salon.addWebhook('http://127.0.0.1:9/');
    const { database, accountId, clock } = salon;
    const insert = (events: readonly (readonly string[])[]) =>
      database.transaction({ accountId }, async (tx) => {
        for (const [number, webhooks] of events.entries()) {
          const shared = { account_id: accountId, type: 'webhook.test' as const, created_ms: clock.nowMs };
          const deliveries = webhooks.map((webhook) => ({ id: `${number} ${webhook}`, webhook_id: webhook }));
          await insertEvent(
            tx,
            await readLastEvent(tx, accountId),
            { ...shared, id: `evt_${number}`, client_id: null, body: '{}' },
            deliveries,
          );
        }
      });
    await insert([[], [id], [id, silent], [id], []]);
    await salon.createWorker().deliverAllDue();
    const readSeqs = async () => {
      const rows = await database.reader.run<{ seq: number }>('select seq from events order by seq', []);
      return rows.map(({ seq }) => seq);
    };
    const later = clock.nowMs + 1;
    expect(await deleteOldEvents(database, later)).toBe(true);
    expect(await deleteOldEvents(database, later)).toBe(false);
    expect(await readSeqs()).toEqual([3, 4, 5]);
    await database.transaction({ accountId }, (tx) =>
      cancelDeliveries(tx, { accountId, webhookId: silent, nowMs: clock.nowMs }),
    );
    while (await deleteOldEvents(database, later));
    expect(await readSeqs()).toEqual([5]);
    await insert([[]]);
    expect(await readSeqs()).toEqual([5, 6]);
    expect(await database.reader.run('select * from deliveries', [])).toEqual([]);
  });
});
