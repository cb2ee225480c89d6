import { slotFreeingStatuses } from '../../../contract/appointment.ts';
import { dayMs, type TimeSpan } from '../../../time/time.ts';
import { type Reader, readColumn, readFirst, type Writer } from '../engine.ts';
import type { NewRow } from '../record-rows.ts';
import { type SqlValue, toMatch } from '../rows.ts';
import { type StylistStatus, toStylistStatus, updateRecords } from './records.ts';

/** Whom a booking is for, and when. */
interface BookingReferences {
  readonly clientId: string | undefined;
  readonly stylistId: string | undefined;
  readonly slot: TimeSpan | undefined;
  /** The folded name of the service. */
  readonly serviceKey: string | undefined;
}

export interface BookingFacts {
  readonly isClient: boolean;
  readonly stylist: StylistStatus;
  /** Whether the stylist has another appointment at that time. */
  readonly isTaken: boolean;
  /** Whether the stylist is away or the salon is closed. */
  readonly isBlocked: boolean;
  /** The price of the service; null if it has none or is not offered. */
  readonly price: number | null;
}

interface BookingRow {
  readonly client: 1 | null;
  readonly active: 0 | 1 | null;
  readonly price: number | null;
  readonly taken?: 1 | null;
  readonly blocked?: 1 | null;
}

/** Reads what a booking depends on, its time only if a slot is given. */
export async function readBookingFacts(
  tx: Writer,
  accountId: string,
  { clientId = '', stylistId = '', slot, serviceKey = '' }: BookingReferences,
): Promise<BookingFacts> {
  let text = `select (select 1 from clients where account_id = ? and id = ?) as client,
    (select active from stylists where account_id = ? and id = ?) as active,
    (select price from services where account_id = ? and name_key = ? and active = 1) as price`;
  const values: SqlValue[] = [accountId, clientId, accountId, stylistId, accountId, serviceKey];
  if (slot !== undefined) {
    const time = { accountId, stylistId, ...slot };
    const booked = selectBooked(time);
    text += `, (select 1 ${booked.text} limit 1) as taken,
      coalesce((select 1 ${blockedOfStylist} limit 1), (select 1 ${blockedOfSalon} limit 1)) as blocked`;
    values.push(...booked.values, ...toBlockedValues(time));
  }
  const row = await readFirst<BookingRow>(tx, text, values);
  return {
    isClient: row?.client === 1,
    stylist: toStylistStatus(row?.active),
    isTaken: row?.taken === 1,
    isBlocked: row?.blocked === 1,
    price: row?.price ?? null,
  };
}

interface StylistTime extends TimeSpan {
  readonly accountId: string;
  readonly stylistId: string;
}

/** Time of a stylist, or of all stylists without an ID. */
type StylistsTime = Omit<StylistTime, 'stylistId'> & { readonly stylistId: string | null | undefined };

/** The longest duration of an appointment: none that started earlier can reach into a slot. */
const maxDurationMs = dayMs;

/** The appointments that take some of a time, as what follows `select …`. */
function selectBooked({ accountId, stylistId, startMs, endMs }: StylistsTime) {
  const [match, values] = toMatch({ account_id: accountId, stylist_id: stylistId ?? undefined });
  const text = `from appointments where ${match} and start_ms > ? and start_ms < ? and end_ms > ?
    and status not in (${slotFreeingStatuses.map(() => '?').join(', ')})`;
  return { text, values: [...values, startMs - maxDurationMs, endMs, startMs, ...slotFreeingStatuses] };
}

// Bounded by its end alone: it may have started long ago, but little of it is yet to end. One range of the index each.
const blockedOfStylist =
  'from blocked_times where account_id = ? and stylist_id = ? and end_ms > ? and start_ms < ?';
const blockedOfSalon =
  'from blocked_times where account_id = ? and stylist_id is null and end_ms > ? and start_ms < ?';

function toBlockedValues({ accountId, stylistId, startMs, endMs }: StylistTime): SqlValue[] {
  return [accountId, stylistId, startMs, endMs, accountId, startMs, endMs];
}

/** An appointment that takes time of a stylist. */
export interface BookedSlot {
  readonly id: string;
  readonly client_id: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Other appointments that overlap a stylist's slot, earliest first. */
export function findOverlapping(
  tx: Reader,
  slot: StylistTime & { readonly exceptId: string },
  limit: number,
): Promise<BookedSlot[]> {
  const booked = selectBooked(slot);
  // The plus keeps SQLite on the stylist's index, and the sum from planning again for every limit.
  const text = `select id, client_id, start_ms, end_ms ${booked.text} and id <> ? order by +start_ms limit ? + 0`;
  return tx.run<BookedSlot>(text, [...booked.values, slot.exceptId, limit]);
}

/** What blocks time of a stylist, the earliest first. `record` is JSON. */
export function findBlocked(reader: Reader, time: StylistTime, limit: number) {
  const columns = 'start_ms, end_ms, seq, record';
  const text = `select ${columns} ${blockedOfStylist} union all select ${columns} ${blockedOfSalon}
    order by start_ms, seq limit ? + 0`;
  const values = [...toBlockedValues(time), limit];
  return reader.run<{ start_ms: number; end_ms: number; record: string }>(text, values);
}

/** The IDs of appointments that take some of a time, earliest first, and how many there are. */
export async function findAffected(reader: Reader, time: StylistsTime, limit: number) {
  const booked = selectBooked(time);
  const text = `select id, count(*) over () as count ${booked.text} order by start_ms, seq limit ? + 0`;
  const rows = await reader.run<{ id: string; count: number }>(text, [...booked.values, limit]);
  return { ids: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 };
}

/** When stylists are busy or away, by ID: one, or all of them. */
export async function readBusyTime(
  reader: Reader,
  time: StylistsTime,
): Promise<ReadonlyMap<string, readonly TimeSpan[]>> {
  const { accountId, stylistId, startMs, endMs } = time;
  const booked = selectBooked(time);
  const [match, values] = toMatch({ 'b.account_id': accountId, 's.id': stylistId ?? undefined });
  // Both by one statement, which sees one moment: what blocks all stylists is there for each of them.
  const text = `select stylist_id as id, start_ms as "startMs", end_ms as "endMs" ${booked.text}
    union all select s.id, b.start_ms, b.end_ms from blocked_times as b
      join stylists as s on s.account_id = b.account_id and (b.stylist_id is null or s.id = b.stylist_id)
    where ${match} and b.end_ms > ? and b.start_ms < ?`;
  const all = [...booked.values, ...values, startMs, endMs];
  const rows = await reader.run<TimeSpan & { readonly id: string }>(text, all);
  return Map.groupBy(rows, ({ id }) => id);
}

/** A client's open appointments that start after a time, earliest first. */
export function readUpcoming(
  reader: Reader,
  { accountId, clientId, afterMs }: { accountId: string; clientId: string; afterMs: number },
): Promise<NewRow<'appointments'>[]> {
  const text = `select * from appointments where account_id = ? and client_id = ? and start_ms > ?
    and status in ('pending', 'confirmed', 'arrived', 'in_service') order by start_ms`;
  return reader.run(text, [accountId, clientId, afterMs]);
}

/** Assigns an appointment's payments to the stylist who took the appointment over. */
export async function movePayments(
  tx: Writer,
  moved: { accountId: string; appointmentId: string; stylistId: string },
): Promise<void> {
  const { accountId: account_id, appointmentId, stylistId: stylist_id } = moved;
  const text = 'select id from payments where account_id = ? and appointment_id = ?';
  const ids = await readColumn<string>(tx, text, [account_id, appointmentId]);
  const rows = ids.map((id) => ({ account_id, id, stylist_id }));
  await updateRecords(tx, 'payments', rows);
}
