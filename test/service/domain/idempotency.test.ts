import { describe, expect, it } from 'vitest';
import { deleteExpiredResults } from '../../../src/service/db/records/idempotency.ts';
import { createBlockedTime, deleteBlockedTime } from '../../../src/service/domain/blocked-times.ts';
import { addClient, deleteClient, listClients } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { redeliver } from '../../../src/service/domain/deliveries.ts';
import { createIdempotency } from '../../../src/service/domain/idempotency.ts';
import { deleteWebhook } from '../../../src/service/domain/webhooks.ts';
import { readLog } from '../../support/delivery-log.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { readStored } from '../../support/stored-text.ts';

function addOnce(salon: TestSalon, key: string, body: object = { first_name: 'Ada' }) {
  const act = (context: Context) => addClient(context, body);
  return createIdempotency()(salon.as(), { key, digest: 'digest' }, act);
}

async function countKeys({ store }: TestSalon): Promise<number> {
  const { reader } = store.database;
  return (await reader.run('select key from idempotency_keys', [])).length;
}

describe('a request with an idempotency key', () => {
  it('is rolled back with its key when the transaction fails', async () => {
    await using salon = await openTestSalon();
    const act = (context: Context) =>
      context.database.transaction('service', async (tx) => {
        await tx.run('insert into accounts select * from accounts', []);
      });
    await expect(createIdempotency()(salon.as(), { key: 'k', digest: 'digest' }, act)).rejects.toThrow();
    expect(await countKeys(salon)).toBe(0);
    expect(await addOnce(salon, 'k')).toMatchObject({ isReplay: false });
  });

  it('can be repeated after a failure', async () => {
    await using salon = await openTestSalon();
    const runOnce = createIdempotency();
    const request = { key: 'k', digest: 'digest' };
    const refused = runOnce(salon.as(), request, (context) => addClient(context, { notes: 'nobody' }));
    await expect(refused).rejects.toMatchObject({ code: 'validation_failed' });
    const made = runOnce(salon.as(), request, (context) => addClient(context, { first_name: 'Ada' }));
    expect(await made).toMatchObject({ isReplay: false });
  });

  it('is forgotten after a day', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    await addOnce(salon, 'old-0');
    // One more than are deleted at a time.
    const copy = `insert into idempotency_keys
      select account_id, cast(? as text), request, record_id, client_id, answer, kept_ms
      from idempotency_keys where key = 'old-0'`;
    await database.transaction('service', async (tx) => {
      for (let number = 1; number <= 500; number += 1) await tx.run(copy, [`old-${number}`]);
    });
    salon.environment.setTime('2026-11-22T12:00:00.001Z');
    await addOnce(salon, 'new');
    expect(await addOnce(salon, 'old-0')).toMatchObject({ isReplay: false });
    const expiredBeforeMs = Date.parse('2026-11-21T12:00:00.001Z');
    expect(await deleteExpiredResults(database, expiredBeforeMs)).toBe(true);
    expect(await deleteExpiredResults(database, expiredBeforeMs)).toBe(false);
    expect(await countKeys(salon)).toBe(2);
    expect(await addOnce(salon, 'new')).toMatchObject({ isReplay: true });
  });

  it('keeps no personal data of a deleted client', async () => {
    await using salon = await openTestSalon();
    const { result } = await addOnce(salon, 'k', { last_name: 'Vanishing-Surname' });
    await deleteClient(salon.as(), result.id, { force: false });
    await expect(addOnce(salon, 'k')).rejects.toMatchObject({ code: 'not_found' });
    expect((await listClients(salon.as(), {})).total).toBe(0);
    await salon.store.database.close();
    expect(await readStored(salon.store.location)).not.toMatch(/vanishing/i);
  });

  it('keeps the result of blocked time without the note once it is unblocked', async () => {
    await using salon = await openTestSalon();
    const times = { start_time: '2026-12-01T10:00:00Z', end_time: '2026-12-01T12:00:00Z' };
    const act = (context: Context) =>
      createBlockedTime(context, { stylist_id: null, ...times, note: 'Vanishing-Note' });
    const blockOnce = (key: string) => createIdempotency()(salon.as(), { key, digest: 'digest' }, act);
    const { result } = await blockOnce('k');
    await blockOnce('other');
    await deleteBlockedTime(salon.as(), result.id);
    expect(await blockOnce('k')).toEqual({ result: { ...result, note: null }, isReplay: true });
    expect(await blockOnce('other')).toMatchObject({ result: { note: 'Vanishing-Note' } });
  });

  it('keeps the result of a redelivery without the event of a deleted client', async () => {
    await using salon = await openTestSalon();
    const webhookId = await addWebhook(salon);
    const clientId = await salon.addClient({ last_name: 'Vanishing-Surname' });
    const [logged] = (await readLog(salon, webhookId)).data;
    const again = () =>
      createIdempotency()(salon.as(), { key: 'k', digest: 'r' }, (context) =>
        redeliver(context, logged?.id ?? ''),
      );
    const { result } = await again();
    expect(JSON.stringify(result.event)).toContain('Vanishing');
    await deleteWebhook(salon.as(), webhookId, {});
    await deleteClient(salon.as(), clientId, { force: false });
    expect(await again()).toEqual({ result: { ...result, event: null }, isReplay: true });
    await salon.store.database.close();
    expect(await readStored(salon.store.location)).not.toMatch(/vanishing/i);
  });
});
