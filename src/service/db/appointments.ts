import { slotFreeingStatuses } from '../../contract/appointment.ts';
import type { Reader, Writer } from './engine.ts';
import type { NewRow } from './tables.ts';

/** No appointment lasts longer, so nothing that began earlier can reach into a slot. */
const longestMs = 1440 * 60_000;

/** Identifiers of what else takes a stylist's time within a slot, earliest first. The slot's end is outside of it. */
export async function findOverlapping(
  tx: Writer,
  slot: { accountId: string; stylistId: string; startMs: number; endMs: number; exceptId: string },
  limit: number,
): Promise<string[]> {
  const { accountId, stylistId, startMs, endMs, exceptId } = slot;
  const values = [accountId, stylistId, startMs - longestMs, endMs, startMs, exceptId, limit];
  const rows = await tx.run<{ id: string }>(overlapping, [...values, ...slotFreeingStatuses]);
  return rows.map(({ id }) => id);
}

// The plus keeps SQLite on the stylist's own index, and the sum from planning anew with every limit.
const overlapping = `
  select id from appointments
  where account_id = ?1 and stylist_id = ?2 and start_ms > ?3 and start_ms < ?4 and end_ms > ?5 and id <> ?6
    and status not in (${slotFreeingStatuses.map((_, index) => `?${8 + index}`).join(', ')})
  order by +start_ms limit ?7 + 0`;

/** A client's appointments that start after a moment and are not over in another way, earliest first. */
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
