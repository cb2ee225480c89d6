import { slotFreeingStatuses } from '../../../contract/appointment.ts';
import type { TimeSpan } from '../../../contract/time.ts';
import type { Reader, Writer } from '../engine.ts';
import type { NewRow } from '../record-rows.ts';
import type { SqlValue } from '../rows.ts';
import { selectBlocked, toBlockedValues } from './blocked-times.ts';
import { type StylistStatus, toStylistStatus, updateRecords } from './records.ts';

/** The longest duration of an appointment: none that started earlier can reach into a slot. */
const maxDurationMs = 1440 * 60_000;

/** An appointment that takes time of a stylist. */
export interface BookedSlot {
  readonly id: string;
  readonly client_id: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Whom a booking is for, and when. */
interface BookingReferences {
  readonly clientId: string | undefined;
  readonly stylistId: string | undefined;
  readonly slot: TimeSpan | undefined;
  /** The folded name of the service. */
  readonly serviceKey: string | undefined;
}

/** What a booking depends on. */
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

const overlap = `account_id = ? and stylist_id = ? and start_ms > ? and start_ms < ? and end_ms > ?
  and status not in (${slotFreeingStatuses.map(() => '?').join(', ')})`;

function toOverlapValues(accountId: string, stylistId: string, { startMs, endMs }: TimeSpan): SqlValue[] {
  return [accountId, stylistId, startMs - maxDurationMs, endMs, startMs, ...slotFreeingStatuses];
}

const people = `select (select 1 from clients where account_id = ? and id = ?) as client,
  (select active from stylists where account_id = ? and id = ?) as active,
  (select price from services where account_id = ? and name_key = ? and active = 1) as price`;
const peopleAndTime = `${people}, (select 1 from appointments where ${overlap} limit 1) as taken,
  ${selectBlocked} as blocked`;

/** Reads what a booking depends on, its time only if a slot is given. */
export async function readBookingFacts(
  tx: Writer,
  accountId: string,
  { clientId = '', stylistId = '', slot, serviceKey = '' }: BookingReferences,
): Promise<BookingFacts> {
  const values = [accountId, clientId, accountId, stylistId, accountId, serviceKey];
  const [row] = await tx.run<{
    client: 1 | null;
    active: 0 | 1 | null;
    price: number | null;
    taken?: 1 | null;
    blocked?: 1 | null;
  }>(
    slot === undefined ? people : peopleAndTime,
    slot === undefined
      ? values
      : [
          ...[...values, ...toOverlapValues(accountId, stylistId, slot)],
          ...toBlockedValues({ accountId, stylistId, ...slot }),
        ],
  );
  return {
    isClient: row?.client === 1,
    stylist: toStylistStatus(row?.active),
    isTaken: row?.taken === 1,
    isBlocked: row?.blocked === 1,
    price: row?.price ?? null,
  };
}

/** Other appointments that overlap a stylist's slot, earliest first. */
export async function findOverlapping(
  tx: Reader,
  slot: TimeSpan & { accountId: string; stylistId: string; exceptId: string },
  limit: number,
): Promise<BookedSlot[]> {
  const { accountId, stylistId, exceptId } = slot;
  return tx.run<BookedSlot>(overlapping, [...toOverlapValues(accountId, stylistId, slot), exceptId, limit]);
}

/** When stylists are busy or away, by ID: one, or all of them. */
export async function readBusyTime(
  reader: Reader,
  { accountId, stylistId, startMs, endMs }: TimeSpan & { accountId: string; stylistId: string | undefined },
): Promise<ReadonlyMap<string, readonly TimeSpan[]>> {
  const one = stylistId === undefined ? [] : [stylistId];
  const ofOne = stylistId === undefined ? '' : 'and stylist_id = ?';
  // Both by one statement, which sees one moment: what blocks all stylists is there for each of them.
  const text = `select stylist_id as id, start_ms, end_ms from appointments
    where account_id = ? and start_ms > ? and start_ms < ? and end_ms > ?
      and status not in (${slotFreeingStatuses.map(() => '?').join(', ')}) ${ofOne}
    union all select s.id, b.start_ms, b.end_ms from blocked_times as b
      join stylists as s on s.account_id = b.account_id and (b.stylist_id is null or s.id = b.stylist_id)
    where b.account_id = ? and b.end_ms > ? and b.start_ms < ? ${ofOne.replace('stylist_id', 's.id')}`;
  const rows = await reader.run<{ id: string; start_ms: number; end_ms: number }>(text, [
    ...[accountId, startMs - maxDurationMs, endMs, startMs, ...slotFreeingStatuses, ...one],
    ...[accountId, startMs, endMs, ...one],
  ]);
  const busy = Map.groupBy(rows, ({ id }) => id);
  return new Map(
    [...busy].map(([id, times]) => [
      id,
      times.map(({ start_ms, end_ms }) => ({ startMs: start_ms, endMs: end_ms })),
    ]),
  );
}

// The plus keeps SQLite on the stylist's index, and the sum from planning again for every limit.
const overlapping = `
  select id, client_id, start_ms, end_ms from appointments
  where ${overlap} and id <> ? order by +start_ms limit ? + 0`;

/** A client's open appointments that start after a time, earliest first. */
export function readUpcoming(
  reader: Reader,
  { accountId, clientId, afterMs }: { accountId: string; clientId: string; afterMs: number },
): Promise<NewRow<'appointments'>[]> {
  const text = `select * from appointments where account_id = ? and client_id = ? and start_ms > ?
    and status in ('pending', 'confirmed', 'arrived', 'in_service') order by start_ms`;
  return reader.run(text, [accountId, clientId, afterMs]);
}

/** The payments of an appointment, as JSON texts. */
export async function readPaymentsOf(
  reader: Reader,
  { accountId, appointmentId }: { readonly accountId: string; readonly appointmentId: string },
): Promise<string[]> {
  const text = 'select record from payments where account_id = ? and appointment_id = ? order by seq';
  return (await reader.run<{ record: string }>(text, [accountId, appointmentId])).map(({ record }) => record);
}

/** Assigns an appointment's payments to the stylist who took the appointment over. */
export async function movePayments(
  tx: Writer,
  moved: { accountId: string; appointmentId: string; stylistId: string },
): Promise<void> {
  const text = 'select account_id, id from payments where account_id = ? and appointment_id = ?';
  const rows = await tx.run<{ account_id: string; id: string }>(text, [moved.accountId, moved.appointmentId]);
  await updateRecords(
    tx,
    'payments',
    rows.map((row) => ({ ...row, stylist_id: moved.stylistId })),
  );
}
