import type { DeliveryStatus } from '../../contract/delivery.ts';
import { type Condition, renderCondition, type SqlValue } from './conditions.ts';
import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

type Delivery = Tables['deliveries'];

/** A delivery with its event and all its attempts. */
export type DeliveryLogRow = Pick<
  Delivery,
  'id' | 'webhook_id' | 'event_seq' | 'type' | 'status' | 'next_ms' | 'created_ms' | 'updated_ms'
> & {
  readonly event_id: string;
  /** The body; null once the client it is about was erased. */
  readonly body: string | null;
  /** The attempts as a JSON list, oldest first. */
  readonly attempts: string;
};

/** An attempt as listed in `attempts`. */
export type AttemptLogRow = Omit<Tables['delivery_attempts'], 'delivery_id'>;

/** A page of one webhook's log, oldest first. */
export interface DeliveryLogRequest {
  readonly webhookId: string;
  readonly conditions: readonly Condition[];
  /** The page starts after this many deliveries, or after the delivery of an event. */
  readonly from: { readonly offset: number } | { readonly after: { readonly seq: number } };
  readonly limit: number;
}

/** Which deliveries of a webhook to send again: one, or those of a period. */
export type RedeliverySelection = { readonly webhookId: string; readonly nowMs: number } & (
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
    from delivery_attempts where delivery_id = deliveries.id) as attempts`;

/** Reads a page of a webhook's log, and how many deliveries match, in one statement. */
export async function readDeliveryLogPage(
  reader: Reader,
  { webhookId, conditions, from, limit }: DeliveryLogRequest,
): Promise<{ total: number; rows: DeliveryLogRow[] }> {
  const values: SqlValue[] = [];
  const toSource = () => {
    values.push(webhookId);
    const matching = conditions.map((condition) => renderCondition(condition, values));
    return `from deliveries where ${['webhook_id = ?', ...matching].join(' and ')}`;
  };
  const counted = `select count(*) as total ${toSource()}`;
  const source = toSource();
  const start = 'after' in from ? 'and event_seq > ?' : '';
  values.push(...('after' in from ? [from.after.seq, limit, 0] : [limit, from.offset]));
  const text = `
    select counted.total, page.*
    from (${counted}) as counted
    left join (select ${columns} ${source} ${start} order by event_seq limit ? + 0 offset ?) as page on true
    order by page.event_seq`;
  const found = await reader.run<{ total: number } & (DeliveryLogRow | { event_seq: null })>(text, values);
  return { total: found[0]?.total ?? 0, rows: found.filter((row) => row.event_seq !== null) };
}

/** How many of a webhook's deliveries are searched for failed ones: there may be millions. */
const searchedDeliveries = 200;

/** The latest deliveries of a webhook, newest first; only those with a failed attempt, among the last 200. */
export function readRecentDeliveries(
  reader: Reader,
  { webhookId, limit, isFailed }: { webhookId: string; limit: number; isFailed: boolean },
): Promise<DeliveryLogRow[]> {
  const hasFailed = `exists (select 1 from delivery_attempts where delivery_id = deliveries.id
    and error is not null)`;
  const recent = `select seq from deliveries where webhook_id = ? order by event_seq desc limit ?`;
  const text = `select ${columns} from deliveries where seq in (${recent}) ${isFailed ? `and ${hasFailed}` : ''}
    order by event_seq desc limit ?`;
  return reader.run<DeliveryLogRow>(text, [webhookId, isFailed ? searchedDeliveries : limit, limit]);
}

/** One of the account's deliveries; undefined when there is none or its webhook was deleted. */
export async function readDeliveryRow(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<DeliveryLogRow | undefined> {
  const text = `select ${columns} from deliveries where id = ? and account_id = ?
    and webhook_id in (select id from webhooks where webhooks.account_id = deliveries.account_id)`;
  const [row] = await reader.run<DeliveryLogRow>(text, [id, accountId]);
  return row;
}

/** Queues deliveries again and returns how many. Skips those in flight and those whose event was erased. */
export async function requeueDeliveries(
  tx: Writer,
  { webhookId, nowMs, ...which }: RedeliverySelection,
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
