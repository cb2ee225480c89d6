import { slotFreeingStatuses } from '../../contract/appointment.ts';
import type { Reader, Writer } from './engine.ts';
import type { NewRow } from './tables.ts';

/** The longest duration of an appointment: none that started earlier can reach into a slot. */
const maxDurationMs = 1440 * 60_000;

/** An appointment that takes time of a stylist. */
export interface BusyTime {
  readonly id: string;
  readonly client_id: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Other appointments that overlap a stylist's slot, earliest first. The slot excludes its end. */
export async function findOverlapping(
  tx: Writer,
  slot: { accountId: string; stylistId: string; startMs: number; endMs: number; exceptId: string },
  limit: number,
): Promise<BusyTime[]> {
  const { accountId, stylistId, startMs, endMs, exceptId } = slot;
  const values = [accountId, stylistId, startMs - maxDurationMs, endMs, startMs, exceptId];
  return tx.run<BusyTime>(overlapping, [...values, ...slotFreeingStatuses, limit]);
}

// The plus keeps SQLite on the stylist's index, and the sum from planning again for every limit.
const overlapping = `
  select id, client_id, start_ms, end_ms from appointments
  where account_id = ? and stylist_id = ? and start_ms > ? and start_ms < ? and end_ms > ? and id <> ?
    and status not in (${slotFreeingStatuses.map(() => '?').join(', ')})
  order by +start_ms limit ? + 0`;

/** A client's open appointments that start after a time, earliest first. */
export function readUpcoming(
  reader: Reader,
  { accountId, clientId, afterMs }: { accountId: string; clientId: string; afterMs: number },
): Promise<NewRow<'appointments'>[]> {
  return reader
    .selectFrom('appointments')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .where('start_ms', '>', afterMs)
    .where('status', 'in', ['pending', 'confirmed', 'arrived', 'in_service'])
    .orderBy('start_ms')
    .execute();
}
