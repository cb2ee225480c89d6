import { CompiledQuery } from 'kysely';
import type { Writer } from './engine.ts';
import type { Tables } from './tables.ts';

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
  await tx.executeQuery(CompiledQuery.raw(text, [id, account_id, type, client_id, created_ms, body]));
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
  await tx.executeQuery(CompiledQuery.raw(text, values));
}
