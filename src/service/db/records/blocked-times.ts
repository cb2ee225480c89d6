import { slotFreeingStatuses } from '../../../contract/appointment.ts';
import type { TimeSpan } from '../../../contract/time.ts';
import type { Reader } from '../engine.ts';
import type { SqlValue } from '../rows.ts';

/** The stylist whose time is wanted. */
interface StylistTime extends TimeSpan {
  readonly accountId: string;
  readonly stylistId: string;
}

// Bounded by its end alone: it may have started long ago, but little of it is yet to end. One range of the index each.
const ofStylist = 'account_id = ? and stylist_id = ? and end_ms > ? and start_ms < ?';
const ofSalon = 'account_id = ? and stylist_id is null and end_ms > ? and start_ms < ?';

/** Selects 1 if time of a stylist is blocked, else null. */
export const selectBlocked = `coalesce((select 1 from blocked_times where ${ofStylist} limit 1),
  (select 1 from blocked_times where ${ofSalon} limit 1))`;

/** The values of `selectBlocked`. */
export function toBlockedValues({ accountId, stylistId, startMs, endMs }: StylistTime): SqlValue[] {
  return [accountId, stylistId, startMs, endMs, accountId, startMs, endMs];
}

/** What blocks time of a stylist. */
export interface BlockedSlot {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly record: string;
}

/** What blocks time of a stylist, the earliest first. */
export function findBlocked(reader: Reader, time: StylistTime, limit: number): Promise<BlockedSlot[]> {
  const selected = 'select start_ms, end_ms, seq, record from blocked_times where';
  const text = `${selected} ${ofStylist} union all ${selected} ${ofSalon} order by start_ms, seq limit ? + 0`;
  return reader.run<BlockedSlot>(text, [...toBlockedValues(time), limit]);
}

/** The longest duration of an appointment. */
const maxDurationMs = 1440 * 60_000;

/** The appointments that take some of a time, earliest first, and how many there are; of all stylists for null. */
export async function findAffected(
  reader: Reader,
  { accountId, stylistId, startMs, endMs }: Omit<StylistTime, 'stylistId'> & { stylistId: string | null },
  limit: number,
): Promise<{ readonly ids: string[]; readonly count: number }> {
  const text = `select id, count(*) over () as count from appointments
    where account_id = ? ${stylistId === null ? '' : 'and stylist_id = ?'}
      and start_ms > ? and start_ms < ? and end_ms > ?
      and status not in (${slotFreeingStatuses.map(() => '?').join(', ')})
    order by start_ms, seq limit ? + 0`;
  const values = [startMs - maxDurationMs, endMs, startMs, ...slotFreeingStatuses, limit];
  const rows = await reader.run<{ id: string; count: number }>(text, [
    accountId,
    ...(stylistId === null ? [] : [stylistId]),
    ...values,
  ]);
  return { ids: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 };
}
