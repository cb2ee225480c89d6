import type { Database } from './database.ts';

/** Small enough for a short transaction. */
const maxDeleted = 200;

/**
 * Deletes some events, deliveries and attempts from before a time. Returns whether there may be more. The oldest come
 * first, so a few rows show whether there are any; only then is anything written.
 */
export async function deleteOldDeliveries(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  beforeMs: number,
): Promise<boolean> {
  const [oldest] = await reader.run<{ event: number | null; delivery: number | null }>(
    `select (select created_ms from events order by seq limit 1) as event,
      (select created_ms from deliveries order by seq limit 1) as delivery`,
    [],
  );
  const first = Math.min(oldest?.event ?? beforeMs, oldest?.delivery ?? beforeMs);
  if (first >= beforeMs) return false;
  const deleted = await transaction('rows', async (tx) => {
    const old = `select id from deliveries where seq in (select seq from deliveries order by seq limit ${maxDeleted})
      and created_ms < ?`;
    await tx.run(`delete from delivery_attempts where delivery_id in (${old})`, [beforeMs]);
    const deliveries = await tx.run(`${deleteFrom('deliveries')} returning seq`, [beforeMs]);
    const events = await tx.run(`${deleteFrom('events')} and ${hasNoDelivery} returning seq`, [beforeMs]);
    return deliveries.length + events.length;
  });
  return deleted > 0;
}

/** Deliveries are in the order of their events, so events before the first delivery's have none left. */
const hasNoDelivery = 'seq < coalesce((select event_seq from deliveries order by seq limit 1), seq + 1)';

function deleteFrom(table: 'deliveries' | 'events'): string {
  return `delete from ${table} where created_ms < ?
    and seq in (select seq from ${table} order by seq limit ${maxDeleted})`;
}

/** How far ahead times can be; anything later was written before the clock was set back. */
export interface ClockLimits {
  readonly nowMs: number;
  readonly maxRetryDelayMs: number;
  readonly maxLeaseMs: number;
}

// A first attempt is due at once.
const isTooLate = 'next_ms is not null and next_ms > ? + case attempts when 0 then 0 else ? end';
const isLeasedTooLong = 'leased_until_ms > 0 and leased_until_ms > ?';

/** Makes deliveries due that were scheduled before the clock was set back, and ends leases from then. */
export async function rescheduleDeliveries(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  { nowMs, maxRetryDelayMs, maxLeaseMs }: ClockLimits,
): Promise<void> {
  const late = [nowMs, maxRetryDelayMs];
  const leased = [nowMs + maxLeaseMs];
  const [row] = await reader.run<{ found: number }>(
    `select exists (select 1 from deliveries where ${isTooLate})
      or exists (select 1 from deliveries where ${isLeasedTooLong}) as found`,
    [...late, ...leased],
  );
  if (row?.found !== 1) return;
  await transaction('rows', async (tx) => {
    await tx.run(`update deliveries set leased_until_ms = 0 where ${isLeasedTooLong}`, leased);
    await tx.run(`update deliveries set next_ms = ? where ${isTooLate}`, [nowMs, ...late]);
  });
}
