import { CompiledQuery } from 'kysely';
import type { DeliveryStatus } from '../../contract/delivery.ts';
import type { Database } from './database.ts';
import type { Reader, Writer } from './engine.ts';
import { type Condition, renderCondition, type Values } from './lists/conditions.ts';
import type { Tables } from './tables.ts';

type Row = Tables['deliveries'];

/** A delivery with what was sent and every try that was made. */
export type DeliveryLogRow = Pick<
  Row,
  'id' | 'webhook_id' | 'event_seq' | 'type' | 'status' | 'next_ms' | 'created_ms' | 'updated_ms'
> & {
  readonly event_id: string;
  /** The body; null once the client it is about was erased. */
  readonly body: string | null;
  /** The tries as a JSON list, oldest first. */
  readonly tries: string;
};

/** A try as it stands in `tries`. */
export type AttemptLogRow = Omit<Tables['delivery_attempts'], 'delivery_id'>;

/** The log of one webhook, as much of it as the conditions let through, oldest first. */
export interface DeliveryLogRequest {
  readonly webhookId: string;
  readonly conditions: readonly Condition[];
  /** Where the page begins: after so many deliveries, or behind the one of an event. */
  readonly from: { readonly offset: number } | { readonly after: { readonly seq: number } };
  readonly limit: number;
}

/** Which deliveries of a webhook begin anew: one, or those of a time. */
export type Redelivery = { readonly webhookId: string; readonly nowMs: number } & (
  | { readonly id: string }
  | {
      readonly fromMs: number;
      readonly toMs: number | undefined;
      readonly status: DeliveryStatus | undefined;
    }
);

const columns = `id, webhook_id, event_seq, type, status, next_ms, created_ms, updated_ms,
  (select events.id from events where events.seq = event_seq) as event_id,
  (select body from events where events.seq = event_seq) as body,
  (select json_group_array(json_object('number', number, 'at_ms', at_ms, 'status_code', status_code,
      'error', error, 'duration_ms', duration_ms) order by number)
    from delivery_attempts where delivery_id = deliveries.id) as tries`;

/** Reads a page of a webhook's log and how much the conditions let through, both of one moment. */
export async function readDeliveryLogPage(
  { read }: Pick<Database, 'read'>,
  { webhookId, conditions, from, limit }: DeliveryLogRequest,
): Promise<{ total: number; rows: DeliveryLogRow[] }> {
  const values: Values = { webhookId, limit };
  const matching = conditions.map((condition) => renderCondition(condition, values));
  const source = `from deliveries where ${['webhook_id = :webhookId', ...matching].join(' and ')}`;
  const start = 'after' in from ? 'and event_seq > :start' : '';
  values['start'] = 'after' in from ? from.after.seq : from.offset;
  const text = `
    select counted.total, page.*
    from (select count(*) as total ${source}) as counted
    left join (
      select ${columns} ${source} ${start} order by event_seq limit :limit + 0 ${'offset' in from ? 'offset :start' : ''}
    ) as page on true
    order by page.event_seq`;
  const found = await read<{ total: number } & (DeliveryLogRow | { event_seq: null })>(text, values);
  return { total: found[0]?.total ?? 0, rows: found.filter((row) => row.event_seq !== null) };
}

/** A delivery of the account, as long as there is the webhook it goes to; undefined where there is none. */
export async function readDeliveryRow(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<DeliveryLogRow | undefined> {
  const text = `select ${columns} from deliveries where id = ? and account_id = ?
    and webhook_id in (select id from webhooks where webhooks.account_id = deliveries.account_id)`;
  const { rows } = await reader.executeQuery<DeliveryLogRow>(CompiledQuery.raw(text, [id, accountId]));
  return rows[0];
}

/**
 * Lets deliveries of a webhook begin anew, and answers how many. Passes over one that is being tried just now, and
 * one whose event was erased.
 */
export async function requeueDeliveries(
  tx: Writer,
  { webhookId, nowMs, ...which }: Redelivery,
): Promise<number> {
  let update = tx
    .updateTable('deliveries')
    .set({ status: 'pending', attempts: 0, next_ms: nowMs, leased_until_ms: 0, updated_ms: nowMs })
    .where('webhook_id', '=', webhookId)
    .where('leased_until_ms', '<=', nowMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('events')
          .select('events.seq')
          .whereRef('events.seq', '=', 'deliveries.event_seq')
          .where('body', 'is not', null),
      ),
    );
  if ('id' in which) {
    update = update.where('id', '=', which.id);
  } else {
    update = update.where('created_ms', '>=', which.fromMs);
    if (which.toMs !== undefined) update = update.where('created_ms', '<', which.toMs);
    if (which.status !== undefined) update = update.where('status', '=', which.status);
  }
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
