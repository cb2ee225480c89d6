import type { Delivery, DeliveryStatus } from '../../src/contract/delivery.ts';
import type { QueryOf } from '../../src/contract/endpoints.ts';
import type { EventType } from '../../src/contract/events.ts';
import { toInsert, toUpdate } from '../../src/service/db/rows.ts';
import { listDeliveries, testWebhook } from '../../src/service/domain/deliveries.ts';
import { addWebhook } from './event-log.ts';
import { openTestSalon, type TestSalon } from './salon.ts';

/** A row of the deliveries. */
export interface StoredDelivery {
  readonly account_id: string;
  readonly event_seq: number;
  readonly webhook_id: string;
  readonly id: string;
  readonly type: EventType;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly next_ms: number | null;
  readonly leased_until_ms: number;
  readonly created_ms: number;
  readonly updated_ms: number;
}

/** One page of a webhook's deliveries. */
export async function readLog(salon: TestSalon, id: string, query: QueryOf<'listDeliveries'> = {}) {
  const { dataJson, ...page } = await listDeliveries(salon.as(), id, query);
  const data: Delivery[] = JSON.parse(dataJson.toString());
  return { ...page, data };
}

/** Records the attempts of a delivery, as a worker does. */
export async function settle(
  { store }: TestSalon,
  id: string,
  change: Partial<StoredDelivery>,
): Promise<void> {
  await store.database.transaction('service', async (tx) => {
    const { attempts = 0 } = change;
    type Key = Pick<StoredDelivery, 'account_id' | 'event_seq' | 'webhook_id'>;
    const text = 'select account_id, event_seq, webhook_id from deliveries where id = ?';
    const [key] = await tx.run<Key>(text, [id]);
    if (key === undefined) throw new Error(`There is no delivery ${id}.`);
    for (let number = 1; number <= attempts; number++) {
      const made = { number, at_ms: number, status_code: 500, error: 'HTTP 500.', duration_ms: 7 };
      await tx.run(...toInsert('delivery_attempts', [{ ...key, ...made }]));
    }
    const settled = { next_ms: null, ...change };
    await tx.run(...toUpdate('deliveries', settled, { id }));
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
