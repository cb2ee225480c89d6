import { expect, it } from 'vitest';
import { openDatabase } from '../../../../src/service/db/database.ts';
import { openTestDatabase, plainAccount } from '../../../support/database.ts';
import { openDeafProxy } from '../../../support/deaf-proxy.ts';

it('never does anything twice when the connection is lost with the commit under way', async () => {
  await using store = await openTestDatabase();
  await store.database.transaction('service', async (tx) => {
    await tx
      .insertInto('accounts')
      .values({ id: 'acc_1', name: 'One', ...plainAccount })
      .execute();
    await tx.run('insert into audit_settings (account_id, kept_days) values (?, 0)', ['acc_1']);
  });
  const readCount = () => store.database.reader.run('select kept_days as days from audit_settings', []);
  const { hostname: host, port, href } = new URL(store.location);
  await using proxy = await openDeafProxy({ host, port: Number(port) });
  const database = await openDatabase(Object.assign(new URL(href), { port: String(proxy.port) }).href);

  let runs = 0;
  let committing = Promise.resolve();
  const change = database.transaction({ accountId: 'acc_1' }, async (tx) => {
    runs += 1;
    await tx.run('select 1 as one', []);
    if (runs === 1) committing = proxy.loseAnswers('commit');
    // Nobody waits for it before the commit.
    await tx.run('update audit_settings set kept_days = kept_days + 1 where account_id = ?', ['acc_1']);
  });
  const refused = expect(change).rejects.toThrow('did not confirm a change, which may have been saved');
  await expect.poll(readCount).toEqual([{ days: 1 }]);
  await committing;
  proxy.breakConnections();
  await refused;
  expect([runs, await readCount()]).toEqual([1, [{ days: 1 }]]);
  await database.close();
});
