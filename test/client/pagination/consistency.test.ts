import { describe, expect, it } from 'vitest';
import { paginate } from '../../../src/client/pagination/paginate.ts';
import { collect } from '../../support/collect.ts';
import { createDriftingList } from '../../support/drifting-list.ts';
import { createDriftingPages, type Told } from '../../support/drifting-pages.ts';

const still = { seed: 3, rows: 95, changes: 'none', rate: 1, burst: 1, ids: 'scattered' } as const;

/** Walks a list that stands still, with what its pages say altered. */
async function verdictOn(told: Told, altered: object, options: object = {}) {
  const { readPage } = createDriftingPages(createDriftingList(still), told, 20);
  const pages = paginate(async (place, signal) => {
    const read = await readPage(place, signal);
    return { ...read, ...altered, info: { ...read.info, ...altered } };
  }, options);
  expect(pages.consistency()).toBeUndefined();
  await collect(pages);
  return pages.consistency();
}

describe('the verdict on a walk', () => {
  it('tells rows, totals, pages, requests and versions', async () => {
    expect(await verdictOn('versions and cursors', {})).toEqual({
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

  it.each<[string, Told, object, object, string]>([
    ['the same version everywhere', 'versions and cursors', {}, {}, 'exact'],
    [
      'the same version, and fewer rows than it counts',
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
  ])('with %s', async (_what, told, altered, options, kind) => {
    expect((await verdictOn(told, altered, options))?.kind).toBe(kind);
  });

  it('on a list that comes in one answer is exact', async () => {
    const { readPage } = createDriftingPages(createDriftingList(still), 'total', 100);
    const pages = paginate(readPage);
    await collect(pages);
    expect(pages.consistency()).toMatchObject({ kind: 'exact', requests: 1 });
  });

  it('does not come when its reader leaves', async () => {
    const { readPage } = createDriftingPages(createDriftingList(still), 'total', 20);
    const pages = paginate(readPage);
    for await (const _page of pages) break;
    expect(pages.consistency()).toBeUndefined();
  });
});
