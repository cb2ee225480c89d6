import type { Database } from '../database.ts';
import type { Reader, Writer } from '../engine.ts';

/** Small enough for a short transaction, also with many deliveries of each event. */
const maxDeleted = 100;

/**
 * Deletes some events from before a time, with their deliveries and attempts: the oldest of each account, up to one whose
 * delivery is pending. An account's newest event stays, because the next one counts on from it. Returns whether there may
 * be more.
 */
export async function deleteOldEvents(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  beforeMs: number,
): Promise<boolean> {
  let hasMore = false;
  for (const accountId of await readAccountsWithOldEvents(reader, beforeMs)) {
    const deleted = await transaction({ accountId }, async (tx) => {
      const through = await readLastToDelete(tx, { accountId, beforeMs });
      if (through === undefined) return 0;
      for (const [table, column] of positions) {
        await tx.run(`delete from ${table} where account_id = ? and ${column} <= ?`, [
          accountId,
          through.seq,
        ]);
      }
      return through.count;
    });
    hasMore ||= deleted > 0;
  }
  return hasMore;
}

const positions = [
  ['delivery_attempts', 'event_seq'],
  ['deliveries', 'event_seq'],
  ['events', 'seq'],
] as const;

/** The accounts whose oldest event is from before a time and not the only one. One probe each. */
async function readAccountsWithOldEvents(reader: Reader, beforeMs: number): Promise<string[]> {
  const ofAccount = 'from events where account_id = accounts.id order by seq limit 1';
  const text = `select id from accounts where (select created_ms ${ofAccount}) < ?
    and (select seq ${ofAccount} offset 1) is not null`;
  return (await reader.run<{ id: string }>(text, [beforeMs])).map(({ id }) => id);
}

async function readLastToDelete(
  tx: Writer,
  { accountId, beforeMs }: { accountId: string; beforeMs: number },
): Promise<{ seq: number; count: number } | undefined> {
  const text = `select seq, created_ms from events where account_id = ? order by seq limit ${maxDeleted + 1}`;
  const events = await tx.run<{ seq: number; created_ms: number }>(text, [accountId]);
  const candidates = events.slice(0, -1);
  const firstKept = candidates.findIndex(({ created_ms }) => created_ms >= beforeMs);
  const old = firstKept === -1 ? candidates : candidates.slice(0, firstKept);
  const last = old.at(-1);
  if (last === undefined) return undefined;
  const pendingText = `select min(event_seq) as seq from deliveries
    where account_id = ? and event_seq <= ? and next_ms is not null`;
  const [pending] = await tx.run<{ seq: number | null }>(pendingText, [accountId, last.seq]);
  const finished = old.filter(({ seq }) => seq < (pending?.seq ?? Number.POSITIVE_INFINITY));
  const through = finished.at(-1);
  return through === undefined ? undefined : { seq: through.seq, count: finished.length };
}

/** How far ahead times can be; anything later was written before the clock was set back. */
export interface ClockLimits {
  readonly nowMs: number;
  readonly maxRetryDelayMs: number;
  readonly maxLeaseMs: number;
}

// A first attempt is due at once.
const isTooLate =
  'next_ms is not null and next_ms > cast(? as bigint) + case attempts when 0 then 0 else cast(? as bigint) end';
const isLeasedTooLong = 'leased_until_ms > 0 and leased_until_ms > ?';

/** Makes deliveries due that were scheduled before the clock was set back, and ends leases from then. */
export async function rescheduleDeliveries(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  { nowMs, maxRetryDelayMs, maxLeaseMs }: ClockLimits,
): Promise<void> {
  const late = [nowMs, maxRetryDelayMs];
  const leased = [nowMs + maxLeaseMs];
  const found = await reader.run(
    `select 1 as found where exists (select 1 from deliveries where ${isTooLate})
      or exists (select 1 from deliveries where ${isLeasedTooLong})`,
    [...late, ...leased],
  );
  if (found.length === 0) return;
  await transaction('rows', async (tx) => {
    await tx.run(`update deliveries set leased_until_ms = 0 where ${isLeasedTooLong}`, leased);
    await tx.run(`update deliveries set next_ms = ? where ${isTooLate}`, [nowMs, ...late]);
  });
}
