import { type DeliveryStatus, deliverySchedule } from '../../contract/delivery.ts';
import type { Reader, Writer } from './engine.ts';
import { insertAttempt, type NewAttempt } from './events.ts';
import type { Tables } from './tables.ts';

/** A webhook with pending deliveries, and when the first of them is due. */
export interface WebhookQueue {
  readonly webhookId: string;
  readonly nextMs: number;
}

/** A delivery that only its claimer may attempt until `leasedUntilMs`. */
export interface ClaimedDelivery {
  readonly seq: number;
  readonly id: string;
  /** Attempts made since it was last queued. */
  readonly attempts: number;
  readonly eventId: string;
  /** JSON text to send. */
  readonly body: string;
  readonly leasedUntilMs: number;
}

/** The webhook that deliveries go to. */
export type DeliveryTarget = Pick<
  Tables['webhooks'],
  'account_id' | 'id' | 'record' | 'secret' | 'former_secret' | 'former_secret_until_ms'
>;

export interface ClaimedBatch {
  readonly target: DeliveryTarget;
  readonly deliveries: readonly ClaimedDelivery[];
}

export interface ClaimRequest {
  readonly webhookId: string;
  readonly nowMs: number;
  readonly leasedUntilMs: number;
  /** How many deliveries to the webhook may be in flight at once, over all processes. */
  readonly maxInFlight: number;
  /** How many this claim may take. */
  readonly limit: number;
}

/** A delivery's state after an attempt. */
export interface DeliveryState {
  readonly status: DeliveryStatus;
  /** When the next attempt is due; null when there is none. */
  readonly nextMs: number | null;
}

/** Every number of attempts a pending delivery can have, the highest first. */
const attemptCounts = deliverySchedule
  .map((_, made) => `(${made})`)
  .reverse()
  .join(', ');

/** Takes one step for each webhook and number of attempts, however many deliveries are pending. */
const queueText = `
  with recursive
    queued (webhook_id) as (
      select min(webhook_id) from deliveries where next_ms is not null
      union all
      select (select min(d.webhook_id) from deliveries as d
        where d.next_ms is not null and d.webhook_id > queued.webhook_id)
      from queued where queued.webhook_id is not null),
    counts (made) as materialized (values ${attemptCounts})
  select queued.webhook_id as webhookId, min((select min(d.next_ms) from deliveries as d
    where d.webhook_id = queued.webhook_id and d.attempts = counts.made and d.next_ms is not null)) as nextMs
  from queued cross join counts where queued.webhook_id is not null group by queued.webhook_id`;

/** Every webhook with pending deliveries. */
export function readQueues(reader: Pick<Reader, 'run'>): Promise<WebhookQueue[]> {
  return reader.run<WebhookQueue>(queueText, []);
}

interface DueRow extends Omit<ClaimedDelivery, 'body' | 'leasedUntilMs'> {
  readonly accountId: string;
  readonly body: string | null;
}

/**
 * Deliveries with the most attempts come first: an event to a dead receiver uses up its attempts on schedule, however
 * many others are pending.
 */
const dueText = `
  with counts (made) as (values ${attemptCounts})
  select d.seq, d.id, d.attempts, d.account_id as accountId, e.id as eventId, e.body
  from counts cross join deliveries as d join events as e on e.seq = d.event_seq
  where d.webhook_id = ? and d.attempts = counts.made and d.next_ms <= ? and d.leased_until_ms <= ?
  limit ?`;

/**
 * Claims due deliveries of one webhook. Undefined when there are none or enough are in flight. When the webhook is
 * deleted or disabled, cancels some of its pending deliveries instead.
 */
export async function claimDeliveries(tx: Writer, request: ClaimRequest): Promise<ClaimedBatch | undefined> {
  const { webhookId, nowMs, leasedUntilMs } = request;
  const room = Math.min(request.limit, request.maxInFlight - (await countInFlight(tx, request)));
  const due = room > 0 ? await tx.run<DueRow>(dueText, [webhookId, nowMs, nowMs, room]) : [];
  const [first] = due;
  if (first === undefined) return undefined;
  const target = await readTarget(tx, { accountId: first.accountId, webhookId });
  if (target === undefined) {
    await cancelDeliveries(tx, { webhookId, nowMs, limit: maxCancelled });
    return undefined;
  }
  const deliveries: ClaimedDelivery[] = [];
  for (const { seq, id, attempts, eventId, body } of due) {
    if (body === null) {
      await tx.run(`${cancel} where seq = ?`, [nowMs, seq]);
      continue;
    }
    await tx.run('update deliveries set leased_until_ms = ? where seq = ?', [leasedUntilMs, seq]);
    deliveries.push({ seq, id, attempts, eventId, body, leasedUntilMs });
  }
  return { target, deliveries };
}

/** Returns deliveries that were claimed and not attempted to the queue. */
export async function releaseDeliveries(tx: Writer, claimed: readonly ClaimedDelivery[]): Promise<void> {
  for (const { seq, leasedUntilMs } of claimed) {
    const text = 'update deliveries set leased_until_ms = 0 where seq = ? and leased_until_ms = ?';
    await tx.run(text, [seq, leasedUntilMs]);
  }
}

const cancel = "update deliveries set status = 'failed', next_ms = null, leased_until_ms = 0, updated_ms = ?";

/** Small enough for a short transaction. */
export const maxCancelled = 200;

/** Cancels pending deliveries to a webhook, except those in flight. Returns how many. */
export async function cancelDeliveries(
  tx: Writer,
  { webhookId, nowMs, limit = -1 }: { webhookId: string; nowMs: number; limit?: number },
): Promise<number> {
  const pending = `select seq from deliveries
    where webhook_id = ? and next_ms is not null and leased_until_ms <= ? limit ?`;
  const values = [nowMs, webhookId, nowMs, limit];
  return (await tx.run(`${cancel} where seq in (${pending}) returning seq`, values)).length;
}

/** When the first attempt since a delivery was last queued was made; undefined when there was none. */
export async function readFirstAttemptMs(
  tx: Writer,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
): Promise<number | undefined> {
  if (attempts === 0) return undefined;
  const text = `select at_ms from delivery_attempts where delivery_id = ?
    order by number desc limit 1 offset ?`;
  const [first] = await tx.run<{ at_ms: number }>(text, [id, attempts - 1]);
  return first?.at_ms;
}

/** Records an attempt and ends its lease. Returns false, and writes nothing, when the lease was lost. */
export async function finishAttempt(
  tx: Writer,
  { seq, id, attempts, leasedUntilMs }: ClaimedDelivery,
  { attempt, state }: { attempt: NewAttempt; state: DeliveryState },
): Promise<boolean> {
  const text = `update deliveries
    set status = ?, next_ms = ?, attempts = ?, leased_until_ms = 0, updated_ms = ?
    where seq = ? and leased_until_ms = ? returning seq`;
  const updatedMs = attempt.at_ms + attempt.duration_ms;
  const values = [state.status, state.nextMs, attempts + 1, updatedMs, seq, leasedUntilMs];
  if ((await tx.run(text, values)).length === 0) return false;
  await insertAttempt(tx, id, attempt);
  return true;
}

async function countInFlight(tx: Writer, { webhookId, nowMs }: ClaimRequest): Promise<number> {
  const text = `select count(*) as leased from deliveries
    where webhook_id = ? and leased_until_ms > 0 and leased_until_ms > ?`;
  const [row] = await tx.run<{ leased: number }>(text, [webhookId, nowMs]);
  return row?.leased ?? 0;
}

async function readTarget(
  tx: Writer,
  { accountId, webhookId }: { accountId: string; webhookId: string },
): Promise<DeliveryTarget | undefined> {
  const text = `select account_id, id, record, secret, former_secret, former_secret_until_ms from webhooks
    where account_id = ? and id = ? and active = 1`;
  const [row] = await tx.run<DeliveryTarget>(text, [accountId, webhookId]);
  return row;
}
