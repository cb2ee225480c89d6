import { describe, expect, it } from 'vitest';
import type { ListDialect } from '../../src/client/dialect/dialect.ts';
import { type RecognisedList, recogniseList } from '../../src/client/recognise/recognise-list.ts';
import { openClient } from '../support/open-client.ts';
import { djangoCursor } from '../support/servers/django.ts';
import { feathers } from '../support/servers/feathers.ts';
import { jsonServer } from '../support/servers/json-server.ts';
import { loopback } from '../support/servers/loopback.ts';
import type { OtherServer } from '../support/servers/other-server.ts';
import type { OperatedKind } from './machine.ts';

/** What the software itself reads, so that a way of paging may name nothing else. */
const kinds: readonly (readonly [OperatedKind<OtherServer>, path: string, parameters: readonly string[]])[] =
  [
    [feathers, '/clients', ['$skip', '$limit']],
    [jsonServer, '/clients', ['_page', '_per_page', '_start', '_limit']],
    [loopback, '/clients', ['filter[skip]', 'filter[limit]']],
    [djangoCursor, '/clients/', ['cursor', 'page_size']],
  ];

/** What was found out about the list before. */
const unknown: ListDialect = { paging: 'unknown', pageParameter: null, perPageParameter: null };
const cases = [1, 4, 10, 60, 230].flatMap((count) => [
  [count, 'nothing', undefined] as const,
  [count, 'too few', unknown] as const,
]);

describe.each(kinds.map(([kind, ...rest]) => [kind.name, kind, ...rest] as const))(
  '%s',
  (_name, kind, path, own) => {
    it.each(cases)(
      'with %i clients, after a list of %s, names what it reads',
      async (count, _before, usual) => {
        await using server = await kind.open({ count });
        const found = await recognise(server, path, usual);
        if (found.kind !== 'recognised') return expect(found.kind).toBe('unclear');
        const { pageParameter, perPageParameter } = found.list;
        const named = [pageParameter, perPageParameter].filter((name) => typeof name === 'string');
        expect(own).toEqual(expect.arrayContaining(named));
      },
    );

    it('is asked no more than 12 times', async () => {
      await using server = await kind.open({ count: 60 });
      await recognise(server, path);
      expect(server.received.length).toBeLessThanOrEqual(12);
      expect(new Set(server.received.map(({ method }) => method))).toEqual(new Set(['GET']));
    });
  },
);

async function recognise(server: OtherServer, path: string, usual?: ListDialect): Promise<RecognisedList> {
  await using client = openClient(server.baseUrl, { dialect: { prefix: '' }, retries: 0 });
  const read: Parameters<typeof recogniseList>[0]['read'] = ({ query, headers }) =>
    client.request('GET', path, { query, headers });
  return await recogniseList({ read, nouns: ['clients'], usual });
}
