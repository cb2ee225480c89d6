import { type Engine, readColumn, type Writer } from '../engine.ts';

/** Small enough for a short transaction, also with many deliveries of each event. */
const maxDeleted = 100;

/**
 * Deletes some events from before a time, with their deliveries and attempts: the oldest of each account, up to one whose
 * delivery is pending. An account's newest event stays, because the next one counts on from it. Returns whether there may
 * be more.
 */
export async function deleteOldEvents(
  { reader, transaction }: Pick<Engine, 'reader' | 'transaction'>,
  beforeMs: number,
): Promise<boolean> {
  let hasMore = false;
  // The accounts whose oldest event is from before a time and not the only one. One probe each.
  const ofAccount = 'from events where account_id = accounts.id order by seq limit 1';
  const accounts = `select id from accounts where (select created_ms ${ofAccount}) < ?
    and (select seq ${ofAccount} offset 1) is not null`;
  for (const accountId of await readColumn<string>(reader, accounts, [beforeMs])) {
    const isDeleted = await transaction({ accountId }, (tx) => deleteOldest(tx, accountId, beforeMs));
    hasMore ||= isDeleted;
  }
  return hasMore;
}

/**
 * Keeps the newest event, from which the next one counts on, and all from the first pending delivery on. Returns whether
 * there were any to delete.
 */
async function deleteOldest(tx: Writer, accountId: string, beforeMs: number): Promise<boolean> {
  const text = `with oldest as (select seq, created_ms from events where account_id = ? order by seq limit ${maxDeleted + 1}),
    kept (seq) as (select max(seq) from oldest
      union all select min(seq) from oldest where created_ms >= ?
      union all select min(event_seq) from deliveries
        where account_id = ? and event_seq <= (select max(seq) from oldest) and next_ms is not null)
    select max(seq) from oldest where seq < (select min(seq) from kept)`;
  const [last] = await readColumn<number | null>(tx, text, [accountId, beforeMs, accountId]);
  if (last == null) return false;
  for (const table of ['delivery_attempts', 'deliveries']) {
    await tx.run(`delete from ${table} where account_id = ? and event_seq <= ?`, [accountId, last]);
  }
  await tx.run('delete from events where account_id = ? and seq <= ?', [accountId, last]);
  return true;
}

// A first attempt is due at once.
const isTooLate =
  'next_ms is not null and next_ms > cast(? as bigint) + case attempts when 0 then 0 else cast(? as bigint) end';
const isLeasedTooLong = 'leased_until_ms > 0 and leased_until_ms > ?';

/**
 * Makes deliveries due that were scheduled before the clock was set back, and ends leases from then: those that are
 * further ahead than they can be.
 */
export async function rescheduleDeliveries(
  { reader, transaction }: Pick<Engine, 'reader' | 'transaction'>,
  { nowMs, maxRetryDelayMs, maxLeaseMs }: { nowMs: number; maxRetryDelayMs: number; maxLeaseMs: number },
): Promise<void> {
  const late = [nowMs, maxRetryDelayMs];
  const leased = [nowMs + maxLeaseMs];
  const text = `select 1 as found where exists (select 1 from deliveries where ${isTooLate})
    or exists (select 1 from deliveries where ${isLeasedTooLong})`;
  if ((await reader.run(text, [...late, ...leased])).length === 0) return;
  await transaction('rows', async (tx) => {
    await tx.run(`update deliveries set leased_until_ms = 0 where ${isLeasedTooLong}`, leased);
    await tx.run(`update deliveries set next_ms = ? where ${isTooLate}`, [nowMs, ...late]);
  });
}
