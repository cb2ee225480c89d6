import { beforeEach, describe, expect, it } from 'vitest';
import { mergeClients } from '../../../src/service/domain/client-merge.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import { createWebhook } from '../../../src/service/domain/webhooks.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

let salon: TestSalon;
beforeEach(async () => {
  salon = await openTestSalon();
  const context = salon.as();
  await createWebhook(context, { url: 'https://shop.example/hook', events: ['*'] });
  const erased = await salon.addClient({ first_name: 'Zoë', notes: 'é' });
  await salon.addAppointment({ client_id: erased, notes: 'x' });
  const [kept, merged] = [await salon.addClient(), await salon.addClient({ first_name: 'Eva' })];
  await salon.addAppointment({ client_id: merged, notes: 'y', start_time: '2026-12-02T09:00:00Z' });
  await mergeClients(context, kept, { from: merged });
  await deleteClient(context, erased, { force: true });
  await salon.addClient({ first_name: 'Mia' });
  return () => salon[Symbol.asyncDispose]();
});

async function findProblems(): Promise<readonly string[]> {
  const results = await checkDatabase(salon.store.location);
  return results.find(({ check }) => check === 'stored bytes')?.problems ?? ['not checked'];
}

describe('a check of stored bytes', () => {
  it('passes after an erasure and a merge', async () => {
    expect(await findProblems()).toEqual([]);
  });

  it.each([
    ["update collections set bytes = bytes + 1 where name = 'clients'", /the bytes of clients are \d+, but/],
    [
      "update collections set bytes = 0 where name = 'webhooks'",
      /the bytes of webhooks are 0, but the records/,
    ],
    [
      'update events set stored_bytes = stored_bytes + 1 where seq = (select max(seq) from events)',
      /row \d+ of events added \d+ to the stored bytes, but has \d+\./,
    ],
    ['update events set stored_bytes = 0', /row 2 of events added 0 to/],
    ['update events set stored_bytes = stored_bytes - 9 where seq = 2', /row 2 of events/],
    [
      'update audit_entries set stored_bytes = stored_bytes + 1 where seq = (select max(seq) from audit_entries)',
      /row \d+ of audit_entries added \d+ to the stored bytes, but has \d+\./,
    ],
  ])('finds what this has damaged: %s', async (text, expected) => {
    await salon.store.database.transaction('service', async (tx) => {
      if (!salon.store.location.startsWith('postgres'))
        await tx.run('drop trigger audit_entries_unchanged', []);
      await tx.run(text, []);
    });
    expect((await findProblems()).join('\n')).toMatch(expected);
  });
});
