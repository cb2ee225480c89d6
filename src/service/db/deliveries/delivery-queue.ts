import { type DeliveryStatus, deliverySchedule } from '../../../contract/delivery.ts';
import { type Reader, readColumn, type Writer } from '../engine.ts';
import type { SqlValue } from '../rows.ts';
import { type DeliveryKey, insertAttempt, type NewAttempt } from './events.ts';

export interface DeliveryQueueKey {
  readonly accountId: string;
  readonly webhookId: string;
}

/** A webhook with pending deliveries, and when the first of them is due. */
export interface WebhookQueue extends DeliveryQueueKey {
  readonly nextMs: number;
}

/** A delivery that only its claimer may attempt until `leasedUntilMs`. */
export interface ClaimedDelivery extends DeliveryKey {
  readonly id: string;
  /** Attempts made since it was last queued. */
  readonly attempts: number;
  readonly leasedUntilMs: number;
}

/** A delivery's state after an attempt. */
export interface DeliveryState {
  readonly status: DeliveryStatus;
  /** When the next attempt is due; null when there is none. */
  readonly nextMs: number | null;
}

/** Every number of attempts a pending delivery can have, the highest first. */
export const attemptCounts = deliverySchedule
  .map((_, made) => `(${made})`)
  .reverse()
  .join(', ');

const pending = 'from deliveries as d where d.next_ms is not null';

/** Takes a few steps for each webhook and number of attempts, however many deliveries are pending. */
const queueText = `
  with recursive
    account (id) as (
      select min(d.account_id) ${pending}
      union all
      select (select min(d.account_id) ${pending} and d.account_id > account.id)
      from account where account.id is not null),
    queue (account_id, webhook_id) as (
      select account.id, (select min(d.webhook_id) ${pending} and d.account_id = account.id)
      from account where account.id is not null
      union all
      select queue.account_id, (select min(d.webhook_id) ${pending}
        and d.account_id = queue.account_id and d.webhook_id > queue.webhook_id)
      from queue where queue.webhook_id is not null),
    counts (made) as materialized (values ${attemptCounts})
  select queue.account_id as "accountId", queue.webhook_id as "webhookId", min((select min(d.next_ms) ${pending}
      and d.account_id = queue.account_id and d.webhook_id = queue.webhook_id and d.attempts = counts.made))
    as "nextMs"
  from queue cross join counts where queue.webhook_id is not null group by queue.account_id, queue.webhook_id`;

/** Every webhook with pending deliveries. */
export function readQueues(reader: Reader): Promise<WebhookQueue[]> {
  return reader.run<WebhookQueue>(queueText, []);
}

const isHeld = 'account_id = ? and event_seq = ? and webhook_id = ? and leased_until_ms = ?';

function toHeld({ accountId, eventSeq, webhookId, leasedUntilMs }: ClaimedDelivery): SqlValue[] {
  return [accountId, eventSeq, webhookId, leasedUntilMs];
}

/** Returns deliveries that were claimed and not attempted to the queue. */
export async function releaseDeliveries(tx: Writer, claimed: readonly ClaimedDelivery[]): Promise<void> {
  for (const delivery of claimed) {
    await tx.run(`update deliveries set leased_until_ms = 0 where ${isHeld}`, toHeld(delivery));
  }
}

/** Small enough for a short transaction. */
export const maxCancelled = 200;

/** Cancels pending deliveries to a webhook, except those in flight; all without a limit. Returns how many. */
export async function cancelDeliveries(
  tx: Writer,
  which: DeliveryQueueKey & { readonly nowMs: number; readonly limit?: number },
): Promise<number> {
  const { accountId, webhookId, nowMs, limit } = which;
  const text = `update deliveries set status = 'failed', next_ms = null, leased_until_ms = 0, updated_ms = ?
    where account_id = ? and webhook_id = ? and event_seq in (
      select event_seq from deliveries
      where account_id = ? and webhook_id = ? and next_ms is not null and leased_until_ms <= ?
      ${limit === undefined ? '' : `limit ${limit}`})
    returning event_seq`;
  const key = [accountId, webhookId];
  return (await tx.run(text, [nowMs, ...key, ...key, nowMs])).length;
}

/** When the first attempt since a delivery was last queued was made; undefined when there was none. */
export async function readFirstAttemptMs(
  tx: Writer,
  { accountId, eventSeq, webhookId, attempts }: ClaimedDelivery,
): Promise<number | undefined> {
  if (attempts === 0) return undefined;
  const text = `select at_ms from delivery_attempts where account_id = ? and event_seq = ? and webhook_id = ?
    order by number desc limit 1 offset ?`;
  return (await readColumn<number>(tx, text, [accountId, eventSeq, webhookId, attempts - 1]))[0];
}

/** Records an attempt and ends its lease. Returns false, and writes nothing, when the lease was lost. */
export async function finishAttempt(
  tx: Writer,
  delivery: ClaimedDelivery,
  { attempt, state }: { attempt: NewAttempt; state: DeliveryState },
): Promise<boolean> {
  const text = `update deliveries
    set status = ?, next_ms = ?, attempts = ?, leased_until_ms = 0, updated_ms = ?
    where ${isHeld} returning event_seq`;
  const updatedMs = attempt.at_ms + attempt.duration_ms;
  const values = [state.status, state.nextMs, delivery.attempts + 1, updatedMs];
  if ((await tx.run(text, [...values, ...toHeld(delivery)])).length === 0) return false;
  await insertAttempt(tx, delivery, attempt);
  return true;
}

export async function countPending(reader: Reader, max: number): Promise<number> {
  const text = 'select count(*) from (select 1 from deliveries where next_ms is not null limit ?) as pending';
  const [count = 0] = await readColumn<number>(reader, text, [max]);
  return count;
}
