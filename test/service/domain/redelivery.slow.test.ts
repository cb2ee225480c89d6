import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { delivery } from '../../../src/contract/delivery.ts';
import { toUpdate } from '../../../src/service/db/rows.ts';
import { deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import { redeliver, redeliverSome, testWebhook } from '../../../src/service/domain/deliveries.ts';
import { deleteWebhook, updateWebhook } from '../../../src/service/domain/webhooks.ts';
import { openSalonWithLog, readLog, settle } from '../../support/delivery-log.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon } from '../../support/salon.ts';

const validator = Compile(delivery);

describe('a redelivery', () => {
  it.each(['failed', 'delivered'] as const)(
    'of a %s delivery starts again and keeps earlier attempts',
    async (status) => {
      const { salon: opened, webhookId, ids } = await openSalonWithLog([status, 'failed']);
      await using salon = opened;
      salon.environment.setTime('2026-11-22T09:00:00.000Z');
      const again = await redeliver(salon.as(), String(ids[0]));
      const now = '2026-11-22T09:00:00.000Z';
      expect(again).toMatchObject({ status: 'pending', next_attempt_at: now, updated_at: now });
      expect(again.attempts).toHaveLength(1);
      const { data } = await readLog(salon, webhookId);
      expect(data).toMatchObject([again, { status: 'failed' }]);
      const text = 'select attempts from deliveries where id = ?';
      expect(await salon.store.database.reader.run(text, [again.id])).toEqual([{ attempts: 0 }]);
    },
  );

  it('does not interrupt an attempt in progress', async () => {
    const { salon: opened, webhookId, ids } = await openSalonWithLog(['failed']);
    await using salon = opened;
    const nowMs = salon.environment.now().getTime();
    const underWay = { status: 'pending', attempts: 4, next_ms: 1, leased_until_ms: nowMs + 1 } as const;
    await salon.store.database.transaction('service', (tx) =>
      tx.run(...toUpdate('deliveries', underWay, { webhook_id: webhookId })),
    );
    await redeliver(salon.as(), String(ids[0]));
    await redeliverSome(salon.as(), webhookId, { created_from: '2026-01-01' });
    const rows = await salon.store.database.reader.run('select * from deliveries', []);
    expect(rows).toMatchObject([underWay]);
  });

  it.each([
    [{ created_from: '2026-11-21' }, [0, 1, 2, 3]],
    [{ created_from: '2026-11-21T13:00:00Z' }, [1, 2, 3]],
    [{ created_from: '2026-11-21T12:00:00Z', created_to: '2026-11-21T14:00:00Z' }, [0, 1]],
    [{ created_from: '2026-11-21', status: 'failed' }, [0, 3]],
    [{ created_from: '2026-11-22' }, []],
  ] as const)('of the range %o begins the deliveries %o', async (range, places) => {
    const {
      salon: opened,
      webhookId,
      ids,
    } = await openSalonWithLog(['failed', 'delivered', 'delivered', 'failed']);
    await using salon = opened;
    const other = await addWebhook(salon);
    await testWebhook(salon.as(), other);
    const begun = await redeliverSome(salon.as(), webhookId, { ...range });
    expect(begun).toEqual({ redelivered: places.length });
    const { data } = await readLog(salon, webhookId, { status: 'pending' });
    expect(data.map(({ id }) => ids.indexOf(id))).toEqual(places);
  });

  it('of an invalid period is refused', async () => {
    await using salon = await openTestSalon();
    const id = await addWebhook(salon);
    await expect(
      redeliverSome(salon.as(), id, { created_from: 'monday', created_to: '2026-13-01' }),
    ).rejects.toMatchObject({ violations: [{ pointer: '/created_from' }, { pointer: '/created_to' }] });
  });

  it('to a disabled webhook is refused, and to a deleted one not found', async () => {
    const { salon: opened, webhookId, ids } = await openSalonWithLog(['failed']);
    await using salon = opened;
    await updateWebhook(salon.as(), webhookId, { change: { active: false } });
    for (const refused of [
      redeliver(salon.as(), String(ids[0])),
      redeliverSome(salon.as(), webhookId, { created_from: '2026-01-01' }),
    ]) {
      await expect(refused).rejects.toMatchObject({ violations: [{ code: 'inactive' }] });
    }
    await deleteWebhook(salon.as(), webhookId);
    await expect(redeliver(salon.as(), String(ids[0]))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an erased client', () => {
  it('leaves no personal data in events, deliveries and their log', async () => {
    await using salon = await openTestSalon();
    const webhookId = await addWebhook(salon);
    const client_id = await salon.addClient({ first_name: 'Adelheid', email: 'adelheid@example.org' });
    await updateClient(salon.as(), client_id, { change: { last_name: 'Zwetschge' } });
    await salon.addAppointment({ client_id });
    const kept = await salon.addClient({ first_name: 'Bo' });
    const [created] = (await readLog(salon, webhookId)).data;
    await settle(salon, String(created?.id), { status: 'delivered', attempts: 1 });

    await deleteClient(salon.as(), client_id, { force: true });
    const { reader } = salon.store.database;
    const stored = JSON.stringify([
      await reader.run('select * from events', []),
      await reader.run('select * from deliveries', []),
      await reader.run('select * from delivery_attempts', []),
    ]);
    expect(stored).not.toMatch(/adelheid|zwetschge/i);

    const { data } = await readLog(salon, webhookId);
    const about = (type: string) => data.filter(({ event_type }) => event_type === type);
    expect(about('client.created')).toMatchObject([
      { status: 'delivered', event: null, attempts: [{ status_code: 500 }] },
      { status: 'pending', event: { data: { object: { id: kept } } } },
    ]);
    expect(about('client.updated')).toMatchObject([
      {
        ...{ status: 'failed', next_attempt_at: null, event: null },
        attempts: [{ number: 1, status_code: null, error: 'The client was erased.' }],
      },
    ]);
    expect(about('booking.created')).toMatchObject([{ status: 'pending' }]);
    expect(about('client.deleted')).toMatchObject([{ event: { data: { object: { id: client_id } } } }]);
    for (const one of data) expect(validator.Errors(one)[1]).toEqual([]);

    const erased = redeliver(salon.as(), String(created?.id));
    await expect(erased).rejects.toMatchObject({ violations: [{ code: 'not_found' }] });
    const { redelivered } = await redeliverSome(salon.as(), webhookId, { created_from: '2026-01-01' });
    expect(redelivered).toBe(data.filter(({ event }) => event !== null).length);
  });
});
