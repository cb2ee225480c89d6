import { describe, expect, it } from 'vitest';
import { dropOldDeliveries } from '../../../src/service/store/webhooks/drop-deliveries.ts';
import { body, hang, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openWebhookSalon } from '../../support/webhook-salon.ts';

const dayMs = 86_400_000;

describe('a deliverer that is closed', () => {
  it('waits for what is under way and begins nothing more', async () => {
    await using salon = await openWebhookSalon();
    const held: (() => void)[] = [];
    await using receiver = await openMisbehavingServer(() => (response) => {
      held.push(() => response.writeHead(200).end());
    });
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 20);
    const deliverer = salon.createDeliverer({ graceMs: 60_000 });
    await deliverer.begin();
    while (held.length < 8) await new Promise((resolve) => setImmediate(resolve));
    const closed = deliverer.close();
    for (const answer of held) answer();
    await closed;
    await deliverer.begin();
    const standings = (await salon.readDeliveries(id)).map(({ status }) => status);
    expect(standings.filter((status) => status === 'delivered')).toHaveLength(8);
    expect(standings.filter((status) => status === 'pending')).toHaveLength(12);
    expect(receiver.received).toHaveLength(8);
  });

  it('gives back what gets no answer in time: another one has it at once, and no try is counted', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer((_request, index) => (index < 1 ? hang : body('')));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    const first = salon.createDeliverer({ graceMs: 10 });
    await first.begin();
    await first.close();
    expect(await salon.readDeliveries(id)).toMatchObject([
      { status: 'pending', attempts: 0, leased_until_ms: 0 },
    ]);
    await salon.createDeliverer().deliverDue();
    expect(await salon.readDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });
});

describe('events and deliveries', () => {
  it('are dropped after a time, oldest first, a piece at a time', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => body(''));
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 250);
    await salon.createDeliverer().deliverDue();
    const beforeMs = salon.clock.nowMs + 1;
    salon.clock.nowMs += dayMs;
    const kept = await salon.addEvents(id, 2);
    const { database } = salon;
    expect(await dropOldDeliveries(database, beforeMs - 1)).toBe(false);
    expect(await salon.readDeliveries(id)).toHaveLength(252);
    expect(await dropOldDeliveries(database, beforeMs)).toBe(true);
    expect(await salon.readDeliveries(id)).toHaveLength(52);
    expect(await dropOldDeliveries(database, beforeMs)).toBe(true);
    expect(await dropOldDeliveries(database, beforeMs)).toBe(false);
    expect((await salon.readDeliveries(id)).map(({ event_id }) => event_id)).toEqual(kept);
    const events = await database.reader.selectFrom('events').select('id').orderBy('seq').execute();
    expect(events.map((event) => event.id)).toEqual(kept);
    expect(await database.reader.selectFrom('delivery_attempts').selectAll().execute()).toEqual([]);
  });
});
