import { describe, expect, it } from 'vitest';
import { paginate } from '../../../src/client/pagination/paginate.ts';
import { collect } from '../../support/collect.ts';
import { createDriftingList } from '../../support/drifting-list.ts';
import { createDriftingPages, type ListMetadata } from '../../support/drifting-pages.ts';

const still = { seed: 3, rows: 95, changes: 'none', rate: 1, burst: 1, ids: 'scattered' } as const;

/** Reads a list that does not change, with altered pages. */
async function reportOn(metadata: ListMetadata, altered: object, options: object = {}) {
  const { fetchPage } = createDriftingPages(createDriftingList(still), metadata, 20);
  const pages = paginate(async (request, signal) => {
    const read = await fetchPage(request, signal);
    return { ...read, ...altered, info: { ...read.info, ...altered } };
  }, options);
  expect(pages.consistency()).toBeUndefined();
  await collect(pages);
  return pages.consistency();
}

describe('a consistency report', () => {
  it('counts rows, totals, pages, requests and versions', async () => {
    expect(await reportOn('versions and cursors', {})).toEqual({
      kind: 'exact',
      rows: 95,
      distinct: 95,
      firstTotal: 95,
      lastTotal: 95,
      pages: 5,
      requests: 5,
      passes: 1,
      versions: { first: 1, last: 1 },
    });
  });

  it.each<[string, ListMetadata, object, object, string]>([
    ['the same version everywhere', 'versions and cursors', {}, {}, 'exact'],
    [
      'the same version and fewer rows than its total',
      'versions and cursors',
      { total: 96 },
      {},
      'disagreement',
    ],
    ['a total that agrees', 'total', {}, {}, 'consistent'],
    ['a total that is larger', 'total', { total: 200 }, {}, 'disagreement'],
    ['a total that is smaller', 'total', { total: 90 }, {}, 'not proven'],
    ['an order of its own', 'total', {}, { isSorted: true }, 'not proven'],
    ['no total', 'nothing', {}, {}, 'not proven'],
    ['no total, and two passes that agree', 'nothing', {}, { consistent: true }, 'consistent'],
    ['a limit', 'total', {}, { limit: 40 }, 'consistent'],
    ['a limit within one version', 'versions and cursors', {}, { limit: 40 }, 'exact'],
  ])('for a list with %s', async (_what, metadata, altered, options, kind) => {
    expect((await reportOn(metadata, altered, options))?.kind).toBe(kind);
  });

  it('is exact for a list of one page', async () => {
    const { fetchPage } = createDriftingPages(createDriftingList(still), 'total', 100);
    const pages = paginate(fetchPage);
    await collect(pages);
    expect(pages.consistency()).toMatchObject({ kind: 'exact', requests: 1 });
  });

  it('is undefined when its reader stops early', async () => {
    const { fetchPage } = createDriftingPages(createDriftingList(still), 'total', 20);
    const pages = paginate(fetchPage);
    for await (const _page of pages) break;
    expect(pages.consistency()).toBeUndefined();
  });
});
