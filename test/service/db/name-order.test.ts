import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSort } from '../../../src/client/pagination/list-query.ts';
import { openRowSorter } from '../../../src/client/pagination/sorted-list.ts';
import type { Client } from '../../../src/contract/client.ts';
import { listClients } from '../../../src/service/domain/clients.ts';
import { openTestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const part = fc.oneof(
  ...[...'abdeilnoszABDEILNOSZßæœøđðħıłþəŋŧäåćéİş·’´-  гґеєиіјћ'].map((letter) => fc.constant(letter)),
  fc.constantFrom('ŀ', 'dž', 'ﬁ', '\u{20bb7}', '\ufa11', '山', 'ک', 'گ', '\uffee', '💇', '\u00ad'),
);
const lastName = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));

describe('the order of clients by name', () => {
  it('is that in which a command line sorts them itself, with equal names in creation order', async () => {
    await using salon = await openTestSalon();
    await fc.assert(
      fc.asyncProperty(fc.array(lastName, { minLength: 20, maxLength: 40 }), async (names) => {
        const neighbour = await salon.openNeighbour();
        for (const last_name of [...names, ...names.slice(0, 3)]) {
          await neighbour.addClient({ first_name: 'A', last_name });
        }
        const read = async (query: object): Promise<Client[]> =>
          JSON.parse(String((await listClients(neighbour.as(), { per_page: 200, ...query })).dataJson));
        for (const sort of ['last_name', '-last_name'] as const) {
          using sorter = openRowSorter<Client>(parseSort(sort));
          sorter.add(await read({}));
          const here = [...sorter.sorted()].map(({ id, last_name }) => [id, last_name]);
          expect((await read({ sort })).map(({ id, last_name }) => [id, last_name])).toEqual(here);
        }
      }),
      // The first one is two halves for JavaScript, which come before the second one.
      { numRuns: countBySpeed(8), examples: [[['\u{20bb7}田', '\ufa11', 'Łukasik', 'Lyon', 'Zander']]] },
    );
  });

  it('has letters with a stroke, and those of several, where people look for them', async () => {
    await using salon = await openTestSalon();
    const sorted = [
      'Ærø',
      'Đorđević',
      'Dragić',
      'Işık',
      'Ivanov',
      'Łukasik',
      'Lyon',
      'Ødegård',
      'Strauß',
      'Zander',
    ];
    for (const last_name of sorted.toReversed()) await salon.addClient({ last_name });
    const { dataJson } = await listClients(salon.as(), { sort: 'last_name' });
    expect(JSON.parse(String(dataJson)).map(({ last_name }: Client) => last_name)).toEqual(sorted);
  });
});
