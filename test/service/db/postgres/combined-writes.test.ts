import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/service/db/database.ts';
import { openTwoAccounts } from '../../../support/database.ts';

const lock = { accountId: 'acc_1' };

async function readDays({ reader }: Database): Promise<number | undefined> {
  const text = "select kept_days as days from audit_settings where account_id = 'acc_1'";
  return (await reader.run<{ days: number }>(text, []))[0]?.days;
}

describe('writes that are sent together', () => {
  it('carry out writes as if one came after the other, however they are sent', async () => {
    await using store = await openTwoAccounts();
    for (const account of ['acc_1', 'acc_2', 'acc_1']) {
      await store.database.transaction({ accountId: account }, async (tx) => {
        const key = [account];
        await tx.run('delete from audit_checkpoints where account_id = ?', key);
        await tx.run('update audit_settings set kept_days = 5 where account_id = ?', key);
        await tx.run('update collections set version = 5 where account_id = ?', key);
        await tx.run('update audit_settings set kept_days = kept_days + 1 where account_id = ?', key);
        await tx.run(
          "insert into audit_checkpoints (account_id, seq, hash) select account_id, kept_days, 'hash' from audit_settings where account_id = ?",
          key,
        );
        await tx.run('update audit_settings set kept_days = 0 where account_id = ?', key);
      });
    }
    const text = 'select account_id, seq from audit_checkpoints order by account_id';
    expect(await store.database.reader.run(text, [])).toEqual([
      { account_id: 'acc_1', seq: 6 },
      { account_id: 'acc_2', seq: 6 },
    ]);
    expect(await readDays(store.database)).toBe(0);
  });

  it('reject the body whose write fails, also when it was sent with others', async () => {
    await using store = await openTwoAccounts();
    const save = (seq: number, days: number) =>
      store.database.transaction(lock, async (tx) => {
        await tx.run('update audit_settings set kept_days = ? where account_id = ?', [days, 'acc_1']);
        await tx.run("insert into audit_checkpoints (account_id, seq, hash) values (?, ?, 'hash')", [
          `acc_${seq}`,
          seq,
        ]);
      });
    for (const seq of [10, 11]) await save(seq, 1);
    const results = await Promise.allSettled([save(12, 2), save(12, 3), save(13, 4)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await readDays(store.database)).toBe(4);
  });
});
