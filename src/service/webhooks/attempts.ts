import { deliverySchedule } from '../../contract/delivery.ts';
import type { disabledReasons } from '../../contract/webhook.ts';
import { maskSecrets } from '../../text/mask-secrets.ts';
import type { DeliveryTarget, DueDelivery } from '../db/deliveries/delivery-claims.ts';
import {
  cancelDeliveries,
  type DeliveryState,
  finishAttempt,
  maxCancelled,
  readFirstAttemptMs,
} from '../db/deliveries/delivery-queue.ts';
import type { Writer } from '../db/engine.ts';
import { type RecordKey, updateRecords } from '../db/records/records.ts';
import { readActiveWebhook } from '../db/records/webhooks.ts';
import { recordByService } from '../domain/audit.ts';
import type { Context, Environment } from '../domain/context.ts';
import { keptResponseBytes } from '../domain/limits.ts';
import { nextUpdatedAt, toStoredRow } from '../domain/records.ts';
import type { WebhookResponse } from './webhook-sender.ts';

type DisabledReason = (typeof disabledReasons)[number];

/** A claimed delivery and the webhook it goes to. */
export interface AddressedDelivery {
  readonly target: DeliveryTarget;
  readonly delivery: DueDelivery;
}

/** One attempt to deliver, and its response. */
export interface FinishedAttempt extends AddressedDelivery {
  readonly response: WebhookResponse;
  readonly startedMs: number;
  readonly endedMs: number;
}

type RecordContext = Pick<Context, 'database' | 'environment'>;

/** The receiver wants no more events. Source: Standard Webhooks 1.0. */
const gone = 410;

/**
 * Records an attempt and its consequences in one transaction: the delivery is finished or its next attempt scheduled,
 * and a webhook that is gone or has no attempts left is disabled. Writes nothing if the lease has expired and another
 * process has the delivery. Returns why the webhook was disabled, if it was.
 */
export function recordAttempt(
  { database, environment }: RecordContext,
  finished: FinishedAttempt,
): Promise<DisabledReason | undefined> {
  const { delivery, response, startedMs, endedMs } = finished;
  const { status = null, body } = 'status' in response ? response : {};
  const error = toError(response);
  const isGone = status === gone;
  // Disabling a webhook changes more of its account than the row of the delivery.
  const mayDisable = error !== null && (isGone || deliverySchedule[delivery.attempts + 1] === undefined);
  const lock = mayDisable ? { accountId: delivery.accountId } : 'rows';
  return database.transaction(lock, async (tx) => {
    const state = error === null ? delivered : await toFailedState(tx, finished, { isGone, environment });
    const ran = { at_ms: startedMs, duration_ms: endedMs - startedMs };
    const attempt = { ...ran, status_code: status, error, response: body ? toKeptResponse(body) : null };
    const isRecorded = await finishAttempt(tx, delivery, { attempt, state });
    if (!isRecorded || !mayDisable) return undefined;
    return disableWebhook(tx, environment, { ...finished, reason: isGone ? 'gone' : 'exhausted' });
  });
}

/**
 * Cancels a batch of the pending deliveries of a disabled webhook. Returns whether there may be more. Does nothing if
 * the webhook is enabled again.
 */
export function cancelPending(
  { database, environment }: RecordContext,
  target: DeliveryTarget,
): Promise<boolean> {
  const { account_id: accountId, id: webhookId } = target;
  return database.transaction({ accountId }, async (tx) => {
    if ((await readActiveWebhook(tx, toKey(target))) !== undefined) return false;
    const nowMs = environment.now().getTime();
    const cancelled = await cancelDeliveries(tx, { accountId, webhookId, nowMs, limit: maxCancelled });
    return cancelled === maxCancelled;
  });
}

const delivered: DeliveryState = { status: 'delivered', nextMs: null };
const failed: DeliveryState = { status: 'failed', nextMs: null };

async function toFailedState(
  tx: Writer,
  { target, delivery, response, startedMs, endedMs }: FinishedAttempt,
  { isGone, environment }: { readonly isGone: boolean; readonly environment: Environment },
): Promise<DeliveryState> {
  const isActive = (await readActiveWebhook(tx, toKey(target))) !== undefined;
  if (isGone || !isActive) return failed;
  const nextMs = toNextAttemptMs({
    firstAttemptMs: (await readFirstAttemptMs(tx, delivery)) ?? startedMs,
    endedMs,
    attempts: delivery.attempts + 1,
    retryAfter: 'status' in response ? response.retryAfter : undefined,
    random: (environment.random(1)[0] ?? 0) / 256,
  });
  return nextMs === undefined ? failed : { status: 'pending', nextMs };
}

/** Returns the reason, or undefined if the webhook was disabled already. */
async function disableWebhook(
  tx: Writer,
  environment: Environment,
  { target, endedMs, reason }: FinishedAttempt & { readonly reason: DisabledReason },
): Promise<DisabledReason | undefined> {
  const text = await readActiveWebhook(tx, toKey(target));
  if (text === undefined) return undefined;
  const webhook = JSON.parse(text);
  const updated_at = nextUpdatedAt(webhook, new Date(endedMs));
  const disabled = { ...webhook, active: false, disabled_reason: reason, updated_at };
  const { account_id: accountId, id } = target;
  await updateRecords(tx, 'webhooks', [toStoredRow(accountId, 'webhooks', disabled)]);
  const entry = { accountId, action: 'webhook.disabled', id, former: webhook, object: disabled } as const;
  await recordByService(tx, environment, entry);
  await cancelDeliveries(tx, { accountId, webhookId: id, nowMs: endedMs, limit: maxCancelled });
  return reason;
}

function toKey({ account_id, id }: DeliveryTarget): RecordKey {
  return { accountId: account_id, id };
}

/** Whether the receiver returned 2xx. */
export function isSuccess(response: WebhookResponse): boolean {
  return toError(response) === null;
}

/** The start of a response body, without what looks like a secret, also one that the end of the start cuts. */
export function toKeptResponse(body: Uint8Array): string | null {
  const text = new TextDecoder()
    .decode(body, { stream: true })
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
    .trim();
  const masked = maskSecrets(text);
  const kept = new TextDecoder().decode(Buffer.from(masked).subarray(0, keptResponseBytes), { stream: true });
  return masked === '' ? null : kept === masked ? kept : `${kept}…`;
}

/** Why an attempt failed; null if it did not. */
function toError(response: WebhookResponse): string | null {
  if ('failure' in response) return response.failure;
  const { status } = response;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `HTTP ${status}. Redirects are not followed.`;
  return status === gone ? 'HTTP 410. The webhook was disabled.' : `HTTP ${status}.`;
}

/** The maximum random delay, as a share of the scheduled one, so that failed deliveries are not all retried at once. */
const jitterShare = 0.05;

const scheduleEndMs = deliverySchedule.at(-1) ?? 0;

interface FailedAttempt {
  readonly firstAttemptMs: number;
  readonly endedMs: number;
  /** So far, including this one. */
  readonly attempts: number;
  readonly retryAfter?: string | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * When the next attempt is due, in Unix milliseconds; undefined if there are none left. The schedule starts with the
 * first attempt. If the service was down at the scheduled time, the remaining attempts keep their intervals.
 * `Retry-After` is respected up to the end of the schedule.
 */
export function toNextAttemptMs(failed: FailedAttempt): number | undefined {
  const { firstAttemptMs, endedMs, attempts, retryAfter, random } = failed;
  const offsetMs = deliverySchedule[attempts];
  if (offsetMs === undefined) return undefined;
  const intervalMs = offsetMs - (deliverySchedule[attempts - 1] ?? 0);
  const scheduledMs = firstAttemptMs + offsetMs;
  const dueMs = scheduledMs > endedMs ? scheduledMs : endedMs + intervalMs;
  const retryAfterMs = Math.min(parseRetryAfter(retryAfter, endedMs), firstAttemptMs + scheduleEndMs);
  return Math.ceil(Math.max(dueMs + intervalMs * jitterShare * random, retryAfterMs));
}

/** The time in a `Retry-After` header, seconds or a date (RFC 9110, 10.2.3); 0 if it is missing or invalid. */
function parseRetryAfter(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text.trim())) return nowMs + Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : date;
}
