import { describe, expect, it } from 'vitest';
import type { FetchedPage, FetchPage, PageRequest } from '../../../src/client/pagination/page.ts';
import { paginate } from '../../../src/client/pagination/paginate.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { collect } from '../../support/collect.ts';
import { refusal } from '../../support/open-client.ts';

/** Reads pages of two rows each from a list of so many pages, and keeps count of what is under way. */
function createReader(pages: number) {
  const asked: number[] = [];
  const signals: AbortSignal[] = [];
  const state = { underWay: 0, most: 0 };
  const readPage: FetchPage<{ id: string }> = async (place, signal) => {
    asked.push(place.page);
    signals.push(signal);
    state.underWay += 1;
    state.most = Math.max(state.most, state.underWay);
    await Promise.resolve();
    state.underWay -= 1;
    return toRead(place, [{ id: `${place.page}a` }, { id: `${place.page}b` }], pages * 2);
  };
  return { readPage, asked, signals, state };
}

function toRead<T>(place: PageRequest, rows: T[], total?: number): FetchedPage<T> {
  const counted = {
    request: place,
    count: rows.length,
    total,
    perPage: 2,
    next: undefined,
    cursor: undefined,
    isLinked: false,
    isNumbered: true,
    mayBeWholeList: false,
  };
  return { rows, page: place.page, total, version: undefined, echo: undefined, info: counted };
}

describe('a walk', () => {
  it('over two thousand pages gives every row, with at most two pages more than its width on the way', async () => {
    const { readPage, asked, state } = createReader(2000);
    let rows = 0;
    let ahead = 0;
    for await (const page of paginate(readPage, { concurrency: 4 })) {
      rows += page.rows.length;
      ahead = Math.max(ahead, asked.length - page.page);
    }
    expect(rows).toBe(4000);
    expect(asked).toHaveLength(2000);
    expect(ahead).toBe(6);
    expect(state.most).toBeLessThanOrEqual(6);
  });

  it('has the pages that follow on their way while one is used, and no more while its reader rests', async () => {
    const { readPage, asked } = createReader(9);
    const pages = paginate(readPage, { concurrency: 2 })[Symbol.asyncIterator]();
    await pages.next();
    await new Promise(setImmediate);
    expect(asked).toEqual([1, 2, 3, 4, 5]);
    await pages.return();
  });

  it('sends nothing before it is begun', () => {
    const { readPage, asked } = createReader(3);
    paginate(readPage);
    expect(asked).toEqual([]);
  });

  it('ends what is under way when its reader leaves', async () => {
    const { readPage, signals } = createReader(3);
    for await (const _page of paginate(readPage)) break;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it.each([
    [0, [], 0],
    [1, [1], 1],
    [2, [1], 2],
    [3, [1, 2], 3],
    [100, [1, 2, 3], 6],
  ])('with a limit of %i asks for pages %j and gives %i rows', async (limit, pages, rows) => {
    const { readPage, asked } = createReader(3);
    const read = await collect(paginate(readPage, { limit }));
    expect(read.flatMap((page) => page.rows)).toHaveLength(rows);
    expect(asked).toEqual(pages);
  });

  it('tells at which page and after how many rows it failed, and keeps the rest of the failure', async () => {
    const { readPage } = createReader(5);
    const failing: FetchPage<{ id: string }> = (place, signal) => {
      if (place.page < 3) return readPage(place, signal);
      throw new SalonError('timeout', 'No answer.', { retryable: true, requestId: 'req_1' });
    };
    const error = await refusal(collect(paginate(async (...place) => failing(...place))));
    expect(error).toMatchObject({
      code: 'timeout',
      message: 'No answer (at page 3, after 4 rows).',
      retryable: true,
      requestId: 'req_1',
      members: { page: 3, rows_read: 4 },
    });
  });

  it('hands out the page before a failure first', async () => {
    const { readPage } = createReader(5);
    const pages = paginate<{ id: string }>(async (place, signal) => {
      if (place.page === 2) throw new SalonError('response_truncated', 'Cut.');
      return readPage(place, signal);
    })[Symbol.asyncIterator]();
    expect((await pages.next()).value).toMatchObject({ page: 1 });
    expect((await refusal(pages.next())).code).toBe('response_truncated');
  });
});

describe('a page that comes twice', () => {
  it.each([
    ['rows with identifiers', [{ id: 'a', seen: 1 }, { id: 'b' }], [{ id: 'a', seen: 2 }, { id: 'b' }]],
    ['rows without identifiers', [{ name: 'a' }, { name: 'b' }], [{ name: 'a' }, { name: 'b' }]],
    ['rows that are no objects', ['a', null], ['a', null]],
  ])('is an error for %s', async (_what, first, second) => {
    const readPage: FetchPage<unknown> = async (place) =>
      toRead<unknown>(place, place.page === 1 ? first : second);
    expect((await refusal(collect(paginate(readPage)))).code).toBe('page_repeated');
  });

  it('is an error when the page number echoed stands still', async () => {
    const readPage: FetchPage<unknown> = async (place) => ({
      ...toRead(place, [place.page, -place.page]),
      echo: 1,
    });
    expect((await refusal(collect(paginate(readPage)))).code).toBe('page_repeated');
  });

  it('is not one that holds the same rows in another order', async () => {
    const readPage: FetchPage<unknown> = async (place) =>
      toRead(
        place,
        [
          ['a', 'b'],
          ['b', 'a'],
        ][place.page - 1] ?? [],
      );
    expect(await collect(paginate(readPage))).toHaveLength(3);
  });
});
