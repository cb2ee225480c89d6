import { type Delivery, noWebhook, type RedeliveryCount } from '../../contract/delivery.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import {
  type AccountLogRow,
  readDeliveryLogPage,
  readDeliveryRow,
  readRecentDeliveries,
  requeueDeliveries,
} from '../db/deliveries/delivery-log.ts';
import { readLastEvent } from '../db/deliveries/events.ts';
import type { Reader } from '../db/engine.ts';
import type { Condition, FilterColumn } from '../db/rows.ts';
import { recordAudit } from './audit.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { writeEvent } from './events.ts';
import { cutPage, type PageOfRecords, parsePaging, toConditions, toDataJson } from './list-page.ts';
import { findStoredRecord, notFound } from './records.ts';
import { assertValidBody, invalidField, parseBound } from './validation.ts';
import { transact } from './write-record.ts';

/** One page of the deliveries to all webhooks, or of the events that none was subscribed to. Throws `invalid_parameter`. */
export async function listAllDeliveries(context: Context, query: QueryOf<'listAllDeliveries'>) {
  authorize(context.caller, 'listAllDeliveries');
  return readLogPage(context, query);
}

/** One page of a webhook's deliveries, oldest first. Throws `not_found` and `invalid_parameter`. */
export async function listDeliveries(context: Context, webhookId: string, query: QueryOf<'listDeliveries'>) {
  authorize(context.caller, 'listDeliveries');
  return readLogPage(context, query, webhookId);
}

async function readLogPage(
  { database, caller }: Context,
  query: QueryOf<'listAllDeliveries'>,
  webhookId?: string,
): Promise<PageOfRecords> {
  const accountId = caller.account.id;
  const { status, event_type, ...ranges } = query;
  const isWithoutWebhook = status === noWebhook;
  const isEqual = (column: FilterColumn, value?: string): Condition[] =>
    value === undefined ? [] : [{ column, is: '=', value }];
  const conditions = [
    ...toConditions(ranges, { ranges: { created_from: 'created_ms', created_to: 'created_ms' } }),
    ...(isWithoutWebhook ? [] : isEqual('status', status)),
    ...isEqual('type', event_type),
    ...isEqual('webhook_id', webhookId),
  ];
  const paging = parsePaging([accountId, 'deliveries', webhookId], query);
  if (webhookId !== undefined) {
    await findStoredRecord(database.reader, caller, { collection: 'webhooks', id: webhookId });
  }
  const { from, perPage } = paging;
  const request = { accountId, isWithoutWebhook, conditions, from, limit: perPage + 1 };
  const found = await readDeliveryLogPage(database.scan(accountId), request);
  const { shown, ...page } = cutPage(paging, found, ({ webhook_id, event_seq }) => {
    const ofAll = webhookId === undefined ? webhook_id : undefined;
    return { value: ofAll ?? event_seq, seq: event_seq };
  });
  return { ...page, dataJson: toDataJson(shown.map(toDelivery)) };
}

/** The latest deliveries of a webhook, newest first, or the latest of them with a failed attempt. Throws `not_found`. */
export async function listRecentDeliveries(
  context: Context,
  webhookId: string,
  { limit, isFailed }: { limit: number; isFailed: boolean },
): Promise<Delivery[]> {
  const { reader } = context.database;
  const accountId = context.caller.account.id;
  authorize(context.caller, 'listDeliveries');
  await findStoredRecord(reader, context.caller, { collection: 'webhooks', id: webhookId });
  return (await readRecentDeliveries(reader, { accountId, webhookId, limit, isFailed })).map(toDelivery);
}

/** Sends a test event to one webhook. Throws `not_found`, and `validation_failed` when it is disabled. */
export async function testWebhook(context: Context, webhookId: string): Promise<Delivery> {
  const accountId = context.caller.account.id;
  return transact(context, 'testWebhook', async (tx) => {
    await assertActive(tx, context, webhookId);
    const data = { resource: 'webhook', object: { id: webhookId } };
    const event = { accountId, webhookIds: [webhookId], type: 'webhook.test', data } as const;
    const last = await readLastEvent(tx, accountId);
    const { deliveryIds } = await writeEvent(tx, context.environment, event, last);
    await recordAudit(tx, context, { action: 'webhook.tested', id: webhookId });
    return readDelivery(tx, context, String(deliveryIds[0]));
  });
}

/**
 * Queues one delivery of any status again; one in flight is left alone.
 * Throws `not_found`, and `validation_failed` when nothing can be sent.
 */
export async function redeliver(context: Context, id: string): Promise<Delivery> {
  const accountId = context.caller.account.id;
  return transact(context, 'redeliver', async (tx) => {
    const { webhook_id: webhookId, event } = await readDelivery(tx, context, id);
    await assertActive(tx, context, webhookId);
    if (event === null) throw invalidField('', 'The event was erased with its client.', 'not_found');
    const nowMs = context.environment.now().getTime();
    await requeueDeliveries(tx, { accountId, webhookId, nowMs, id, fromMs: 0 });
    const details = { delivery_id: id };
    await recordAudit(tx, context, { action: 'webhook.redelivered', id: webhookId, details });
    return readDelivery(tx, context, id);
  });
}

/** Queues a webhook's deliveries of a period again, except erased ones. Throws `not_found` and `validation_failed`. */
export async function redeliverSome(
  context: Context,
  webhookId: string,
  body: BodyOf<'redeliverSome'>,
): Promise<RedeliveryCount> {
  const { database, environment, caller } = context;
  authorize(caller, 'redeliverSome');
  const accountId = caller.account.id;
  const violations: Violation[] = [];
  const fromMs = parseBound('/created_from', body.created_from, violations) ?? 0;
  const toMs = parseBound('/created_to', body.created_to, violations);
  assertValidBody(violations);
  return database.transaction({ accountId }, async (tx) => {
    await assertActive(tx, context, webhookId);
    const nowMs = environment.now().getTime();
    const chosen = { accountId, webhookId, nowMs, status: body.status, fromMs, toMs };
    const redelivered = await requeueDeliveries(tx, chosen);
    const details = { deliveries: redelivered, ...body };
    await recordAudit(tx, context, { action: 'webhook.redelivered', id: webhookId, details });
    return { redelivered };
  });
}

async function readDelivery(reader: Reader, { caller }: Context, id: string): Promise<Delivery> {
  const found = await readDeliveryRow(reader, { accountId: caller.account.id, id });
  if (found === undefined) throw notFound('delivery', id);
  return toDelivery(found);
}

/** Deliveries to a disabled webhook would be cancelled. */
async function assertActive(reader: Reader, { caller }: Context, id: string): Promise<void> {
  const { record } = await findStoredRecord(reader, caller, { collection: 'webhooks', id });
  if (!record.active) throw invalidField('', `The webhook ${id} is disabled. Enable it first.`, 'inactive');
}

function toDelivery<Row extends AccountLogRow>(row: Row) {
  return {
    id: row.id,
    webhook_id: row.webhook_id as Row['webhook_id'],
    event_id: row.event_id,
    event_type: row.type,
    status: row.status as Row['status'],
    next_attempt_at: row.next_ms === null ? null : toTime(row.next_ms),
    attempts: row.attempts.map(({ at_ms, ...attempt }) => ({ ...attempt, at: toTime(at_ms) })),
    event: (row.body === null ? null : JSON.parse(row.body)) as Delivery['event'],
    created_at: toTime(row.created_ms),
    updated_at: toTime(row.updated_ms),
  };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
