import { deliverySchedule } from '../../contract/delivery.ts';
import type { disabledReasons } from '../../contract/webhook.ts';
import type { Database } from '../db/database.ts';
import {
  type ClaimedDelivery,
  cancelDeliveries,
  type DeliveryState,
  finishAttempt,
  maxCancelled,
  readFirstAttemptMs,
  type WebhookTarget,
} from '../db/delivery-queue.ts';
import type { Writer } from '../db/engine.ts';
import { updateRecords } from '../db/records.ts';
import { readActiveWebhook } from '../db/webhooks.ts';
import type { Environment } from '../domain/context.ts';
import { nextUpdatedAt } from '../domain/records.ts';
import type { WebhookResponse } from './webhook-sender.ts';

type DisabledReason = (typeof disabledReasons)[number];

/** One try that was made, and what came of it. */
export interface DeliveryAttemptResult {
  readonly receiver: WebhookTarget;
  readonly delivery: ClaimedDelivery;
  readonly reply: WebhookResponse;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** A receiver's way to say that it wants nothing more. Source: Standard Webhooks 1.0, as RFC 9110 means it. */
const gone = 410;

/**
 * Writes down a try with all that follows from it, in one transaction: the delivery ends or is due again; a receiver
 * that is gone, or to which a delivery has used up its tries, is told nothing more. Nothing is written where the
 * lease ran out meanwhile and the delivery is another's. Answers why the webhook was switched off, if it was.
 */
export function recordAttempt(
  { database, environment }: { readonly database: Database; readonly environment: Environment },
  made: DeliveryAttemptResult,
): Promise<DisabledReason | undefined> {
  const { delivery, reply, startedMs, endedMs } = made;
  const status = 'status' in reply ? reply.status : null;
  const error = toError(reply);
  return database.transaction(async (tx) => {
    const isGone = status === gone;
    const standing = error === null ? delivered : await toStanding(tx, made, { isGone, environment });
    const attempt = { at_ms: startedMs, status_code: status, error, duration_ms: endedMs - startedMs };
    const isOurs = await finishAttempt(tx, delivery, { attempt, state: standing });
    const isOver = isOurs && standing.status === 'failed';
    return isOver ? disable(tx, made, isGone ? 'gone' : 'exhausted') : undefined;
  });
}

/**
 * Gives up a piece of what is still on its way to a webhook that was switched off, and answers whether there may be
 * more. One that is on again meanwhile keeps what it is told since.
 */
export function failPendingDeliveries(
  { database, environment }: { readonly database: Database; readonly environment: Environment },
  receiver: WebhookTarget,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if ((await readActiveWebhook(tx, toKey(receiver))) !== undefined) return false;
    const nowMs = environment.now().getTime();
    return (
      (await cancelDeliveries(tx, { webhookId: receiver.id, nowMs, limit: maxCancelled })) === maxCancelled
    );
  });
}

const delivered: DeliveryState = { status: 'delivered', nextMs: null };

async function toStanding(
  tx: Writer,
  { receiver, delivery, reply, startedMs, endedMs }: DeliveryAttemptResult,
  { isGone, environment }: { readonly isGone: boolean; readonly environment: Environment },
): Promise<DeliveryState> {
  const isTold = (await readActiveWebhook(tx, toKey(receiver))) !== undefined;
  const nextMs =
    isGone || !isTold
      ? undefined
      : toNextAttemptMs({
          begunMs: (await readFirstAttemptMs(tx, delivery)) ?? startedMs,
          endedMs,
          made: delivery.attempts + 1,
          retryAfter: 'status' in reply ? reply.retryAfter : undefined,
          chance: (environment.random(1)[0] ?? 0) / 256,
        });
  return nextMs === undefined ? { status: 'failed', nextMs: null } : { status: 'pending', nextMs };
}

/** Switches a webhook off; undefined where it is off already. */
async function disable(
  tx: Writer,
  { receiver, endedMs }: DeliveryAttemptResult,
  reason: DisabledReason,
): Promise<DisabledReason | undefined> {
  const text = await readActiveWebhook(tx, toKey(receiver));
  if (text === undefined) return undefined;
  const webhook = JSON.parse(text);
  const updated_at = nextUpdatedAt(webhook, new Date(endedMs));
  const record = JSON.stringify({ ...webhook, active: false, disabled_reason: reason, updated_at });
  const { account_id, id } = receiver;
  const row = { account_id, id, active: 0, record, updated_ms: Date.parse(updated_at) } as const;
  await updateRecords(tx, 'webhooks', [row]);
  await cancelDeliveries(tx, { webhookId: receiver.id, nowMs: endedMs, limit: maxCancelled });
  return reason;
}

function toKey({ account_id, id }: WebhookTarget): { accountId: string; id: string } {
  return { accountId: account_id, id };
}

/** Whether a try counts as made: the receiver answered 2xx. */
export function isSuccess(reply: WebhookResponse): boolean {
  return toError(reply) === null;
}

/** Why a try counts as failed; null where it does not. */
function toError(reply: WebhookResponse): string | null {
  if ('failure' in reply) return reply.failure;
  const { status } = reply;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}; redirects are not followed.`;
  return status === gone ? 'It answered 410: it wants nothing more.' : `It answered ${status}.`;
}

/** The most that is added to a pause, as a share of it, so that what failed together does not come back together. */
const jitterShare = 0.05;

const endMs = deliverySchedule[deliverySchedule.length - 1] ?? 0;

/** A try that failed. */
export interface FailedAttempt {
  /** When the first try was made. */
  readonly begunMs: number;
  /** When this one came to its end. */
  readonly endedMs: number;
  /** How many were made, this one among them. */
  readonly made: number;
  /** When the receiver asks to be called again at the earliest, as it wrote it. */
  readonly retryAfter?: string | undefined;
  /** From 0 to 1. */
  readonly chance: number;
}

/**
 * When the next try is due, in Unix milliseconds; undefined where the tries are used up. The schedule is counted from
 * the first try. Where that moment is over, because the service stood still, what is left keeps its pauses. What
 * the receiver asks for is respected up to the schedule's end.
 */
export function toNextAttemptMs({
  begunMs,
  endedMs,
  made,
  retryAfter,
  chance,
}: FailedAttempt): number | undefined {
  const plannedMs = deliverySchedule[made];
  if (plannedMs === undefined) return undefined;
  const pauseMs = plannedMs - (deliverySchedule[made - 1] ?? 0);
  const dueMs = begunMs + plannedMs > endedMs ? begunMs + plannedMs : endedMs + pauseMs;
  const askedMs = Math.min(parseRetryAfter(retryAfter, endedMs), begunMs + endMs);
  return Math.ceil(Math.max(dueMs + pauseMs * jitterShare * chance, askedMs));
}

/** The moment in a `Retry-After`, seconds or a date (RFC 9110, 10.2.3); the past where it cannot be read. */
function parseRetryAfter(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text.trim())) return nowMs + Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : date;
}
