import { type DeliveryStatus, deliverySchedule } from '../../contract/delivery.ts';
import type { Database } from './database.ts';
import type { Writer } from './engine.ts';
import { insertAttempt, type NewAttempt } from './events.ts';
import type { Tables } from './tables.ts';

/** A webhook to which something is on its way, and when the first of it is due. */
export interface WebhookQueue {
  readonly webhookId: string;
  readonly nextMs: number;
}

/** A delivery that is its claimer's alone until `leasedUntilMs`. */
export interface ClaimedDelivery {
  readonly seq: number;
  readonly id: string;
  /** Tries made since it was last begun. */
  readonly attempts: number;
  readonly eventId: string;
  /** JSON text as it is sent. */
  readonly body: string;
  readonly leasedUntilMs: number;
}

/** The webhook that deliveries go to. */
export type WebhookTarget = Pick<
  Tables['webhooks'],
  'account_id' | 'id' | 'record' | 'secret' | 'former_secret' | 'former_secret_until_ms'
>;

export interface ClaimedBatch {
  readonly target: WebhookTarget;
  readonly deliveries: readonly ClaimedDelivery[];
}

export interface ClaimRequest {
  readonly webhookId: string;
  readonly nowMs: number;
  readonly leasedUntilMs: number;
  /** How many of the webhook may be under way at the same time, in all processes. */
  readonly maxInFlight: number;
  /** How many of them this claim may take. */
  readonly limit: number;
}

/** Every number of tries a delivery on its way can have behind it, the most first. */
const tries = deliverySchedule
  .map((_, made) => `(${made})`)
  .reverse()
  .join(', ');

/** From webhook to webhook and from one number of tries to the next: a step each, however many deliveries wait. */
const queueText = `
  with recursive
    queued (webhook_id) as (
      select min(webhook_id) from deliveries where next_ms is not null
      union all
      select (select min(d.webhook_id) from deliveries as d
        where d.next_ms is not null and d.webhook_id > queued.webhook_id)
      from queued where queued.webhook_id is not null),
    tries (made) as materialized (values ${tries})
  select queued.webhook_id as webhookId, min((select min(d.next_ms) from deliveries as d
    where d.webhook_id = queued.webhook_id and d.attempts = tries.made and d.next_ms is not null)) as nextMs
  from queued cross join tries where queued.webhook_id is not null group by queued.webhook_id`;

/** Every webhook to which something is on its way. */
export function readQueues({ read }: Pick<Database, 'read'>): Promise<WebhookQueue[]> {
  return read<WebhookQueue>(queueText, {});
}

interface DueRow extends Omit<ClaimedDelivery, 'body' | 'leasedUntilMs'> {
  readonly accountId: string;
  readonly body: string | null;
}

/**
 * What was tried most often comes first: the tries of one event to a dead receiver are used up in time, however
 * many wait behind it.
 */
const dueText = `
  with tries (made) as (values ${tries})
  select d.seq, d.id, d.attempts, d.account_id as accountId, e.id as eventId, e.body
  from tries cross join deliveries as d join events as e on e.seq = d.event_seq
  where d.webhook_id = ? and d.attempts = tries.made and d.next_ms <= ? and d.leased_until_ms <= ?
  limit ?`;

/**
 * Takes deliveries of one webhook that are due and nobody else's. Undefined where there are none, as many are
 * under way as may be, or the webhook is gone or off; what is on its way to it then comes to an end, a piece at a time.
 */
export async function claimDeliveries(tx: Writer, request: ClaimRequest): Promise<ClaimedBatch | undefined> {
  const { webhookId, nowMs, leasedUntilMs } = request;
  const underWay = await countUnderWay(tx, request);
  const room = Math.min(request.limit, request.maxInFlight - underWay);
  const due = room > 0 ? await tx.run<DueRow>(dueText, [webhookId, nowMs, nowMs, room]) : [];
  const [first] = due;
  if (first === undefined) return undefined;
  const receiver = await readReceiver(tx, { accountId: first.accountId, webhookId });
  if (receiver === undefined) {
    await cancelDeliveries(tx, { webhookId, nowMs, most: maxCancelled });
    return undefined;
  }
  const deliveries: ClaimedDelivery[] = [];
  for (const { seq, id, attempts, eventId, body } of due) {
    if (body === null) {
      await tx.run(`${stop} where seq = ?`, [nowMs, seq]);
      continue;
    }
    await tx.run('update deliveries set leased_until_ms = ? where seq = ?', [leasedUntilMs, seq]);
    deliveries.push({ seq, id, attempts, eventId, body, leasedUntilMs });
  }
  return { target: receiver, deliveries };
}

/** Gives deliveries back that were claimed and not tried: they are due as before. */
export async function releaseDeliveries(tx: Writer, claimed: readonly ClaimedDelivery[]): Promise<void> {
  for (const { seq, leasedUntilMs } of claimed) {
    const text = 'update deliveries set leased_until_ms = 0 where seq = ? and leased_until_ms = ?';
    await tx.run(text, [seq, leasedUntilMs]);
  }
}

const stop = "update deliveries set status = 'failed', next_ms = null, leased_until_ms = 0, updated_ms = ?";

/** Small enough that nobody waits long for the transaction. */
export const maxCancelled = 200;

/**
 * Gives up what is on its way to a webhook, but for what is just being tried: all of it, or a piece. Answers how much
 * that was.
 */
export async function cancelDeliveries(
  tx: Writer,
  { webhookId, nowMs, most = -1 }: { webhookId: string; nowMs: number; most?: number },
): Promise<number> {
  const stopped = `select seq from deliveries
    where webhook_id = ? and next_ms is not null and leased_until_ms <= ? limit ?`;
  const rows = await tx.run(`${stop} where seq in (${stopped}) returning seq`, [
    nowMs,
    webhookId,
    nowMs,
    most,
  ]);
  return rows.length;
}

async function countUnderWay(tx: Writer, { webhookId, nowMs }: ClaimRequest): Promise<number> {
  const text = `select count(*) as leased from deliveries
    where webhook_id = ? and leased_until_ms > 0 and leased_until_ms > ?`;
  const [row] = await tx.run<{ leased: number }>(text, [webhookId, nowMs]);
  return row?.leased ?? 0;
}

async function readReceiver(
  tx: Writer,
  { accountId, webhookId }: { accountId: string; webhookId: string },
): Promise<WebhookTarget | undefined> {
  const text = `select account_id, id, record, secret, former_secret, former_secret_until_ms from webhooks
    where account_id = ? and id = ? and active = 1`;
  const [row] = await tx.run<WebhookTarget>(text, [accountId, webhookId]);
  return row;
}

/** How a delivery stands after a try. */
export interface DeliveryState {
  readonly status: DeliveryStatus;
  /** When the next try is due; null where none is to come. */
  readonly nextMs: number | null;
}

/** When the first try since a delivery was last begun was made; undefined where there was none. */
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

/**
 * Ends a lease with what came of it. Answers whether the lease was still the caller's; where somebody else has
 * taken over, nothing is written.
 */
export async function finishAttempt(
  tx: Writer,
  { seq, id, attempts, leasedUntilMs }: ClaimedDelivery,
  { attempt, standing }: { attempt: NewAttempt; standing: DeliveryState },
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
  await insertAttempt(tx, id, attempt);
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
