import { sql } from 'kysely';
import type { Reader, Writer } from '../engine.ts';

/** One account's hour; `start` in Unix seconds. */
export interface RateWindow {
  readonly accountId: string;
  readonly start: number;
}

/** How many of an hour's requests were handed out. */
export async function readGranted(reader: Reader, { accountId, start }: RateWindow): Promise<number> {
  const row = await reader
    .selectFrom('rate_windows')
    .select('granted')
    .where('account_id', '=', accountId)
    .where('window_start', '=', start)
    .executeTakeFirst();
  return row?.granted ?? 0;
}

/** Hands out more of an hour's requests, or takes unspent ones back when `count` is negative. */
export async function addGranted(tx: Writer, { accountId, start }: RateWindow, count: number): Promise<void> {
  await tx
    .insertInto('rate_windows')
    .values({ account_id: accountId, window_start: start, granted: count })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'window_start']).doUpdateSet({ granted: sql`granted + ${count}` }),
    )
    .execute();
}

/** Forgets hours that ended before a moment, in Unix seconds. */
export async function dropWindowsBefore(tx: Writer, accountId: string, start: number): Promise<void> {
  await tx
    .deleteFrom('rate_windows')
    .where('account_id', '=', accountId)
    .where('window_start', '<', start)
    .execute();
}
