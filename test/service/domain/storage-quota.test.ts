import { describe, expect, it } from 'vitest';
import { readLogEnds } from '../../../src/service/db/deliveries/events.ts';
import { cancelAppointment, updateAppointment } from '../../../src/service/domain/appointments.ts';
import { deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import { toStorageQuota } from '../../../src/service/domain/limits.ts';
import { createStylist, updateStylist } from '../../../src/service/domain/stylists.ts';
import { createWebhook, updateWebhook } from '../../../src/service/domain/webhooks.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const tables = ['clients', 'appointments', 'stylists', 'payments', 'webhooks'] as const;

/** Bytes of a column, counted row by row; of a log without its oldest position. */
async function countBytes(
  { store, accountId }: TestSalon,
  [table, column]: readonly [string, string],
  log?: 'events' | 'audit_entries',
): Promise<number> {
  const first = `(select min(seq) from ${log} where account_id = ?)`;
  const text = `select ${column} as text from ${table} where account_id = ?
    ${log === undefined ? '' : `and seq > ${first}`}`;
  const values = log === undefined ? [accountId] : [accountId, accountId];
  const rows = await store.database.reader.run<{ text: string | null }>(text, values);
  return rows.reduce((sum, row) => sum + Buffer.byteLength(row.text ?? ''), 0);
}

/** Raises what the account stores to a share of its quota. */
async function fill(
  { store, accountId, as }: TestSalon,
  share: number,
  name: (typeof tables)[number] = 'stylists',
): Promise<void> {
  const quota = toStorageQuota(as().caller.account.hourlyLimit);
  await store.database.transaction({ accountId }, (tx) =>
    tx.run('update collections set bytes = ? where account_id = ? and name = ?', [
      ...[Math.floor(quota * share), accountId, name],
    ]),
  );
}

const refused = { code: 'storage_quota_exceeded', members: { quota_bytes: 5000 * 2 ** 20 } };

describe('what an account stores', () => {
  it('is counted with every write', async () => {
    await using salon = await openTestSalon();
    await addWebhook(salon);
    const client = await salon.addClient({ first_name: 'Zoë', notes: 'Grüße' });
    const appointment = await salon.addAppointment({ client_id: client });
    await salon.addAppointment();
    await updateAppointment(salon.as(), appointment, { change: { notes: 'A longer note' } });
    await updateClient(salon.as(), client, { change: { notes: null } });
    await cancelAppointment(salon.as(), appointment, {});
    const { reader } = salon.store.database;
    const logs =
      (await countBytes(salon, ['events', 'body'], 'events')) +
      (await countBytes(salon, ['audit_entries', 'changes'], 'audit_entries')) +
      (await countBytes(salon, ['audit_values', 'body'], 'audit_entries'));
    let records = 0;
    for (const table of tables) records += await countBytes(salon, [table, 'record']);
    expect(
      (await readLogEnds(reader, { accountId: salon.accountId, collection: 'clients' })).storedBytes,
    ).toBe(records + logs);
    await deleteClient(salon.as(), client, { force: true });
    const stored = await reader.run("select bytes from collections where name = 'clients'", []);
    expect(stored[0]).toEqual({ bytes: await countBytes(salon, ['clients', 'record']) });
  });

  it('above the quota refuses new records, and lets changes end the day', async () => {
    await using salon = await openTestSalon();
    const client = await salon.addClient();
    const appointment = await salon.addAppointment({ client_id: client });
    await fill(salon, 1.05);
    await expect(salon.addClient()).rejects.toMatchObject(refused);
    await updateAppointment(salon.as(), appointment, { change: { notes: 'x' } });
    await fill(salon, 1.11);
    await expect(updateClient(salon.as(), client, { change: { notes: 'x' } })).rejects.toMatchObject(refused);
    await cancelAppointment(salon.as(), appointment, {});
    await deleteClient(salon.as(), client, { force: false });
    await fill(salon, 0.99);
    await salon.addClient();
  });

  it('above the quota refuses new stylists and webhooks, too, and saves nothing of them', async () => {
    await using salon = await openTestSalon();
    const { id } = await createStylist(salon.as(), { first_name: 'Sam' });
    const { id: webhook } = await createWebhook(salon.as(), { url: 'https://shop.example/hook' });
    await fill(salon, 1.05, 'clients');
    await expect(createStylist(salon.as(), { first_name: 'Eva' })).rejects.toMatchObject(refused);
    await expect(createWebhook(salon.as(), { url: 'https://shop.example/other' })).rejects.toMatchObject(
      refused,
    );
    await updateStylist(salon.as(), id, { change: { last_name: 'Reed' } });
    await fill(salon, 1.11, 'clients');
    await expect(updateStylist(salon.as(), id, { change: { last_name: 'Roe' } })).rejects.toMatchObject(
      refused,
    );
    await updateWebhook(salon.as(), webhook, { change: { active: false } });
    const { reader } = salon.store.database;
    const text = 'select name, total from collections where total > 0 order by name';
    expect(await reader.run(text, [])).toEqual([
      { name: 'stylists', total: 1 },
      { name: 'webhooks', total: 1 },
    ]);
  });

  it.each([
    ['pro', 5000, 5000],
    ['enterprise', 20_000, 20_000],
    ['a few requests', 10, 1024],
  ])('has a quota that follows the hourly limit: %s', (_title, hourlyLimit, mebibytes) => {
    expect(toStorageQuota(hourlyLimit)).toBe(mebibytes * 2 ** 20);
  });
});
