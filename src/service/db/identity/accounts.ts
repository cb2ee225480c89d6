import type { PlanName } from '../../../contract/limits.ts';
import type { Reader, Writer } from '../engine.ts';
import { insertCollections } from '../records/records.ts';
import { toInsert } from '../rows.ts';

export interface AccountRow {
  id: string;
  name: string;
  plan: PlanName;
  hourly_limit: number | null;
  /** Whether the account is for trials. */
  sandbox: 0 | 1;
  created_at: string;
  requires_second_factor: 0 | 1;
}

/** One account's hour of requests; `start` in Unix seconds. */
export interface RateWindow {
  readonly accountId: string;
  readonly start: number;
}

/** Adds an account with empty collections. */
export async function insertAccount(tx: Writer, account: AccountRow): Promise<void> {
  await tx.run(...toInsert('accounts', [account]));
  await insertCollections(tx, account.id);
}

/** All accounts, oldest first. */
export function readAccounts(reader: Reader): Promise<AccountRow[]> {
  return reader.run<AccountRow>('select * from accounts order by created_at, id', []);
}

/** Whether an account requires a second factor of everybody. */
export async function readFactorRequirement(reader: Reader, id: string): Promise<boolean> {
  const text = 'select id from accounts where id = ? and requires_second_factor = 1';
  return (await reader.run(text, [id])).length > 0;
}

export async function saveFactorRequirement(tx: Writer, id: string, isRequired: boolean): Promise<void> {
  const text = 'update accounts set requires_second_factor = ? where id = ?';
  await tx.run(text, [isRequired ? 1 : 0, id]);
}

/** Whether an account is for trials. */
export async function readSandbox(reader: Reader, id: string): Promise<boolean> {
  return (await reader.run('select id from accounts where id = ? and sandbox = 1', [id])).length > 0;
}

/** How many requests of a window were granted to processes. */
export async function readGranted(reader: Reader, { accountId, start }: RateWindow): Promise<number> {
  const text = 'select granted from rate_windows where account_id = ? and window_start = ?';
  const [row] = await reader.run<{ granted: number }>(text, [accountId, start]);
  return row?.granted ?? 0;
}

/** Adds requests to those of a window that were granted, or returns some. Returns how many all processes have been granted. */
export async function addGranted(
  tx: Writer,
  { accountId, start }: RateWindow,
  count: number,
): Promise<number> {
  const [row] = await tx.run<{ granted: number }>(
    `insert into rate_windows (account_id, window_start, granted) values (?, ?, ?)
      on conflict (account_id, window_start) do update set granted = rate_windows.granted + excluded.granted
      returning granted`,
    [accountId, start, count],
  );
  return row?.granted ?? 0;
}

/** Deletes windows that started before a time in Unix seconds. */
export async function deleteWindowsBefore(tx: Writer, accountId: string, start: number): Promise<void> {
  await tx.run('delete from rate_windows where account_id = ? and window_start < ?', [accountId, start]);
}
