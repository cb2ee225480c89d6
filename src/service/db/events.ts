import type { Writer } from './engine.ts';
import type { Tables } from './tables.ts';

/** An event without its sequence number, which the table assigns. */
export type EventRow = Omit<Tables['events'], 'seq' | 'former_client_id'> &
  Partial<Pick<Tables['events'], 'former_client_id'>>;

/** A delivery without attempts. */
export type NewDelivery = Pick<Tables['deliveries'], 'id' | 'webhook_id'>;

/** An attempt without its number. */
export type NewAttempt = Omit<Tables['delivery_attempts'], 'delivery_id' | 'number'>;

/** Inserts an event and its deliveries, due at once. */
export async function insertEvent(
  tx: Writer,
  event: EventRow,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const { id, account_id, type, client_id, former_client_id = null, created_ms, body } = event;
  const text = `insert into events (id, account_id, type, client_id, former_client_id, created_ms, body)
    values (?, ?, ?, ?, ?, ?, ?)`;
  await tx.run(text, [id, account_id, type, client_id, former_client_id, created_ms, body]);
  if (deliveries.length > 0) {
    await insertDeliveries(tx, event, deliveries);
  }
}

/** The event is the last one: no other process can write meanwhile. */
async function insertDeliveries(
  tx: Writer,
  { account_id, type, created_ms }: EventRow,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const tuple = "(?, ?, ?, (select max(seq) from events), ?, 'pending', 0, ?, ?, ?)";
  const text = `insert into deliveries
    (id, account_id, webhook_id, event_seq, type, status, attempts, next_ms, created_ms, updated_ms)
    values ${deliveries.map(() => tuple).join(', ')}`;
  const values = deliveries.flatMap(({ id, webhook_id }) => [
    ...[id, account_id, webhook_id, type],
    ...[created_ms, created_ms, created_ms],
  ]);
  await tx.run(text, values);
}

/** Adds an attempt to its delivery's log. */
export async function insertAttempt(tx: Writer, deliveryId: string, attempt: NewAttempt): Promise<void> {
  const { at_ms, status_code, error, duration_ms } = attempt;
  await tx.run(
    `insert into delivery_attempts (delivery_id, number, at_ms, status_code, error, duration_ms)
      select ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? from delivery_attempts where delivery_id = ?`,
    [deliveryId, at_ms, status_code, error, duration_ms, deliveryId],
  );
}

const erasedError = 'The client was erased.';

/** A client's personal data, all of it or only what was written since a time. */
export interface ErasedClient {
  readonly accountId: string;
  readonly clientId: string;
  readonly sinceMs?: number | undefined;
}

/** An event with the personal data of a client. */
export type PersonalEvent = Pick<Tables['events'], 'seq' | 'type' | 'client_id'> & { readonly body: string };

/** The events with personal data of a client. */
export function readEventsOfClient(
  tx: Writer,
  { accountId, clientId, sinceMs = 0 }: ErasedClient,
): Promise<PersonalEvent[]> {
  const select = (column: string) => `select seq, type, client_id, body from events
    where account_id = ? and ${column} = ? and created_ms >= ? and body is not null`;
  const values = [accountId, clientId, sinceMs];
  const text = `${select('client_id')} union ${select('former_client_id')} order by seq`;
  return tx.run<PersonalEvent>(text, [...values, ...values]);
}

/** Replaces the body of an event. */
export async function replaceEventBody(
  tx: Writer,
  { seq, body }: Pick<PersonalEvent, 'seq' | 'body'>,
): Promise<void> {
  await tx.run('update events set body = ? where seq = ?', [body, seq]);
}

/** Erases the body of an event. Cancels its pending deliveries and logs why. */
export async function eraseEventBody(
  tx: Writer,
  { accountId, seq, nowMs }: { accountId: string; seq: number; nowMs: number },
): Promise<void> {
  // By webhook, because the index for deliveries starts with it.
  const text = `select d.id from webhooks as w cross join deliveries as d
    where w.account_id = ? and d.webhook_id = w.id and d.event_seq = ? and d.next_ms is not null`;
  for (const { id } of await tx.run<{ id: string }>(text, [accountId, seq])) {
    await insertAttempt(tx, id, { at_ms: nowMs, status_code: null, error: erasedError, duration_ms: 0 });
    const update = "update deliveries set status = 'failed', next_ms = null, updated_ms = ? where id = ?";
    await tx.run(update, [nowMs, id]);
  }
  await tx.run('update events set body = null where seq = ?', [seq]);
}
