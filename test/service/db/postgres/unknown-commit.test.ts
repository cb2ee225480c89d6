import { expect, it } from 'vitest';
import { openDatabase, readSnapshot, transferDatabase } from '../../../../src/service/db/database.ts';
import { toInsert } from '../../../../src/service/db/rows.ts';
import { openTestDatabase, plainAccount } from '../../../support/database.ts';
import { openDeafProxy } from '../../../support/deaf-proxy.ts';

async function openProxy(location: string) {
  const { hostname: host, port } = new URL(location);
  const proxy = await openDeafProxy({ host, port: Number(port) });
  const address = Object.assign(new URL(location), { port: String(proxy.port) }).href;
  return Object.assign(proxy, { address });
}

it('never does anything twice when the connection is lost with the commit under way', async () => {
  await using store = await openTestDatabase();
  await store.database.transaction('service', async (tx) => {
    await tx.run(...toInsert('accounts', [{ id: 'acc_1', name: 'One', ...plainAccount }]));
    await tx.run('insert into audit_settings (account_id, kept_days) values (?, 0)', ['acc_1']);
  });
  const readCount = () => store.database.reader.run('select kept_days as days from audit_settings', []);
  await using proxy = await openProxy(store.location);
  const database = await openDatabase(proxy.address);

  let runs = 0;
  let committing = Promise.resolve();
  const change = database.transaction({ accountId: 'acc_1' }, async (tx) => {
    runs += 1;
    await tx.run('select 1 as one', []);
    if (runs === 1) committing = proxy.loseAnswersTo('commit');
    await tx.run('update audit_settings set kept_days = kept_days + 1 where account_id = ?', ['acc_1']);
  });
  const refused = expect(change).rejects.toMatchObject({
    code: 'commit_unknown',
    message: 'The database did not confirm a change, which may have been saved.',
  });
  await expect.poll(readCount).toEqual([{ days: 1 }]);
  await committing;
  proxy.breakConnections();
  await refused;
  expect([runs, await readCount()]).toEqual([1, [{ days: 1 }]]);
  await database.close();
});

it('says how to find out whether a copy was saved when its commit is not confirmed', async () => {
  await using source = await openTestDatabase();
  await using target = await openTestDatabase();
  await source.database.transaction('rows', (tx) =>
    tx.run(...toInsert('accounts', [{ id: 'acc_1', name: 'One', ...plainAccount }])),
  );
  await using proxy = await openProxy(target.location);
  const copyTo = (location: string) =>
    readSnapshot(source.location, (snapshot) =>
      transferDatabase(snapshot, location, { givesNewVersions: false, verify: async () => {} }),
    );
  const committing = proxy.loseAnswersTo('commit\0');
  const refused = expect(copyTo(proxy.address)).rejects.toMatchObject({
    code: 'commit_unknown',
    message: 'The database did not confirm a change, which may have been saved.',
    hint: 'Run the command again: it copies the salon, or says that the database already contains one.',
  });
  await committing;
  await expect
    .poll(() => target.database.reader.run('select id from accounts', []))
    .toEqual([{ id: 'acc_1' }]);
  proxy.breakConnections();
  await refused;
  await expect(copyTo(target.location)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/already contains a salon\.$/),
  });
});
