import { CompiledQuery } from 'kysely';
import type { DeliveryStatus } from '../../../contract/delivery.ts';
import type { Writer } from '../engine.ts';
import { changeRecords } from '../lists/collections.ts';
import type { Tables } from '../tables.ts';
import type { ClaimedDelivery } from './delivery-queue.ts';

/** A try that was made, but for its number. */
export type Attempt = Omit<Tables['delivery_attempts'], 'delivery_id' | 'number'>;

/** How a delivery stands after a try. */
export interface Standing {
  readonly status: DeliveryStatus;
  /** When the next try is due; null where none is to come. */
  readonly nextMs: number | null;
}

/** When the first try since a delivery was last begun was made; undefined where there was none. */
export async function readBegunMs(
  tx: Writer,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
): Promise<number | undefined> {
  if (attempts === 0) return undefined;
  const text = `select at_ms from delivery_attempts where delivery_id = ?
    order by number desc limit 1 offset ?`;
  const { rows } = await tx.executeQuery<{ at_ms: number }>(CompiledQuery.raw(text, [id, attempts - 1]));
  return rows[0]?.at_ms;
}

/**
 * Ends a lease with what came of it. Answers whether the lease was still the caller's; where somebody else has
 * taken over, nothing is written.
 */
export async function settleDelivery(
  tx: Writer,
  { seq, id, attempts, leasedUntilMs }: ClaimedDelivery,
  { attempt, standing }: { attempt: Attempt; standing: Standing },
): Promise<boolean> {
  const { at_ms, status_code, error, duration_ms } = attempt;
  const text = `update deliveries
    set status = ?, next_ms = ?, attempts = ?, leased_until_ms = 0, updated_ms = ?
    where seq = ? and leased_until_ms = ?`;
  const values = [standing.status, standing.nextMs, attempts + 1, at_ms + duration_ms, seq, leasedUntilMs];
  const { numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(text, values));
  if (numAffectedRows !== 1n) return false;
  await tx.executeQuery(
    CompiledQuery.raw(
      `insert into delivery_attempts (delivery_id, number, at_ms, status_code, error, duration_ms)
        select ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? from delivery_attempts where delivery_id = ?`,
      [id, at_ms, status_code, error, duration_ms, id],
    ),
  );
  return true;
}

/** How a webhook looks that is switched off. */
export interface DisabledWebhook {
  readonly accountId: string;
  readonly id: string;
  readonly updatedMs: number;
  /** The JSON text as it is answered from now on. */
  readonly record: string;
}

/** The JSON text of a webhook that is switched on; undefined where there is none. */
export async function readActiveWebhook(
  tx: Writer,
  { accountId, id }: { accountId: string; id: string },
): Promise<string | undefined> {
  const text = 'select record from webhooks where account_id = ? and id = ? and active = 1';
  const { rows } = await tx.executeQuery<{ record: string }>(CompiledQuery.raw(text, [accountId, id]));
  return rows[0]?.record;
}

export function disableWebhook(tx: Writer, webhook: DisabledWebhook): Promise<void> {
  const replace = ({ accountId, id, updatedMs, record }: DisabledWebhook) =>
    tx.executeQuery(
      CompiledQuery.raw(
        'update webhooks set active = 0, record = ?, updated_ms = ? where account_id = ? and id = ?',
        [record, updatedMs, accountId, id],
      ),
    );
  const place = { accountId: webhook.accountId, collection: 'webhooks' } as const;
  return changeRecords(tx, place, { rows: [webhook], replace });
}
