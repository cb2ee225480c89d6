import type { Writer } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** A try that was made, but for its number. */
export type Attempt = Omit<Tables['delivery_attempts'], 'delivery_id' | 'number'>;

/** Writes a try down as the last one of its delivery. */
export async function noteAttempt(tx: Writer, deliveryId: string, attempt: Attempt): Promise<void> {
  const { at_ms, status_code, error, duration_ms } = attempt;
  await tx.run(
    `insert into delivery_attempts (delivery_id, number, at_ms, status_code, error, duration_ms)
      select ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? from delivery_attempts where delivery_id = ?`,
    [deliveryId, at_ms, status_code, error, duration_ms, deliveryId],
  );
}
