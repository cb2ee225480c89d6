import { slotFreeingStatuses } from '../../contract/appointment.ts';
import type { Reader, Writer } from './engine.ts';
import type { NewRow } from './tables.ts';

/** The longest duration of an appointment: none that started earlier can reach into a slot. */
const maxDurationMs = 1440 * 60_000;

/** IDs of other appointments that overlap a stylist's slot, earliest first. The slot excludes its end. */
export async function findOverlapping(
  tx: Writer,
  slot: { accountId: string; stylistId: string; startMs: number; endMs: number; exceptId: string },
  limit: number,
): Promise<string[]> {
  const { accountId, stylistId, startMs, endMs, exceptId } = slot;
  const values = [accountId, stylistId, startMs - maxDurationMs, endMs, startMs, exceptId];
  const rows = await tx.run<{ id: string }>(overlapping, [...values, ...slotFreeingStatuses, limit]);
  return rows.map(({ id }) => id);
}

// The plus keeps SQLite on the stylist's index, and the sum from planning again for every limit.
const overlapping = `
  select id from appointments
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
