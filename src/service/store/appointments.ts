import { slotFreeingStatuses } from '../../contract/appointment.ts';
import type { Reader, Writer } from './engine.ts';
import { addRecord, changeRecords } from './lists/collections.ts';
import { insertRows } from './lists/insert-rows.ts';
import type { Tables } from './tables.ts';

/** An appointment's row but for its place, which the list gives. */
export type AppointmentRow = Omit<Tables['appointments'], 'seq'>;

/** No appointment lasts longer, so nothing that began earlier can reach into a slot. */
const longestMs = 1440 * 60_000;

export function insertAppointment(tx: Writer, row: AppointmentRow): Promise<void> {
  return addRecord(tx, { accountId: row.account_id, collection: 'appointments' }, (seq) =>
    insertRows(tx, 'appointments', [{ ...row, seq }]),
  );
}

/** Replaces rows that exist, and raises the version once for all of them. */
export function replaceAppointments(
  tx: Writer,
  accountId: string,
  rows: readonly AppointmentRow[],
): Promise<void> {
  const replace = (row: AppointmentRow) =>
    tx
      .updateTable('appointments')
      .set(row)
      .where('account_id', '=', accountId)
      .where('id', '=', row.id)
      .execute();
  return changeRecords(tx, { accountId, collection: 'appointments' }, { rows, replace });
}

/** Identifiers of what else takes a stylist's time within a slot, earliest first. The slot's end is outside of it. */
export async function findOverlapping(
  reader: Reader,
  slot: { accountId: string; stylistId: string; startMs: number; endMs: number; exceptId: string },
  limit: number,
): Promise<string[]> {
  const rows = await reader
    .selectFrom('appointments')
    .select('id')
    .where('account_id', '=', slot.accountId)
    .where('stylist_id', '=', slot.stylistId)
    .where('start_ms', '>', slot.startMs - longestMs)
    .where('start_ms', '<', slot.endMs)
    .where('end_ms', '>', slot.startMs)
    .where('status', 'not in', slotFreeingStatuses)
    .where('id', '!=', slot.exceptId)
    .orderBy('start_ms')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** A client's appointments that start after a moment and are not over in another way, earliest first. */
export function readUpcoming(
  reader: Reader,
  { accountId, clientId, afterMs }: { accountId: string; clientId: string; afterMs: number },
): Promise<AppointmentRow[]> {
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
