import type { Delivery, DeliveryAttempt } from '../../../contract/delivery.ts';
import type { LoggedDelivery, LoggedTry } from '../../db/webhooks/delivery-log.ts';

/** A delivery as it is answered. */
export function toDelivery(row: LoggedDelivery): Delivery {
  const tries: LoggedTry[] = JSON.parse(row.tries);
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.type,
    status: row.status,
    next_attempt_at: row.next_ms === null ? null : toInstant(row.next_ms),
    attempts: tries.map(toAttempt),
    event: row.body === null ? null : JSON.parse(row.body),
    created_at: toInstant(row.created_ms),
    updated_at: toInstant(row.updated_ms),
  };
}

function toAttempt({ number, at_ms, status_code, error, duration_ms }: LoggedTry): DeliveryAttempt {
  return { number, at: toInstant(at_ms), status_code, error, duration_ms };
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
