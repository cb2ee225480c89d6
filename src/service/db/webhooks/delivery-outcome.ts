import type { DeliveryStatus } from '../../../contract/delivery.ts';
import type { Writer } from '../engine.ts';
import { type Attempt, noteAttempt } from './delivery-attempts.ts';
import type { ClaimedDelivery } from './delivery-queue.ts';

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
  const [first] = await tx.run<{ at_ms: number }>(text, [id, attempts - 1]);
  return first?.at_ms;
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
  const text = `update deliveries
    set status = ?, next_ms = ?, attempts = ?, leased_until_ms = 0, updated_ms = ?
    where seq = ? and leased_until_ms = ? returning seq`;
  const values = [
    standing.status,
    standing.nextMs,
    attempts + 1,
    attempt.at_ms + attempt.duration_ms,
    seq,
    leasedUntilMs,
  ];
  const settled = await tx.run(text, values);
  if (settled.length === 0) return false;
  await noteAttempt(tx, id, attempt);
  return true;
}

/** The JSON text of a webhook that is switched on; undefined where there is none. */
export async function readActiveWebhook(
  tx: Writer,
  { accountId, id }: { accountId: string; id: string },
): Promise<string | undefined> {
  const text = 'select record from webhooks where account_id = ? and id = ? and active = 1';
  const [webhook] = await tx.run<{ record: string }>(text, [accountId, id]);
  return webhook?.record;
}
