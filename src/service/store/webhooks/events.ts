import { CompiledQuery } from 'kysely';
import type { Writer } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** An event's row but for its place, which the table gives. */
export type EventRow = Omit<Tables['events'], 'seq'>;

/** A delivery that has not been tried yet. */
export type NewDelivery = Pick<
  Tables['deliveries'],
  'id' | 'account_id' | 'webhook_id' | 'event_id' | 'type' | 'created_ms'
>;

/** Runs with every change, as plain text: building the same statements anew would cost more than running them. */
export async function insertEvent(tx: Writer, event: EventRow): Promise<void> {
  const { id, account_id, type, client_id, created_ms, body } = event;
  const text = `insert into events (id, account_id, type, client_id, created_ms, body)
    values (?, ?, ?, ?, ?, ?)`;
  await tx.run(text, [id, account_id, type, client_id, created_ms, body]);
}

/** Puts deliveries on their way; they are due at once. */
export async function insertDeliveries(tx: Writer, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) {
    return;
  }
  const tuple = "(?, ?, ?, ?, ?, 'pending', 0, ?, ?, ?)";
  const text = `insert into deliveries
    (id, account_id, webhook_id, event_id, type, status, attempts, next_ms, created_ms, updated_ms)
    values ${deliveries.map(() => tuple).join(', ')}`;
  const values = deliveries.flatMap(({ id, account_id, webhook_id, event_id, type, created_ms }) => [
    ...[id, account_id, webhook_id, event_id, type],
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
  // All that is on its way is looked through: seldom much, and an index for this would cost every change.
  const text = `select id from deliveries
    where webhook_id in (select id from webhooks where account_id = ?) and next_ms is not null
      and event_id in (select id from events where account_id = ? and client_id = ?)`;
  const { rows } = await tx.executeQuery<{ id: string }>(
    CompiledQuery.raw(text, [accountId, accountId, clientId]),
  );
  for (const { id } of rows) {
    await giveUpDelivery(tx, { id, nowMs, error: erasedError });
  }
  await tx.executeQuery(
    CompiledQuery.raw(
      'update events set body = null where account_id = ? and client_id = ? and body is not null',
      [accountId, clientId],
    ),
  );
}

async function giveUpDelivery(
  tx: Writer,
  { id, nowMs, error }: { id: string; nowMs: number; error: string },
): Promise<void> {
  await tx.executeQuery(
    CompiledQuery.raw(
      `insert into delivery_attempts (delivery_id, number, at_ms, status_code, error, duration_ms)
        select ?, coalesce(max(number), 0) + 1, ?, null, ?, 0 from delivery_attempts where delivery_id = ?`,
      [id, nowMs, error, id],
    ),
  );
  await tx.executeQuery(
    CompiledQuery.raw(
      "update deliveries set status = 'failed', next_ms = null, updated_ms = ? where id = ?",
      [nowMs, id],
    ),
  );
}
