import { type DeliveryStatus, noWebhook } from '../../../contract/delivery.ts';
import type { EventType } from '../../../contract/events.ts';
import type { Reader, Writer } from '../engine.ts';
import type { CursorPosition } from '../pages.ts';
import { type Condition, renderCondition, type SqlValue, toMatch } from '../rows.ts';
import type { DeliveryQueueKey } from './delivery-queue.ts';
import type { NewAttempt } from './events.ts';

export interface AttemptLogRow extends NewAttempt {
  /** From 1, over all attempts. */
  readonly number: number;
}

/** One event for one webhook. */
interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_seq: number;
  readonly type: EventType;
  readonly status: DeliveryStatus;
  /** When the next attempt is due; null when there is none. */
  readonly next_ms: number | null;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly event_id: string;
  /** The body; null once the client it is about was erased. */
  readonly body: string | null;
}

/** A delivery with its event and all its attempts, oldest first. */
interface DeliveryLogRow extends DeliveryRow {
  readonly attempts: readonly AttemptLogRow[];
}

/** A delivery, or an event that no webhook was subscribed to. */
export type AccountLogRow = Omit<DeliveryLogRow, 'webhook_id' | 'status'> & {
  readonly webhook_id: string | null;
  readonly status: DeliveryStatus | typeof noWebhook;
};

/** One row for each attempt. Only the first has the body. */
type JoinedRow = DeliveryRow & (AttemptLogRow | Record<keyof AttemptLogRow, null>);

/** A page of an account's deliveries, or of the events that no webhook was subscribed to, oldest first. */
export interface DeliveryLogRequest {
  readonly accountId: string;
  readonly isWithoutWebhook?: boolean;
  readonly conditions: readonly Condition[];
  /**
   * The page starts after this many rows, or after a position: `seq` is the event, `value` the ID of its webhook, or a
   * number in a list with only one row for each event: that of one webhook, or of events without any.
   */
  readonly from: { readonly offset: number } | { readonly after: CursorPosition };
  readonly limit: number;
}

/** Which deliveries of a webhook to send again: one, or those of a period. */
interface RedeliverySelection extends DeliveryQueueKey {
  readonly nowMs: number;
  readonly id?: string;
  readonly status?: DeliveryStatus | undefined;
  readonly fromMs: number;
  readonly toMs?: number | undefined;
}

const joinedColumns = `d.id, d.webhook_id, d.event_seq, d.type, d.status, d.next_ms, d.created_ms, d.updated_ms,
  e.id as event_id, case when coalesce(a.number, 1) = 1 then e.body end as body,
  a.number, a.at_ms, a.status_code, a.error, a.duration_ms, a.response`;

const joins = `left join events as e on e.account_id = d.account_id and e.seq = d.event_seq
  left join delivery_attempts as a
    on a.account_id = d.account_id and a.event_seq = d.event_seq and a.webhook_id = d.webhook_id`;

function collectAttempts(rows: readonly JoinedRow[]): DeliveryLogRow[] {
  const deliveries = new Map<string, DeliveryRow & { attempts: AttemptLogRow[] }>();
  for (const { number, at_ms, status_code, error, duration_ms, response, ...row } of rows) {
    const delivery = deliveries.get(row.id) ?? { ...row, attempts: [] };
    deliveries.set(row.id, delivery);
    if (number !== null) delivery.attempts.push({ number, at_ms, status_code, error, duration_ms, response });
  }
  return [...deliveries.values()];
}

/**
 * Events that no webhook was subscribed to, in the shape of deliveries. A body is stored only for subscribed webhooks. An
 * erased event has no body either, but it still has its `client_id`.
 */
const eventsWithoutWebhook = `(select account_id, seq as event_seq, null as webhook_id, id, type,
  '${noWebhook}' as status, null as next_ms, created_ms, created_ms as updated_ms
  from events where body is null and client_id is null) as unsent`;

/** Reads a page of a log of deliveries, and how many deliveries match, in one statement. */
export async function readDeliveryLogPage(
  reader: Reader,
  { accountId, isWithoutWebhook, conditions, from, limit }: DeliveryLogRequest,
): Promise<{ total: number; rows: AccountLogRow[] }> {
  const values: SqlValue[] = [];
  const toSource = () => {
    values.push(accountId);
    const matching = conditions.map((condition) => renderCondition(condition, values));
    const table = isWithoutWebhook ? eventsWithoutWebhook : 'deliveries';
    return `from ${table} where ${['account_id = ?', ...matching].join(' and ')}`;
  };
  const counted = `select count(*) as total ${toSource()}`;
  const source = toSource();
  const { start, ...bound } = toStart(from);
  values.push(...bound.values, limit, bound.offset);
  const text = `
    select counted.total, ${joinedColumns}
    from (${counted}) as counted
    left join (select * ${source} ${start} order by event_seq, webhook_id limit ? offset ?) as d on true
    ${joins}
    order by d.event_seq, d.webhook_id, a.number`;
  const found = await reader.run<{ total: number } & (JoinedRow | { id: null })>(text, values);
  const rows = found.flatMap(({ total: _total, ...row }) => (row.id === null ? [] : row));
  return { total: found[0]?.total ?? 0, rows: collectAttempts(rows) };
}

function toStart(from: DeliveryLogRequest['from']): { start: string; values: SqlValue[]; offset: number } {
  if ('offset' in from) return { start: '', values: [], offset: from.offset };
  const { seq, value } = from.after;
  // Not a webhook ID: the list has one row for each event.
  if (typeof value === 'number') return { start: 'and event_seq > ?', values: [seq], offset: 0 };
  return { start: 'and (event_seq, webhook_id) > (?, ?)', values: [seq, value], offset: 0 };
}

/** How many of a webhook's deliveries are searched for failed ones: there may be millions. */
const searchedDeliveries = 200;

/** The latest deliveries of a webhook, newest first; only those with a failed attempt, among the last 200. */
export async function readRecentDeliveries(
  reader: Reader,
  { accountId, webhookId, limit, isFailed }: DeliveryQueueKey & { limit: number; isFailed: boolean },
): Promise<DeliveryLogRow[]> {
  const recent = `select * from deliveries where account_id = ? and webhook_id = ? order by event_seq desc limit ?`;
  const hasFailed = `exists (select 1 from delivery_attempts as f where f.account_id = d.account_id
    and f.event_seq = d.event_seq and f.webhook_id = d.webhook_id and f.error is not null)`;
  const chosen = `select * from (${recent}) as d ${isFailed ? `where ${hasFailed}` : ''}
    order by event_seq desc limit ?`;
  const text = `select ${joinedColumns} from (${chosen}) as d ${joins} order by d.event_seq desc, a.number`;
  const values = [accountId, webhookId, isFailed ? searchedDeliveries : limit, limit];
  return collectAttempts(await reader.run<JoinedRow>(text, values));
}

/** One of the account's deliveries; undefined when there is none or its webhook was deleted. */
export async function readDeliveryRow(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<DeliveryLogRow | undefined> {
  const text = `select ${joinedColumns} from deliveries as d ${joins} where d.account_id = ? and d.id = ?
    and d.webhook_id in (select id from webhooks where account_id = ?) order by a.number`;
  const [row] = collectAttempts(await reader.run<JoinedRow>(text, [accountId, id, accountId]));
  return row;
}

/** Bounds the rows that an update returns: a webhook may have millions of deliveries. */
const eventsPerUpdate = 10_000;

/** Queues deliveries again and returns how many. Skips those in flight and those whose event was erased. */
export async function requeueDeliveries(tx: Writer, which: RedeliverySelection): Promise<number> {
  const { accountId, webhookId, nowMs, id, status, fromMs, toMs = Number.MAX_SAFE_INTEGER } = which;
  const [match, values] = toMatch({ account_id: accountId, webhook_id: webhookId, id, status });
  const text = `update deliveries
    set status = 'pending', attempts = 0, next_ms = ?, leased_until_ms = 0, updated_ms = ?
    where ${match} and leased_until_ms <= ? and created_ms >= ? and created_ms < ?
      and event_seq >= ? and event_seq < ?
      and exists (select seq from events where events.account_id = deliveries.account_id
        and events.seq = deliveries.event_seq and body is not null)
    returning event_seq`;
  const period = [nowMs, fromMs, toMs];
  const ends = `select min(event_seq) as first, max(event_seq) as last from deliveries where ${match}`;
  const [events] = await tx.run<{ first: number | null; last: number | null }>(ends, values);
  let count = 0;
  for (let seq = events?.first ?? 1; seq <= (events?.last ?? 0); seq += eventsPerUpdate) {
    const queued = await tx.run(text, [nowMs, nowMs, ...values, ...period, seq, seq + eventsPerUpdate]);
    count += queued.length;
  }
  return count;
}
