import { type Engine, readColumn, readFirst, type Writer } from '../engine.ts';
import type { RecordRows } from '../record-rows.ts';
import {
  attemptCounts,
  type ClaimedDelivery,
  cancelDeliveries,
  type DeliveryQueueKey,
  maxCancelled,
} from './delivery-queue.ts';
import type { EventRow } from './events.ts';

/** A claimed delivery with what to send. */
export interface DueDelivery extends ClaimedDelivery {
  readonly eventId: string;
  readonly body: string;
}

export type DeliveryTarget = RecordRows['webhooks'];

export interface ClaimedBatch {
  readonly target: DeliveryTarget;
  readonly deliveries: readonly DueDelivery[];
}

export interface ClaimRequest extends DeliveryQueueKey {
  readonly nowMs: number;
  readonly leasedUntilMs: number;
  /** How many deliveries to the webhook may be in flight at once, over all processes. */
  readonly maxInFlight: number;
  /** How many this claim may take. */
  readonly limit: number;
}

/**
 * Selects due deliveries of one webhook. Those with the most attempts come first: an event to a dead receiver uses up its
 * attempts on schedule, however many others are pending.
 */
const dueTexts: Readonly<Record<Engine['kind'], (limit: number) => string>> = {
  sqlite: (limit) => `
    counts (made) as (values ${attemptCounts}),
    due (event_seq) as materialized (
      select d.event_seq from counts cross join deliveries as d
      where d.account_id = ? and d.webhook_id = ? and d.attempts = counts.made and d.next_ms <= ?
        and d.leased_until_ms <= ?
      limit ${limit})`,
  // Deliveries that another transaction is changing are left to it.
  postgres: (limit) => `
    counts (made) as (values ${attemptCounts}),
    due (event_seq) as materialized (
      select found.event_seq from counts cross join lateral (
        select d.event_seq from deliveries as d
        where d.account_id = ? and d.webhook_id = ? and d.attempts = counts.made and d.next_ms <= ?
          and d.leased_until_ms <= ?
        order by d.next_ms limit ${limit} for no key update skip locked) as found
      limit ${limit})`,
};

/** Finds the webhook unless another process is claiming deliveries of it: together they might exceed its limit. */
const claimingText = 'select id from webhooks where account_id = ? and id = ? for no key update skip locked';

const targetText = `select account_id, id, record, secret, former_secret, former_secret_until_ms from webhooks
  where account_id = ? and id = ? and active = 1`;

const inFlightText = `select count(*) from deliveries
  where account_id = ? and webhook_id = ? and leased_until_ms > 0 and leased_until_ms > ?`;

interface ClaimedRow {
  readonly event_seq: number;
  readonly id: string;
  /** Made since it was last queued. */
  readonly attempts: number;
}

const byAttempts = (a: ClaimedRow, b: ClaimedRow) => b.attempts - a.attempts || a.event_seq - b.event_seq;

/**
 * Claims due deliveries of one webhook. Undefined when there are none, enough are in flight, or another process is claiming
 * some. When the webhook is deleted or disabled, cancels some of its pending deliveries instead.
 */
export async function claimDeliveries(
  tx: Writer,
  kind: Engine['kind'],
  request: ClaimRequest,
): Promise<ClaimedBatch | undefined> {
  const { accountId, webhookId, nowMs, leasedUntilMs } = request;
  const key = [accountId, webhookId];
  const target = await readFirst<DeliveryTarget>(tx, targetText, key);
  if (target === undefined) {
    await cancelDeliveries(tx, { accountId, webhookId, nowMs, limit: maxCancelled });
    return undefined;
  }
  if (kind === 'postgres' && (await tx.run(claimingText, key)).length === 0) return undefined;
  const [inFlight = 0] = await readColumn<number>(tx, inFlightText, [...key, nowMs]);
  const room = Math.min(request.limit, request.maxInFlight - inFlight);
  if (room <= 0) return undefined;
  const text = `with ${dueTexts[kind](room)}
    update deliveries set leased_until_ms = ?
    where account_id = ? and webhook_id = ? and event_seq in (select event_seq from due)
    returning event_seq, id, attempts`;
  const claimed = await tx.run<ClaimedRow>(text, [...key, nowMs, nowMs, leasedUntilMs, ...key]);
  if (claimed.length === 0) return undefined;
  return { target, deliveries: await addBodies(tx, request, claimed.toSorted(byAttempts)) };
}

async function addBodies(
  tx: Writer,
  { accountId, webhookId, nowMs, leasedUntilMs }: ClaimRequest,
  claimed: readonly ClaimedRow[],
): Promise<DueDelivery[]> {
  const text = `select seq, id, body from events
    where account_id = ? and seq in (${claimed.map(() => '?').join(', ')})`;
  const seqs = claimed.map(({ event_seq }) => event_seq);
  type Row = Pick<EventRow, 'id' | 'body'> & { readonly seq: number };
  const rows = await tx.run<Row>(text, [accountId, ...seqs]);
  const events = new Map(rows.map((row) => [row.seq, row]));
  const deliveries: DueDelivery[] = [];
  for (const { event_seq: eventSeq, id, attempts } of claimed) {
    const event = events.get(eventSeq);
    const key = { accountId, eventSeq, webhookId };
    if (event === undefined || event.body === null) {
      const cancel = `update deliveries set status = 'failed', next_ms = null, leased_until_ms = 0, updated_ms = ?
        where account_id = ? and event_seq = ? and webhook_id = ?`;
      await tx.run(cancel, [nowMs, ...Object.values(key)]);
    } else {
      deliveries.push({ ...key, id, attempts, leasedUntilMs, eventId: event.id, body: event.body });
    }
  }
  return deliveries;
}
