import { describe, expect, it } from 'vitest';
import { parseSort } from '../../../src/client/pagination/list-query.ts';
import { areInOrder, openRowSorter } from '../../../src/client/pagination/sorted-list.ts';
import { collect } from '../../support/collect.ts';
import { openClient } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

describe('the order of rows', () => {
  it.each<[string, string, readonly unknown[], boolean]>([
    ['by number', 'x', [1, 2, 10], true],
    ['by number downwards', '-x', [10, 2, 1], true],
    ['with the same value several times', 'x', ['a', 'a', 'b'], true],
    ['by moment, whatever its zone', 'x', ['2026-11-21T10:00:00+02:00', '2026-11-21T09:00:00Z'], true],
    ['without regard to case and accents', 'x', ['ada', 'Álvaro', 'Ben'], true],
    ['by the characters alone', 'x', ['Ben', 'ada', 'Álvaro'], true],
    ['as in a dictionary', 'x', ['ad', 'æ', 'af'], true],
    ['with those without a value in front', 'x', [null, '', 'a', 'b'], true],
    ['with those without a value last', 'x', ['a', 'b', '', null], true],
    ['not where one is out of order', 'x', [1, 3, 2], false],
    ['not the other way round', '-x', ['a', 'b'], false],
    ['not by moment', 'x', ['2026-11-21T10:00:00Z', '2026-11-21T09:00:00Z'], false],
  ])('%s', (_how, sort, values, expected) => {
    expect(
      areInOrder(
        values.map((x) => ({ x })),
        parseSort(sort),
      ),
    ).toBe(expected);
  });
});

describe('sorting here', () => {
  it.each(['last_name', '-last_name', 'created_at', '-updated_at'] as const)(
    'gives the same order as the service: %s',
    async (sort) => {
      const service = await openSharedService({ clients: 150 });
      const client = openClient(service.origin, {
        credential: { kind: 'bearer', token: service.keys.owner },
      });
      await client.clients.create({ email: 'nobody@example.org' }, { idempotencyKey: 'first' });
      await client.clients.create({ first_name: 'Ana', last_name: '' }, { idempotencyKey: 'second' });
      const read = async (query: object) =>
        (await collect(client.clients.list(query))).flatMap(({ rows }) => rows);
      using sorter = openRowSorter<{ readonly id: string }>(parseSort(sort));
      sorter.add(await read({}));
      const here = [...sorter.sorted()].map(({ id }) => id);
      expect(here).toEqual((await read({ sort })).map(({ id }) => id));
      await client.close();
    },
  );
});
