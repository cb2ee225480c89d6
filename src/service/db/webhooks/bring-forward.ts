import type { Database } from '../database.ts';

/** How far off a moment can rightly be; what is further away was written by a clock that has been set back since. */
export interface Horizon {
  readonly nowMs: number;
  readonly mostPauseMs: number;
  readonly mostLeaseMs: number;
}

const tooLate = 'next_ms > :nowMs + iif(attempts = 0, 0, :mostPauseMs)';
const heldTooLong = 'leased_until_ms > 0 and leased_until_ms > :nowMs + :mostLeaseMs';

/**
 * Makes deliveries due that would wait for a moment which a clock showed before it was set back, and ends leases of
 * that kind. A first try is due at once, so none is ahead of the clock.
 */
export async function bringForward(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  { nowMs, mostPauseMs, mostLeaseMs }: Horizon,
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
