import { describe, expect, it } from 'vitest';
import { deleteOldDeliveries } from '../../../src/service/db/delivery-maintenance.ts';
import { insertEvent } from '../../../src/service/db/events.ts';
import { findAccount } from '../../../src/service/domain/accounts.ts';
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
    expect(await deleteOldDeliveries(database, beforeMs - 1)).toBe(false);
    expect(await salon.readDeliveries(id)).toHaveLength(252);
    expect(await deleteOldDeliveries(database, beforeMs)).toBe(true);
    expect(await salon.readDeliveries(id)).toHaveLength(52);
    expect(await deleteOldDeliveries(database, beforeMs)).toBe(true);
    expect(await deleteOldDeliveries(database, beforeMs)).toBe(false);
    const events = await database.reader.selectFrom('events').select(['id', 'seq']).orderBy('seq').execute();
    expect(events.map((event) => event.id)).toEqual(kept);
    const left = await salon.readDeliveries(id);
    expect(left.map(({ event_seq }) => event_seq)).toEqual(events.map(({ seq }) => seq));
    expect(await database.reader.selectFrom('delivery_attempts').selectAll().execute()).toEqual([]);
  });

  it('expire together: an event is kept as long as one of its deliveries', async () => {
    await using salon = await openWebhookSalon();
    const webhooks = [
      await salon.addWebhook('http://127.0.0.1:9/'),
      await salon.addWebhook('http://127.0.0.1:9/'),
    ];
    const { database, clock } = salon;
    const account = await findAccount(database.reader);
    const events = Array.from({ length: 150 }, (_, number) => ({
      id: `evt_${number}`,
      client_id: null,
      body: '{}',
    }));
    const shared = { account_id: account.id, type: 'webhook.test' as const, created_ms: clock.nowMs };
    await database.transaction('service', async (tx) => {
      for (const event of events) {
        const deliveries = webhooks.map(({ id }) => ({ id: `${event.id}_${id}`, webhook_id: id }));
        await insertEvent(tx, { ...shared, ...event }, deliveries);
      }
    });
    const { reader } = database;
    const orphans = 'select id from deliveries where event_seq not in (select seq from events)';
    const counts = [];
    while (await deleteOldDeliveries(database, clock.nowMs + 1)) {
      expect(await reader.run(orphans, [])).toEqual([]);
      const [row] = await reader.run<{ left: number }>('select count(*) as left from events', []);
      counts.push(row?.left);
    }
    expect(counts).toEqual([50, 0]);
  });
});
