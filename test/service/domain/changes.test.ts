import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { scopes } from '../../../src/contract/roles.ts';
import { pruneAuditLog } from '../../../src/service/domain/audit-retention.ts';
import { readChanges } from '../../../src/service/domain/changes.ts';
import { addClient, deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import { seedAccount } from '../../../src/service/domain/sample/seed.ts';
import { openFollower } from '../../support/follow-changes.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { listRandomWrites, writeAtRandom } from '../../support/random-writes.ts';
import { openTestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const rounds = countBySpeed(40, 400);
const writesPerRound = 25;

/** Writes that change no record of which changes are listed. */
const others = /ApiKey|OauthClient|Webhook|redeliver|checkWrites/;

describe('the changes of an account', () => {
  it('are folded to the records of every list after random writes of every kind', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    const follower = await openFollower(context, 7);
    const random = createRandomNumbers(41);
    const made = new Set<string | undefined>();
    const listMissing = () => listRandomWrites().filter((name) => !made.has(name));
    // IDs are random, so that a kind may succeed late.
    for (let round = 0; round < rounds || (listMissing().length > 0 && round < rounds * 20); round++) {
      for (let count = 0; count < writesPerRound; count++) made.add(await writeAtRandom(context, random));
      await follower.expectSame();
    }
    expect(listMissing()).toEqual([]);
  });

  it('are tried with every endpoint that writes records', () => {
    const writing = Object.entries(endpoints).flatMap(([name, { method }]) =>
      method === 'GET' ? [] : [name],
    );
    expect(listRandomWrites().toSorted()).toEqual(writing.filter((name) => !others.test(name)).toSorted());
  });

  it('are listed once a record, in its present state, the first change first', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    const { position } = await readChanges(context, {});
    const first = await salon.addClient({ first_name: 'Ada' });
    const gone = await salon.addClient({ first_name: 'Bo', notes: 'allergic' });
    await updateClient(context, first, { change: { notes: 'late' } });
    await deleteClient(context, gone, { force: false });
    const { data, has_more } = await readChanges(context, { after: position });
    expect(data.map((text) => JSON.parse(text))).toEqual([
      { resource: 'client', id: first, deleted: false, record: expect.objectContaining({ notes: 'late' }) },
      { resource: 'client', id: gone, deleted: true },
    ]);
    expect(has_more).toBe(false);
  });

  it('go on behind a page, also behind one without changes', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    let { position: after } = await readChanges(context, { kinds: 'stylist,payment' });
    for (const first_name of ['Ada', 'Bo', 'Cy']) await salon.addClient({ first_name });
    const hadMore: boolean[] = [];
    for (let hasMore = true; hasMore; hadMore.push(hasMore)) {
      const page = await readChanges(context, { after, kinds: 'stylist,payment', per_page: 1 });
      expect(page.data).toEqual([]);
      ({ position: after, has_more: hasMore } = page);
    }
    expect(hadMore).toEqual([true, true, false]);
  });
});

describe('a position', () => {
  const expired = { code: 'position_expired', status: 410 };

  it.each([
    ['no position', 'abc'],
    ['a cursor of a list', Buffer.from('[1,2,3]').toString('base64url')],
  ])('is refused when it is %s', async (_what, after) => {
    await using salon = await openTestSalon();
    await expect(readChanges(salon.as(), { after })).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('is one of some kinds, and expires with others', async () => {
    await using salon = await openTestSalon();
    const { position: after } = await readChanges(salon.as(), { kinds: 'client,payment' });
    const same = readChanges(salon.as(), { after, kinds: 'payment,client' });
    await expect(same).resolves.toMatchObject({ data: [] });
    for (const kinds of [{ kinds: 'client' }, {}]) {
      await expect(readChanges(salon.as(), { after, ...kinds })).rejects.toMatchObject(expired);
    }
    await expect(readChanges(salon.as(), { kinds: 'client,webhook' })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('of another account expires, also that of an empty log', async () => {
    await using salon = await openTestSalon();
    const neighbour = await salon.openNeighbour();
    const { position: after } = await readChanges(neighbour.as(), {});
    await expect(readChanges(salon.as(), { after })).rejects.toMatchObject(expired);
  });

  it('of what was written after a backup expires when the backup is restored, and one from before it does not', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    const before = await readChanges(context, {});
    // What a restored backup lacks is what was rolled back.
    const lost = new Error('lost');
    let later = '';
    await context.database
      .transaction({ accountId: salon.accountId }, async (tx) => {
        const transaction: typeof context.database.transaction = (_lock, body) => body(tx);
        const inside = { ...context, database: { ...context.database, transaction, reader: tx } };
        await addClient(inside, { first_name: 'Lost' });
        later = (await readChanges(inside, {})).position;
        throw lost;
      })
      .catch((error: unknown) => expect(error).toBe(lost));
    await expect(readChanges(context, { after: later })).rejects.toMatchObject(expired);
    for (let count = 0; count < 5; count++) await salon.addClient();
    await expect(readChanges(context, { after: later })).rejects.toMatchObject(expired);
    await expect(readChanges(context, { after: before.position })).resolves.toMatchObject({
      has_more: false,
    });
  });

  it('expires when records are added without an entry for each', async () => {
    await using salon = await openTestSalon();
    const { position: after } = await readChanges(salon.as(), {});
    const plan = { clients: 2, appointments: 4, seed: 1, today: salon.environment.now(), extras: false };
    await seedAccount(salon.as(), plan as Parameters<typeof seedAccount>[1]);
    await expect(readChanges(salon.as(), { after })).rejects.toMatchObject(expired);
  });

  it('expires once an entry behind it has been deleted, and not before', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    await salon.addClient();
    const { position: early } = await readChanges(context, {});
    salon.environment.setTime('2026-11-22T12:00:00Z');
    await salon.addClient();
    const { position: late } = await readChanges(context, {});
    salon.environment.setTime('2027-11-21T13:00:00Z');
    await pruneAuditLog(context.database, context.environment);
    await expect(readChanges(context, { after: early })).resolves.toMatchObject({ has_more: false });
    salon.environment.setTime('2027-12-21T13:00:00Z');
    await salon.addClient();
    await pruneAuditLog(context.database, context.environment);
    await expect(readChanges(context, { after: early })).rejects.toMatchObject(expired);
    await expect(readChanges(context, { after: late })).resolves.toMatchObject({ has_more: false });
  });

  it('is given with every kind that may be read, and refused with one that may not', async () => {
    await using salon = await openTestSalon();
    const context = salon.as({ scopes: scopes.filter((scope) => scope !== 'payments:read') });
    await expect(readChanges(context, {})).rejects.toMatchObject({
      ...{ code: 'insufficient_scope', members: { scope: 'payments:read' } },
    });
    await expect(readChanges(context, { kinds: 'client,appointment' })).resolves.toMatchObject({ data: [] });
    const blind = salon.as({ scopes: ['clients:read'] });
    await expect(readChanges(blind, { kinds: 'client' })).rejects.toMatchObject({
      members: { scope: 'changes:read' },
    });
  });
});
