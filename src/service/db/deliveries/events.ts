import type { EventType } from '../../../contract/events.ts';
import type { ChainEnd } from '../audit/entries.ts';
import { type Reader, readFirst, type Writer } from '../engine.ts';
import type { CollectionKey } from '../pages.ts';
import { toInsert } from '../rows.ts';

/** An event without its position and running total, which the table assigns. */
export interface EventRow {
  account_id: string;
  id: string;
  type: EventType;
  /** The client whose personal data the body holds. */
  client_id: string | null;
  /** The client that the record belonged to before, if the body holds former texts. */
  former_client_id?: string | null;
  created_ms: number;
  /** JSON text to send; null if no webhook asked for the event, and once the client that it describes was erased. */
  body: string | null;
}

/** One event for one webhook. */
export interface DeliveryKey {
  readonly accountId: string;
  readonly eventSeq: number;
  readonly webhookId: string;
}

/** An attempt without its number. */
export interface NewAttempt {
  readonly at_ms: number;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  /** The start of the response body, with secrets masked; null if there was none or it was erased. */
  readonly response: string | null;
}

/** The last event of an account, and the bytes of all bodies up to it. It is never deleted, so no position is reused. */
export interface LastEvent {
  readonly seq: number;
  readonly stored_bytes: number;
}

export function readLastEvent(reader: Reader, accountId: string) {
  const text = 'select seq, stored_bytes from events where account_id = ? order by seq desc limit 1';
  return readFirst<LastEvent>(reader, text, [accountId]);
}

/** Inserts an event behind the last one, and its deliveries, due at once. Needs the account's lock. It is the last one then. */
export async function insertEvent(
  tx: Writer,
  last: LastEvent | undefined,
  event: EventRow,
  deliveries: readonly { readonly id: string; readonly webhook_id: string }[],
): Promise<LastEvent> {
  const { account_id, type, created_ms } = event;
  const seq = (last?.seq ?? 0) + 1;
  const stored_bytes = (last?.stored_bytes ?? 0) + Buffer.byteLength(event.body ?? '');
  await tx.run(...toInsert('events', [{ ...event, seq, stored_bytes }]));
  if (deliveries.length === 0) return { seq, stored_bytes };
  const shared = { account_id, event_seq: seq, type, status: 'pending', attempts: 0 };
  const times = { next_ms: created_ms, created_ms, updated_ms: created_ms };
  const rows = deliveries.map(({ id, webhook_id }) => ({ ...shared, ...times, id, webhook_id }));
  await tx.run(...toInsert('deliveries', rows));
  return { seq, stored_bytes };
}

/** Adds an attempt to its delivery's log, in a transaction that has changed the delivery. */
export async function insertAttempt(
  tx: Writer,
  { accountId, eventSeq, webhookId }: DeliveryKey,
  attempt: NewAttempt,
): Promise<void> {
  const { at_ms, status_code, error, duration_ms, response } = attempt;
  const key = [accountId, eventSeq, webhookId];
  const text = `insert into delivery_attempts
      (account_id, event_seq, webhook_id, number, at_ms, status_code, error, duration_ms, response)
    values (?, ?, ?, coalesce((select max(number) from delivery_attempts
      where account_id = ? and event_seq = ? and webhook_id = ?), 0) + 1, ?, ?, ?, ?, ?)`;
  await tx.run(text, [...key, ...key, at_ms, status_code, error, duration_ms, response]);
}

/** A client's personal data, all of it or only what was written since a time. */
export interface ErasedClient {
  readonly accountId: string;
  readonly clientId: string;
  readonly sinceMs?: number | undefined;
}

/** An event with the personal data of a client. */
type PersonalEvent = Pick<EventRow, 'type' | 'client_id'> & { readonly seq: number; readonly body: string };

/** The events of appointments and payments with personal data of a client. */
export function readEventsOfClient(
  tx: Writer,
  { accountId, clientId, sinceMs = 0 }: ErasedClient,
): Promise<PersonalEvent[]> {
  const select = (column: string) => `select seq, type, client_id, body from events
    where account_id = ? and ${column} = ? and created_ms >= ? and body is not null and not ${isOfClient}`;
  const values = [accountId, clientId, sinceMs];
  const text = `${select('client_id')} union ${select('former_client_id')} order by seq`;
  return tx.run<PersonalEvent>(text, [...values, ...values]);
}

const isOfClient = "(type >= 'client.' and type < 'client/')";

export async function replaceEventBody(
  tx: Writer,
  { accountId, seq, body }: Pick<PersonalEvent, 'seq' | 'body'> & Pick<ErasedClient, 'accountId'>,
): Promise<void> {
  await tx.run('update events set body = ? where account_id = ? and seq = ?', [body, accountId, seq]);
}

/**
 * Erases what receivers answered to events with personal data of a client: they may have repeated it. Attempts in flight
 * lose their lease, so that their response is not recorded, and are made again.
 */
export async function eraseResponsesOfClient(
  tx: Writer,
  { accountId, clientId, sinceMs = 0 }: ErasedClient,
): Promise<void> {
  const ofClient = (column: string) =>
    `select seq from events where account_id = ? and ${column} = ? and created_ms >= ?`;
  const chosen = `account_id = ? and event_seq in (${ofClient('client_id')} union ${ofClient('former_client_id')})`;
  const scope = [accountId, clientId, sinceMs];
  const values = [accountId, ...scope, ...scope];
  // With a result, it is carried out before the next statement begins, which then sees what others have recorded.
  const leases = `update deliveries set leased_until_ms = 0 where ${chosen} and leased_until_ms > 0 returning 1 as one`;
  await tx.run(leases, values);
  const responses = `update delivery_attempts set response = null where ${chosen} and response is not null`;
  await tx.run(responses, values);
}

/**
 * Erases the bodies of the events about a client itself. Cancels their pending deliveries and logs why; each statement
 * covers all of them, because there may be a hundred thousand.
 */
export async function eraseEventsOfClient(
  tx: Writer,
  { accountId, clientId, sinceMs = 0, nowMs }: ErasedClient & { readonly nowMs: number },
): Promise<void> {
  const isErased = `account_id = ? and client_id = ? and created_ms >= ? and body is not null and ${isOfClient}`;
  const chosen = [accountId, clientId, sinceMs];
  if ((await tx.run(`select 1 as found from events where ${isErased} limit 1`, chosen)).length === 0) return;
  const pending = `account_id = ? and event_seq in (select seq from events where ${isErased}) and next_ms is not null`;
  const values = [accountId, ...chosen];
  // First, so that no other process records an attempt meanwhile. `next_ms` marks the deliveries that are meant until
  // the end.
  const fail = `update deliveries set status = 'failed', updated_ms = ? where ${pending}`;
  await tx.run(fail, [nowMs, ...values]);
  await tx.run(
    `insert into delivery_attempts
        (account_id, event_seq, webhook_id, number, at_ms, status_code, error, duration_ms)
      select account_id, event_seq, webhook_id, coalesce((select max(number) from delivery_attempts as a
          where a.account_id = d.account_id and a.event_seq = d.event_seq and a.webhook_id = d.webhook_id), 0) + 1,
        cast(? as bigint), null, 'The client was erased.', 0
      from deliveries as d where ${pending}`,
    [nowMs, ...values],
  );
  await tx.run(`update deliveries set next_ms = null where ${pending}`, values);
  await tx.run(`update events set body = null where ${isErased}`, chosen);
}

/** Where the lists of an account end, and how much it stores. Stays true as long as the account is locked. */
export interface LogEnds {
  /** The last position given out in the collection. */
  readonly lastSeq: number;
  /** Whether the account has an active webhook. */
  readonly hasWebhook: boolean;
  /** Undefined without events. */
  readonly event: LastEvent | undefined;
  readonly entry: ChainEnd | undefined;
  /** The bytes of its texts: records, bodies of events, and the audit log. */
  readonly storedBytes: number;
}

interface LogEndsRow {
  readonly last_seq: number;
  readonly has_webhook: 0 | 1;
  readonly event_seq: number | null;
  readonly event_bytes: number;
  readonly entry_seq: number | null;
  readonly entry_bytes: number;
  readonly hash: string;
  readonly bytes: number;
}

const last = (table: string) =>
  `(select * from ${table} where account_id = ? order by seq desc limit 1) as last_${table} on 1 = 1`;

/** What the rows of a log have stored since its oldest one, by their running totals. */
const ofLog = (table: string) => `coalesce(last_${table}.stored_bytes - (select first.stored_bytes
  from ${table} as first where first.account_id = ? order by first.seq limit 1), 0)`;

const logEndsText = `
  select (select last_seq from collections where account_id = ? and name = ?) as last_seq,
    case when exists (select 1 from webhooks where account_id = ? and active = 1) then 1 else 0 end as has_webhook,
    last_events.seq as event_seq, last_events.stored_bytes as event_bytes,
    last_audit_entries.seq as entry_seq, last_audit_entries.stored_bytes as entry_bytes, last_audit_entries.hash as hash,
    cast((select coalesce(sum(bytes), 0) from collections where account_id = ?)
      + ${ofLog('events')} + ${ofLog('audit_entries')} as bigint) as bytes
  from (select 1) as one left join ${last('events')} left join ${last('audit_entries')}`;

/** Reads what a new record of a collection, its event and its audit entry follow. */
export async function readLogEnds(
  reader: Reader,
  { accountId, collection }: CollectionKey,
): Promise<LogEnds> {
  const [row] = await reader.run<LogEndsRow>(logEndsText, [
    accountId,
    collection,
    ...Array(6).fill(accountId),
  ]);
  if (row === undefined) throw new Error('A query without conditions returned no row.');
  const { last_seq, has_webhook, event_seq, event_bytes, entry_seq, entry_bytes, hash, bytes } = row;
  return {
    lastSeq: last_seq,
    hasWebhook: has_webhook === 1,
    event: event_seq === null ? undefined : { seq: event_seq, stored_bytes: event_bytes },
    entry: entry_seq === null ? undefined : { seq: entry_seq, stored_bytes: entry_bytes, hash },
    storedBytes: bytes,
  };
}
