import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addClient, deleteClient, listClients, updateClient } from '../../../src/service/domain/clients.ts';
import { matchesTerms, toSearchTerms, toSearchText } from '../../../src/text/search-text.ts';
import { openTestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const syllable = fc.constantFrom(
  'ana',
  'Li',
  'Ö',
  'zoë',
  'Mül',
  'ler',
  "O'",
  '-',
  ' ',
  '王',
  '김',
  'ß',
  'ue',
  'ی',
  'ي',
  '"',
  '*',
);
const name = fc.array(syllable, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const phone = fc.constantFrom('+44 20 7946 0018', '020 7946 0019', '+393631234567', '5550123', null);
const person = fc
  .record({ first_name: name, last_name: name, phone })
  .filter(({ first_name, last_name }) => `${first_name}${last_name}`.trim() !== '');
const query = fc.oneof(name, name, fc.constantFrom('0018', '020 79', '+44 20 7946', '7946', '0', '+39'));

describe('the search of clients', () => {
  it('finds whom a comparison of every client finds, after changes and deletions', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { minLength: 12, maxLength: 24 }),
        fc.array(query, { minLength: 4, maxLength: 8 }),
        async (people, queries) => {
          const neighbour = await salon.openNeighbour();
          const own = neighbour.as();
          const bodies = new Map<string, (typeof people)[number]>();
          for (const body of people) bodies.set((await addClient(own, body)).id, body);
          const [changed = '', removed = ''] = bodies.keys();
          await updateClient(own, changed, { change: { last_name: 'Zanzibar' }, ifMatch: undefined });
          bodies.set(changed, { ...(bodies.get(changed) ?? people[0]), last_name: 'Zanzibar' } as never);
          await deleteClient(own, removed, { force: false, ifMatch: undefined });
          bodies.delete(removed);
          for (const q of [...queries, 'zanzi', 'ZANZIBÁR']) {
            if (q.trim() === '') continue;
            const expected = [...bodies].filter(([, { first_name, last_name, phone: number }]) =>
              matchesTerms(toSearchText([first_name, last_name], '', number ?? ''), toSearchTerms(q)),
            );
            const page = await listClients(own, { q, per_page: 200 });
            const found: { id: string }[] = JSON.parse(page.dataJson.toString());
            expect(found.map(({ id }) => id)).toEqual(expected.map(([id]) => id));
            expect(page.total).toBe(expected.length);
          }
        },
      ),
      { numRuns: countBySpeed(25) },
    );
    expect((await listClients(context, { q: 'zanzibar' })).total).toBe(0);
  });
});
