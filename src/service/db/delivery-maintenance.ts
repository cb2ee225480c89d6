import type { Database } from './database.ts';

/** Small enough that nobody waits long for the transaction. */
const mostDropped = 200;

/**
 * Drops some of the events, deliveries and tries from before a moment. Answers whether there may be more.
 * The oldest come first, so a few rows tell whether there are any; only then is anything written.
 */
export async function deleteOldDeliveries(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  beforeMs: number,
): Promise<boolean> {
  const [oldest] = await read<{ event: number | null; delivery: number | null }>(
    `select (select created_ms from events order by seq limit 1) as event,
      (select created_ms from deliveries order by seq limit 1) as delivery`,
    {},
  );
  const first = Math.min(oldest?.event ?? beforeMs, oldest?.delivery ?? beforeMs);
  if (first >= beforeMs) return false;
  const dropped = await transaction(async (tx) => {
    const olds = `select id from deliveries where seq in (select seq from deliveries order by seq limit ${mostDropped})
      and created_ms < ?`;
    await tx.run(`delete from delivery_attempts where delivery_id in (${olds})`, [beforeMs]);
    const deliveries = await tx.run(`${dropFrom('deliveries')} returning seq`, [beforeMs]);
    const events = await tx.run(`${dropFrom('events')} and ${isDelivered} returning seq`, [beforeMs]);
    return deliveries.length + events.length;
  });
  return dropped > 0;
}

/** Deliveries follow the order of their events, so those before the first one's have none left. */
const isDelivered = 'seq < ifnull((select event_seq from deliveries order by seq limit 1), seq + 1)';

function dropFrom(table: 'deliveries' | 'events'): string {
  return `delete from ${table} where created_ms < ?
    and seq in (select seq from ${table} order by seq limit ${mostDropped})`;
}

/** How far off a moment can rightly be; what is further away was written by a clock that has been set back since. */
export interface ClockLimits {
  readonly nowMs: number;
  readonly maxRetryDelayMs: number;
  readonly maxLeaseMs: number;
}

const tooLate = 'next_ms > :nowMs + iif(attempts = 0, 0, :mostPauseMs)';
const heldTooLong = 'leased_until_ms > 0 and leased_until_ms > :nowMs + :mostLeaseMs';

/**
 * Makes deliveries due that would wait for a moment which a clock showed before it was set back, and ends leases of
 * that kind. A first try is due at once, so none is ahead of the clock.
 */
export async function rescheduleDeliveries(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  { nowMs, maxRetryDelayMs: mostPauseMs, maxLeaseMs: mostLeaseMs }: ClockLimits,
): Promise<void> {
  const [found] = await read<{ found: number }>(
    `select exists (select 1 from deliveries where next_ms is not null and ${tooLate})
      or exists (select 1 from deliveries where ${heldTooLong}) as found`,
    { nowMs, mostPauseMs, mostLeaseMs },
  );
  if (found?.found !== 1) return;
  await transaction(async (tx) => {
    await tx.run(
      'update deliveries set leased_until_ms = 0 where leased_until_ms > 0 and leased_until_ms > ?',
      [nowMs + mostLeaseMs],
    );
    await tx.run(
      'update deliveries set next_ms = ? where next_ms is not null and next_ms > ? + iif(attempts = 0, 0, ?)',
      [nowMs, nowMs, mostPauseMs],
    );
  });
}
