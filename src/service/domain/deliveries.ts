import {
  type Delivery,
  type DeliveryAttempt,
  noWebhook,
  type RedeliveryCount,
} from '../../contract/delivery.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import {
  type AccountLogRow,
  type AttemptLogRow,
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
import {
  cutPage,
  type ListFilters,
  type PageOfRecords,
  parsePaging,
  toConditions,
  toDataJson,
} from './list-page.ts';
import { findStoredRecord, notFound } from './records.ts';
import { assertValidBody, invalidBody, parseRangeBound } from './validation.ts';

const filters: ListFilters = {
  equal: [],
  statuses: [],
  ranges: [
    { parameter: 'created_from', edge: 'begin', column: 'created_ms' },
    { parameter: 'created_to', edge: 'end', column: 'created_ms' },
  ],
};

/** One page of the deliveries to all webhooks, or of the events that none was subscribed to. Throws `invalid_parameter`. */
export async function listAllDeliveries(
  context: Context,
  query: QueryOf<'listAllDeliveries'>,
): Promise<PageOfRecords> {
  authorize(context.caller, 'listAllDeliveries');
  return readLogPage(context, query, undefined);
}

/** One page of a webhook's deliveries, oldest first. Throws `not_found` and `invalid_parameter`. */
export async function listDeliveries(
  context: Context,
  webhookId: string,
  query: QueryOf<'listDeliveries'>,
): Promise<PageOfRecords> {
  authorize(context.caller, 'listDeliveries');
  return readLogPage(context, query, webhookId);
}

async function readLogPage(
  context: Context,
  query: QueryOf<'listAllDeliveries'>,
  webhookId: string | undefined,
): Promise<PageOfRecords> {
  const { database, caller } = context;
  const accountId = caller.account.id;
  const { status, event_type, ...ranges } = query;
  const isWithoutWebhook = status === noWebhook;
  const isEqual = (column: FilterColumn, value?: string): Condition[] =>
    value === undefined ? [] : [{ column, is: '=', value }];
  const conditions = [
    ...toConditions(ranges, filters),
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
  const { database, caller } = context;
  const { reader } = database;
  authorize(caller, 'listDeliveries');
  await findStoredRecord(reader, caller, { collection: 'webhooks', id: webhookId });
  return (
    await readRecentDeliveries(reader, { accountId: caller.account.id, webhookId, limit, isFailed })
  ).map(toDelivery);
}

/** Sends a test event to one webhook. Throws `not_found`, and `validation_failed` when it is disabled. */
export async function testWebhook(context: Context, webhookId: string): Promise<Delivery> {
  const { database, environment, caller } = context;
  authorize(caller, 'testWebhook');
  const accountId = caller.account.id;
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    await assertActive(tx, context, webhookId);
    const data = { resource: 'webhook', object: { id: webhookId } };
    const event = { type: 'webhook.test', data } as const;
    const target = { accountId, webhookIds: [webhookId] };
    const last = await readLastEvent(tx, accountId);
    const ids = await writeEvent(tx, environment, { ...target, ...event }, last);
    await recordAudit(tx, context, { action: 'webhook.tested', id: webhookId });
    return readDelivery(tx, context, String(ids[0]));
  });
}

/**
 * Queues one delivery of any status again; one in flight is left alone.
 * Throws `not_found`, and `validation_failed` when nothing can be sent.
 */
export async function redeliver(context: Context, id: string): Promise<Delivery> {
  const { database, environment, caller } = context;
  authorize(caller, 'redeliver');
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    const { webhook_id: webhookId, event } = await readDelivery(tx, context, id);
    await assertActive(tx, context, webhookId);
    if (event === null) {
      const detail = 'The event was erased with its client.';
      throw invalidBody([{ pointer: '', code: 'not_found', detail }]);
    }
    await requeueDeliveries(tx, {
      accountId: caller.account.id,
      webhookId,
      nowMs: environment.now().getTime(),
      id,
    });
    await recordAudit(tx, context, {
      ...{ action: 'webhook.redelivered', id: webhookId },
      details: { delivery_id: id },
    });
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
  const range = parseRange(body);
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    await assertActive(tx, context, webhookId);
    const nowMs = environment.now().getTime();
    const redelivered = await requeueDeliveries(tx, {
      accountId: caller.account.id,
      webhookId,
      nowMs,
      status: body.status,
      ...range,
    });
    await recordAudit(tx, context, {
      ...{ action: 'webhook.redelivered', id: webhookId },
      details: { deliveries: redelivered, ...body },
    });
    return { redelivered };
  });
}

function parseRange(body: BodyOf<'redeliverSome'>): { fromMs: number; toMs: number | undefined } {
  const violations: Violation[] = [];
  const parse = (name: 'created_from' | 'created_to', edge: 'begin' | 'end') => {
    const text = body[name];
    const ms = text === undefined ? undefined : parseRangeBound(text, edge);
    if (text !== undefined && ms === undefined) {
      const detail = `/${name} must be an RFC 3339 time with a time zone, or a date.`;
      violations.push({ pointer: `/${name}`, code: 'invalid_format', detail });
    }
    return ms;
  };
  const range = { fromMs: parse('created_from', 'begin') ?? 0, toMs: parse('created_to', 'end') };
  assertValidBody(violations);
  return range;
}

async function readDelivery(reader: Reader, { caller }: Context, id: string): Promise<Delivery> {
  const found = await readDeliveryRow(reader, { accountId: caller.account.id, id });
  if (found === undefined) {
    throw notFound('delivery', id);
  }
  return toDelivery(found);
}

/** Deliveries to a disabled webhook would be cancelled. */
async function assertActive(reader: Reader, { caller }: Context, id: string): Promise<void> {
  const { record } = await findStoredRecord(reader, caller, { collection: 'webhooks', id });
  if (!record.active) {
    const detail = `The webhook ${id} is disabled. Enable it first.`;
    throw invalidBody([{ pointer: '', code: 'inactive', detail }]);
  }
}

function toDelivery<Row extends AccountLogRow>(row: Row) {
  return {
    id: row.id,
    webhook_id: row.webhook_id as Row['webhook_id'],
    event_id: row.event_id,
    event_type: row.type,
    status: row.status as Row['status'],
    next_attempt_at: row.next_ms === null ? null : toTime(row.next_ms),
    attempts: row.attempts.map(toAttempt),
    event: (row.body === null ? null : JSON.parse(row.body)) as Delivery['event'],
    created_at: toTime(row.created_ms),
    updated_at: toTime(row.updated_ms),
  };
}

function toAttempt({ at_ms, ...attempt }: AttemptLogRow): DeliveryAttempt {
  return { ...attempt, at: toTime(at_ms) };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
