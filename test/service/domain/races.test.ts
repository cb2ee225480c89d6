import { describe, expect, it } from 'vitest';
import { createAppointment } from '../../../src/service/domain/appointments.ts';
import { mergeClients, unmergeClients } from '../../../src/service/domain/client-merge.ts';
import { addClient, deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { createIdempotency } from '../../../src/service/domain/idempotency.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { isDone, race, races } from '../../support/race.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { listTables } from '../../support/salon-state.ts';

const secret = 'prefers-tea';

/** A salon that two processes serve. */
async function openTwice() {
  const salon = await openTestSalon();
  const elsewhere = salon.as({ database: await salon.store.openAgain() });
  return { salon, elsewhere, [Symbol.asyncDispose]: () => salon[Symbol.asyncDispose]() };
}

async function findFaults({ store }: TestSalon): Promise<string[]> {
  return (await checkDatabase(store.location)).flatMap(({ problems }) => problems);
}

/** The tables that hold a text. */
async function findText({ store }: TestSalon, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await listTables(store.database)) {
    const rows = await store.database.reader.run(`select * from ${name}`, []);
    if (JSON.stringify(rows).includes(text)) found.push(name);
  }
  return found;
}

/** A booking names its client in the body. */
const gone = { reason: { code: expect.stringMatching(/^(?:not_found|validation_failed)$/) } };

/** Each of them writes several records. */
const tries = Math.ceil(races / 2);

describe('in two processes at once', () => {
  it('an idempotency key has one effect, and both get its result', async () => {
    await using twice = await openTwice();
    const { salon, elsewhere } = twice;
    const [here, there] = [createIdempotency(), createIdempotency()];
    const add = (context: Context) => addClient(context, { first_name: 'Ada' });
    for (let number = 0; number < races; number++) {
      const request = { key: `key-${number}`, digest: 'digest' };
      const other = { ...request, digest: number % 4 === 3 ? 'other' : 'digest' };
      const results = await race(
        number,
        () => here(salon.as(), request, add),
        () => there(elsewhere, other, add),
      );
      const replays = results.map((result) => (isDone(result) ? Object(result).value.isReplay : 'refused'));
      const expected = other.digest === 'other' ? [false, 'refused'] : [false, true];
      expect(new Set(replays)).toEqual(new Set(expected));
      const refused = results.find((result) => !isDone(result));
      if (refused !== undefined)
        expect(refused).toMatchObject({ reason: { code: 'idempotency_key_reused' } });
      const ids = results.filter(isDone).map((result) => Object(result).value.result.id);
      expect(new Set(ids).size).toBe(1);
    }
    const { reader } = salon.store.database;
    expect(await reader.run('select id from clients', [])).toHaveLength(races);
    expect(await findFaults(salon)).toEqual([]);
  });

  type Act = (
    context: Context,
    ids: { readonly into: string; readonly from: string; readonly stylist: string },
  ) => Promise<unknown>;

  const merge: Act = (context, { into, from }) => mergeClients(context, into, { from });
  const change: Act = (context, { from }) =>
    updateClient(context, from, { change: { notes: `${secret} iced` } });
  const remove: Act = (context, { from }) => deleteClient(context, from, { force: true });
  const removeOther: Act = (context, { into }) => deleteClient(context, into, { force: true });
  const book: Act = (context, { from, stylist }) =>
    createAppointment(context, {
      ...{ client_id: from, stylist_id: stylist, service: 'Cut', notes: secret, duration: 5 },
      ...{ start_time: '2026-12-02T09:00:00Z', allow_overlap: true },
    });

  it.each<[string, Act, Act, 'one' | 'one or both']>([
    ['the same two clients are merged once', merge, merge, 'one'],
    [
      'two clients are not both merged into the other',
      merge,
      (context, { into, from, ...ids }) => merge(context, { ...ids, into: from, from: into }),
      'one',
    ],
    ['a client is erased once', remove, remove, 'one'],
    ['a client is merged or erased', merge, remove, 'one'],
    ['a client is erased with another merged into it, or alone', merge, removeOther, 'one or both'],
    ['a client is changed before it is erased, or not', change, remove, 'one or both'],
    ['a client is booked before it is erased, or not', book, remove, 'one or both'],
    ['a client is booked before it is merged, or not', book, merge, 'one or both'],
  ])('%s', async (_, first, second, done) => {
    await using twice = await openTwice();
    const { salon, elsewhere } = twice;
    const stylist = await salon.addStylist();
    for (let number = 0; number < tries; number++) {
      const text = `${secret}-${number}`;
      const [into, from] = [
        await salon.addClient({ first_name: 'Ana', notes: 'x' }),
        await salon.addClient({ first_name: 'Anna', notes: text }),
      ];
      await salon.addAppointment({ client_id: from, stylist_id: stylist, notes: text, allow_overlap: true });
      const ids = { into, from, stylist };
      const results = await race(
        number,
        () => first(salon.as(), ids),
        () => second(elsewhere, ids),
      );
      const missed = results.filter((result) => !isDone(result));
      if (done === 'one') expect(missed).toHaveLength(1);
      expect(missed.length).toBeLessThanOrEqual(1);
      if (missed.length > 0) expect(missed).toMatchObject([gone]);
    }
    expect(await findFaults(salon)).toEqual([]);
    const isErased = [first, second].includes(remove) && ![first, second].includes(merge);
    if (isErased) expect(await findText(salon, secret)).toEqual([]);
  });

  it('a merge is reversed once, or erased with the client', async () => {
    await using twice = await openTwice();
    const { salon, elsewhere } = twice;
    for (let number = 0; number < tries; number++) {
      const [into, from] = [
        await salon.addClient({ first_name: 'Ana' }),
        await salon.addClient({ first_name: secret }),
      ];
      await mergeClients(salon.as(), into, { from });
      const results = await race(
        number,
        () => unmergeClients(salon.as(), into, { from }),
        () =>
          number % 4 < 2
            ? unmergeClients(elsewhere, into, { from })
            : deleteClient(elsewhere, into, { force: true }),
      );
      const missed = results.filter((result) => !isDone(result));
      if (number % 4 < 2) expect(missed).toMatchObject([{ reason: { code: 'merge_not_reversible' } }]);
      else if (isDone(results[0])) await deleteClient(salon.as(), from, { force: true });
    }
    expect(await findFaults(salon)).toEqual([]);
  });
});
