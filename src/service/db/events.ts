import type { Writer } from './engine.ts';
import type { Tables } from './tables.ts';

/** An event's row but for its place, which the table gives. */
export type EventRow = Omit<Tables['events'], 'seq'>;

/** A delivery of an event that has not been tried yet. */
export type NewDelivery = Pick<Tables['deliveries'], 'id' | 'webhook_id'>;

/**
 * Writes an event and puts its deliveries on their way; they are due at once. Runs with every change, as plain text:
 * building the same statements anew would cost more than running them.
 */
export async function insertEvent(
  tx: Writer,
  event: EventRow,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const { id, account_id, type, client_id, created_ms, body } = event;
  const text = `insert into events (id, account_id, type, client_id, created_ms, body)
    values (?, ?, ?, ?, ?, ?)`;
  await tx.run(text, [id, account_id, type, client_id, created_ms, body]);
  if (deliveries.length > 0) {
    await insertDeliveries(tx, event, deliveries);
  }
}

/** Their event is the last there is: nobody else writes at the same time. */
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

/** Why a delivery whose event is no longer known is not tried again. */
const erasedError = 'The client it is about was erased.';

/**
 * Forgets what events said of a client; that they were stays known. What is still on its way of them is given up,
 * with a last line in its log that says why.
 */
export async function eraseEvents(
  tx: Writer,
  { accountId, clientId, nowMs }: { accountId: string; clientId: string; nowMs: number },
): Promise<void> {
  // From event to webhook, and there is an index for the delivery of the one to the other.
  const text = `select d.id from events as e cross join webhooks as w cross join deliveries as d
    where e.account_id = ? and e.client_id = ? and w.account_id = e.account_id
      and d.webhook_id = w.id and d.event_seq = e.seq and d.next_ms is not null`;
  for (const { id } of await tx.run<{ id: string }>(text, [accountId, clientId])) {
    await insertAttempt(tx, id, { at_ms: nowMs, status_code: null, error: erasedError, duration_ms: 0 });
    await tx.run("update deliveries set status = 'failed', next_ms = null, updated_ms = ? where id = ?", [
      nowMs,
      id,
    ]);
  }
  await tx.run('update events set body = null where account_id = ? and client_id = ? and body is not null', [
    accountId,
    clientId,
  ]);
}

/** A try that was made, but for its number. */
export type NewAttempt = Omit<Tables['delivery_attempts'], 'delivery_id' | 'number'>;

/** Writes a try down as the last one of its delivery. */
export async function insertAttempt(tx: Writer, deliveryId: string, attempt: NewAttempt): Promise<void> {
  const { at_ms, status_code, error, duration_ms } = attempt;
  await tx.run(
    `insert into delivery_attempts (delivery_id, number, at_ms, status_code, error, duration_ms)
      select ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? from delivery_attempts where delivery_id = ?`,
    [deliveryId, at_ms, status_code, error, duration_ms, deliveryId],
  );
}
