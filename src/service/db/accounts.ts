import { sql } from 'kysely';
import type { Reader, Writer } from './engine.ts';
import { createCollections } from './records.ts';
import type { Tables } from './tables.ts';

type AccountRow = Tables['accounts'];

/** One account's hour of requests; `start` in Unix seconds. */
export interface RateWindow {
  readonly accountId: string;
  readonly start: number;
}

/** Adds an account with empty collections. */
export async function insertAccount(tx: Writer, account: AccountRow): Promise<void> {
  await tx.insertInto('accounts').values(account).execute();
  await createCollections(tx, account.id);
}

/** All accounts, oldest first. */
export function readAccounts(reader: Reader): Promise<AccountRow[]> {
  return reader.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Whether an account is for trials. */
export async function readSandbox(reader: Reader, id: string): Promise<boolean> {
  const row = await reader.selectFrom('accounts').select('sandbox').where('id', '=', id).executeTakeFirst();
  return row?.sandbox === 1;
}

/** How many requests of a window were granted to processes. */
export async function readGranted(reader: Reader, { accountId, start }: RateWindow): Promise<number> {
  const row = await reader
    .selectFrom('rate_windows')
    .select('granted')
    .where('account_id', '=', accountId)
    .where('window_start', '=', start)
    .executeTakeFirst();
  return row?.granted ?? 0;
}

/** Grants more requests of a window; a negative `count` returns unused ones. */
export async function addGranted(tx: Writer, { accountId, start }: RateWindow, count: number): Promise<void> {
  await tx
    .insertInto('rate_windows')
    .values({ account_id: accountId, window_start: start, granted: count })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'window_start'])
        .doUpdateSet({ granted: sql`rate_windows.granted + ${count}` }),
    )
    .execute();
}

/** Deletes windows that started before a time in Unix seconds. */
export async function deleteWindowsBefore(tx: Writer, accountId: string, start: number): Promise<void> {
  await tx
    .deleteFrom('rate_windows')
    .where('account_id', '=', accountId)
    .where('window_start', '<', start)
    .execute();
}
