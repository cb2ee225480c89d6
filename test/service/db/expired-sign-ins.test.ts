import { describe, expect, it } from 'vitest';
import { deleteExpiredSignIns } from '../../../src/service/db/identity/sessions.ts';
import { cleanUp } from '../../../src/service/domain/clean-up.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const day = 86_400_000;

async function addSession(
  { store, accountId }: TestSalon,
  id: string,
  lastUsedMs: number,
  expiresMs: number,
) {
  await store.database.transaction('service', async (tx) => {
    await tx.run(
      `insert into users (id, email, email_key, name, password_hash, created_at)
        values ('usr_1', 'ana@salon.example', 'ana@salon.example', 'Ana', '', '2026-01-01T00:00:00.000Z')
        on conflict do nothing`,
      [],
    );
    await tx.run(
      `insert into sessions (hash, id, user_id, account_id, created_ms, last_used_ms, expires_ms, authenticated_ms)
        values (?, ?, 'usr_1', ?, 0, ?, ?, 0)`,
      [id, id, accountId, lastUsedMs, expiresMs],
    );
  });
}

const readIds = ({ store }: TestSalon) =>
  store.database.reader.run('select id from sessions order by id', []);

describe('the clean-up of sign-ins', () => {
  it('deletes sessions that have expired or were not used, although nobody signs in again', async () => {
    await using salon = await openTestSalon();
    const now = salon.environment.now().getTime();
    await addSession(salon, 'active', now - 13 * day, now + day);
    await addSession(salon, 'expired', now - day, now);
    await addSession(salon, 'idle', now - 14 * day, now + day);
    await cleanUp(salon.store.database, salon.environment, { isPruning: true });
    expect(await readIds(salon)).toEqual([{ id: 'active' }]);
  });

  it('keeps an ended link for 30 days, so that it can be told from an unknown one', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    await database.transaction('service', (tx) =>
      tx.run(
        `insert into one_time_links (hash, id, kind, account_id, email, email_key, is_mailed, removes_second_factor,
          created_ms, expires_ms) values ('h', 'inv_1', 'invitation', ?, 'a@b.example', 'a@b.example', 0, 0, 0, ?)`,
        [salon.accountId, 7 * day],
      ),
    );
    const count = async (nowMs: number) => {
      await deleteExpiredSignIns(database, { nowMs, idleSinceMs: 0 });
      return (await database.reader.run('select id from one_time_links', [])).length;
    };
    expect([await count(37 * day - 1), await count(37 * day)]).toEqual([1, 0]);
  });

  it('writes nothing when there is nothing to delete', async () => {
    await using salon = await openTestSalon();
    const { reader } = salon.store.database;
    const transaction = () => Promise.reject(new Error('A transaction began.'));
    await deleteExpiredSignIns({ reader, transaction }, { nowMs: 0, idleSinceMs: 0 });
  });
});
