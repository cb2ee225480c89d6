import {
  type Delivery,
  type DeliveryAttempt,
  deliveryStatuses,
  type RedeliveryCount,
} from '../../contract/delivery.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import {
  type AttemptLogRow,
  type DeliveryLogRow,
  readDeliveryLogPage,
  readDeliveryRow,
  requeueDeliveries,
} from '../db/delivery-log.ts';
import type { Reader } from '../db/engine.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { writeEvent } from './events.ts';
import { type ListFilters, toConditions } from './filters.ts';
import { assertStorableQuery, type PageOfRecords, parsePaging } from './list-page.ts';
import { notFound } from './records.ts';
import { invalidBody, parseRangeBound } from './validation.ts';
import { readWebhook } from './webhooks.ts';

const filters: ListFilters = {
  equal: [],
  statuses: deliveryStatuses,
  edges: [
    { parameter: 'created_from', edge: 'begin', column: 'created_ms' },
    { parameter: 'created_to', edge: 'end', column: 'created_ms' },
  ],
};

/** One page of what was sent to a webhook, oldest first. Throws `not_found` and `invalid_parameter`. */
export async function listDeliveries(
  context: Context,
  webhookId: string,
  query: QueryOf<'listDeliveries'>,
): Promise<PageOfRecords> {
  const { database, caller } = context;
  authorize(caller, 'listDeliveries');
  assertStorableQuery(query);
  const conditions = toConditions(query, filters);
  const { page, perPage, from, renderNext } = parsePaging(
    [caller.account.id, 'deliveries', webhookId],
    query,
  );
  await readWebhook(database.reader, context, webhookId);
  // One more than the page holds tells whether more follow.
  const asked = { webhookId, conditions, from, limit: perPage + 1 };
  const { rows, total } = await readDeliveryLogPage(database.reader, asked);
  const shown = rows.slice(0, perPage);
  const last = rows.length > perPage ? shown.at(-1) : undefined;
  return {
    dataJson: Buffer.from(JSON.stringify(shown.map(toDelivery))),
    ...{ page, perPage, total },
    next: renderNext(last === undefined ? null : { value: last.event_seq, seq: last.event_seq }),
  };
}

/** Sends an event to one webhook that says no more than that. Throws `not_found`, and `validation_failed` where it is off. */
export async function testWebhook(context: Context, webhookId: string): Promise<Delivery> {
  const { database, environment, caller } = context;
  authorize(caller, 'testWebhook');
  const accountId = caller.account.id;
  return database.transaction(async (tx) => {
    await assertActive(tx, context, webhookId);
    const data = { resource: 'webhook', object: { id: webhookId } };
    const event = { type: 'webhook.test', data } as const;
    const [id = ''] = await writeEvent(tx, environment, { accountId, webhookIds: [webhookId], ...event });
    return readLogged(tx, context, id);
  });
}

/**
 * Lets one delivery begin anew, whatever became of it; one that is being tried just now goes on.
 * Throws `not_found`, and `validation_failed` where nothing can be sent.
 */
export async function redeliver(context: Context, id: string): Promise<Delivery> {
  const { database, environment, caller } = context;
  authorize(caller, 'redeliver');
  return database.transaction(async (tx) => {
    const { webhook_id: webhookId, event } = await readLogged(tx, context, id);
    await assertActive(tx, context, webhookId);
    if (event === null) {
      const detail = 'What was sent is not known any more: the client it is about was erased.';
      throw invalidBody([{ pointer: '', code: 'not_found', detail }]);
    }
    await requeueDeliveries(tx, { webhookId, nowMs: environment.now().getTime(), id });
    return readLogged(tx, context, id);
  });
}

/**
 * The same for the deliveries of a webhook that were made in a time. Passes over those whose event was erased.
 * Throws `not_found` and `validation_failed`.
 */
export async function redeliverSome(
  context: Context,
  webhookId: string,
  body: BodyOf<'redeliverSome'>,
): Promise<RedeliveryCount> {
  const { database, environment, caller } = context;
  authorize(caller, 'redeliverSome');
  const range = parseRange(body);
  return database.transaction(async (tx) => {
    await assertActive(tx, context, webhookId);
    const nowMs = environment.now().getTime();
    return { redelivered: await requeueDeliveries(tx, { webhookId, nowMs, status: body.status, ...range }) };
  });
}

function parseRange(body: BodyOf<'redeliverSome'>): { fromMs: number; toMs: number | undefined } {
  const violations: Violation[] = [];
  const parse = (name: 'created_from' | 'created_to', edge: 'begin' | 'end') => {
    const text = body[name];
    const ms = text === undefined ? undefined : parseRangeBound(text, edge);
    if (text !== undefined && ms === undefined) {
      const detail = `/${name} must be an RFC 3339 time with a zone, or a day.`;
      violations.push({ pointer: `/${name}`, code: 'invalid_format', detail });
    }
    return ms;
  };
  const range = { fromMs: parse('created_from', 'begin') ?? 0, toMs: parse('created_to', 'end') };
  if (violations.length > 0) {
    throw invalidBody(violations);
  }
  return range;
}

async function readLogged(reader: Reader, { caller }: Context, id: string): Promise<Delivery> {
  const found = await readDeliveryRow(reader, { accountId: caller.account.id, id });
  if (found === undefined) {
    throw notFound('delivery', id);
  }
  return toDelivery(found);
}

/** What is on its way to a webhook that is off is given up, so nothing is begun. */
async function assertActive(reader: Reader, context: Context, id: string): Promise<void> {
  const { webhook } = await readWebhook(reader, context, id);
  if (!webhook.active) {
    const detail = `The webhook ${id} is switched off; switch it on first.`;
    throw invalidBody([{ pointer: '', code: 'inactive', detail }]);
  }
}

/** A delivery as it is answered. */
export function toDelivery(row: DeliveryLogRow): Delivery {
  const attempts: AttemptLogRow[] = JSON.parse(row.attempts);
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.type,
    status: row.status,
    next_attempt_at: row.next_ms === null ? null : toInstant(row.next_ms),
    attempts: attempts.map(toAttempt),
    event: row.body === null ? null : JSON.parse(row.body),
    created_at: toInstant(row.created_ms),
    updated_at: toInstant(row.updated_ms),
  };
}

function toAttempt({ number, at_ms, status_code, error, duration_ms }: AttemptLogRow): DeliveryAttempt {
  return { number, at: toInstant(at_ms), status_code, error, duration_ms };
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
