import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOnlyClientFields } from '../../../src/contract/client.ts';
import { combineClients } from '../../../src/contract/client-merging.ts';
import { mergeClients, unmergeClients } from '../../../src/service/domain/client-merge.ts';
import { getClient, updateClient } from '../../../src/service/domain/clients.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { readSalon } from '../../support/salon-state.ts';
import { countBySpeed } from '../../support/speed.ts';

const client = fc.record({
  first_name: fc.constantFrom('Ana', 'Anna', 'Bo'),
  last_name: fc.constantFrom(null, 'Costa'),
  phone: fc.constantFrom(null, '+351912345678', '+351912345679'),
  notes: fc.constantFrom(null, 'Tea', 'Coffee', 'Tea\nNuts'),
  tags: fc.constantFrom<string[]>([], ['vip'], ['new', 'VIP']),
  email_marketing_consent: fc.boolean(),
});
const numRuns = countBySpeed(8, 200);

async function readFields(salon: TestSalon, id: string): Promise<object> {
  const record: object = await getClient(salon.as(), id);
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !readOnlyClientFields.some((other) => other === name)),
  );
}

describe('several merges into one client', () => {
  it('undone in any order leave what the remaining ones would have made', async () => {
    const others = fc.array(client, { minLength: 2, maxLength: 4 }).chain((list) =>
      fc.record({
        list: fc.constant(list),
        order: fc.shuffledSubarray([...list.keys()], { minLength: list.length }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(client, others, async (first, { list, order }) => {
        await using salon = await openTestSalon();
        const into = await salon.addClient(first);
        const ids: string[] = [];
        for (const other of list) ids.push(await salon.addClient(other));
        const originals = await Promise.all([into, ...ids].map((id) => readFields(salon, id)));
        for (const from of ids) await mergeClients(salon.as(), into, { from });
        const remaining = new Set(ids.keys());
        for (const index of order) {
          const { kept_fields } = await unmergeClients(salon.as(), into, { from: ids[index] });
          expect(kept_fields).toEqual([]);
          remaining.delete(index);
          let expected: Record<string, unknown> = { ...originals[0] };
          for (const one of remaining) {
            const combined = combineClients(expected, { ...originals[one + 1] }, []);
            expected = Object.fromEntries(combined.map(({ field, result }) => [field, result]));
          }
          expect(await readFields(salon, into)).toEqual(expected);
          expect(await readFields(salon, ids[index] ?? '')).toEqual(originals[index + 1]);
        }
      }),
      { numRuns },
    );
  });

  it('and of merged clients into others, undone in any possible order, leave the salon as before', async () => {
    const step = fc.record({ into: fc.nat(4), from: fc.nat(4) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(client, { minLength: 5, maxLength: 5 }),
        fc.array(step, { minLength: 3, maxLength: 8 }),
        fc.infiniteStream(fc.nat(9)),
        async (clients, steps, choices) => {
          await using salon = await openTestSalon();
          const ids: string[] = [];
          for (const one of clients) ids.push(await salon.addClient(one));
          for (const id of ids) await salon.addAppointment({ client_id: id });
          const before = await readSalon(salon.store.database);
          const open: { into: string; from: string }[] = [];
          for (const { into: to, from: of } of steps) {
            const [into = '', from = ''] = [ids[to], ids[of]];
            const done = await mergeClients(salon.as(), into, { from }).catch(() => undefined);
            if (done !== undefined) open.push({ into, from });
          }
          while (open.length > 0) {
            const possible = open.filter(({ into }) => !open.some(({ from }) => from === into));
            const merge = possible[(choices.next().value ?? 0) % possible.length];
            if (merge === undefined) throw new Error('One can always be undone.');
            await unmergeClients(salon.as(), merge.into, { from: merge.from });
            open.splice(open.indexOf(merge), 1);
          }
          expect(await readSalon(salon.store.database)).toEqual(before);
        },
      ),
      { numRuns },
    );
  });

  it('keeps what was chosen in a later one, and what was changed between them', async () => {
    await using salon = await openTestSalon();
    const into = await salon.addClient({ first_name: 'Ana', notes: 'Own' });
    const one = await salon.addClient({
      notes: 'One',
      phone: '+351912345678',
      tags: ['one'],
      first_name: 'A',
    });
    const two = await salon.addClient({ notes: 'Two', first_name: 'A' });
    await mergeClients(salon.as(), into, { from: one });
    await updateClient(salon.as(), into, { change: { tags: ['one', 'between'] } });
    await mergeClients(salon.as(), into, { from: two, fields: { notes: 'Chosen' } });
    expect(await unmergeClients(salon.as(), into, { from: one })).toMatchObject({
      kept_fields: ['notes', 'tags'],
      client: { notes: 'Chosen', phone: null, tags: ['one', 'between'] },
    });
    expect(await unmergeClients(salon.as(), into, {})).toMatchObject({
      kept_fields: [],
      client: { notes: 'Own', tags: ['one', 'between'] },
    });
  });
});
