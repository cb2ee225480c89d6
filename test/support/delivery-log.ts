import type { Delivery, DeliveryStatus } from '../../src/contract/delivery.ts';
import type { QueryOf } from '../../src/contract/endpoints.ts';
import type { Tables } from '../../src/service/db/tables.ts';
import { listDeliveries, testWebhook } from '../../src/service/domain/deliveries.ts';
import { addWebhook } from './event-log.ts';
import { openTestSalon, type TestSalon } from './salon.ts';

type Row = Tables['deliveries'];

/** One page of a webhook's deliveries. */
export async function readLog(salon: TestSalon, id: string, query: QueryOf<'listDeliveries'> = {}) {
  const { dataJson, ...page } = await listDeliveries(salon.as(), id, query);
  const data: Delivery[] = JSON.parse(dataJson.toString());
  return { ...page, data };
}

/** Records the attempts of a delivery, as a worker does. */
export async function settle({ store }: TestSalon, id: string, change: Partial<Row>): Promise<void> {
  await store.database.transaction('service', async (tx) => {
    const { attempts = 0 } = change;
    const query = tx.selectFrom('deliveries').select(['account_id', 'event_seq', 'webhook_id']);
    const key = await query.where('id', '=', id).executeTakeFirstOrThrow();
    for (let number = 1; number <= attempts; number++) {
      const made = { number, at_ms: number, status_code: 500, error: 'HTTP 500.', duration_ms: 7 };
      await tx
        .insertInto('delivery_attempts')
        .values({ ...key, ...made })
        .execute();
    }
    const settled = { next_ms: null, ...change };
    await tx.updateTable('deliveries').set(settled).where('id', '=', id).execute();
  });
}

/** A salon whose webhook has a delivery every hour from 12:00. */
export async function openSalonWithLog(statuses: readonly DeliveryStatus[]) {
  const salon = await openTestSalon();
  const webhookId = await addWebhook(salon);
  const ids: string[] = [];
  for (const [hours, status] of statuses.entries()) {
    salon.environment.setTime(`2026-11-21T${12 + hours}:00:00.000Z`);
    const { id } = await testWebhook(salon.as(), webhookId);
    if (status !== 'pending') await settle(salon, id, { status, attempts: 1 });
    ids.push(id);
  }
  return { salon, webhookId, ids };
}
