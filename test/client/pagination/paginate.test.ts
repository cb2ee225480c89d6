import { describe, expect, it } from 'vitest';
import type { FetchedPage, FetchPage, PageRequest } from '../../../src/client/pagination/page.ts';
import { paginate } from '../../../src/client/pagination/paginate.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { collect } from '../../support/collect.ts';
import { refusal } from '../../support/open-client.ts';

/** Fetches pages of two rows from a list of this many pages, and counts the pages in flight. */
function createReader(pages: number) {
  const requested: number[] = [];
  const signals: AbortSignal[] = [];
  const state = { inFlight: 0, most: 0 };
  const fetchPage: FetchPage<{ id: string }> = async (request, signal) => {
    requested.push(request.page);
    signals.push(signal);
    state.inFlight += 1;
    state.most = Math.max(state.most, state.inFlight);
    await Promise.resolve();
    state.inFlight -= 1;
    return toFetchedPage(request, [{ id: `${request.page}a` }, { id: `${request.page}b` }], pages * 2);
  };
  return { fetchPage, requested, signals, state };
}

function toFetchedPage<T>(request: PageRequest, rows: T[], total?: number): FetchedPage<T> {
  const counted = {
    request: request,
    count: rows.length,
    total,
    perPage: 2,
    next: undefined,
    cursor: undefined,
    isEnd: false,
    more: undefined,
    isNumbered: true,
  };
  return { rows, page: request.page, total, version: undefined, echo: undefined, info: counted };
}

describe('pagination', () => {
  it('reads two thousand pages with at most twice its concurrency in flight or waiting', async () => {
    const { fetchPage, requested, state } = createReader(2000);
    let rows = 0;
    let ahead = 0;
    for await (const page of paginate(fetchPage, { concurrency: 4 })) {
      rows += page.rows.length;
      ahead = Math.max(ahead, requested.length - page.page);
    }
    expect(rows).toBe(4000);
    expect(requested).toHaveLength(2000);
    expect(ahead).toBe(8);
    expect(state.most).toBeLessThanOrEqual(8);
  });

  it('prefetches pages while one is used, and stops while its reader waits', async () => {
    const { fetchPage, requested } = createReader(9);
    const pages = paginate(fetchPage, { concurrency: 2 })[Symbol.asyncIterator]();
    await pages.next();
    await new Promise(setImmediate);
    expect(requested).toEqual([1, 2, 3, 4, 5]);
    await pages.return();
  });

  it('sends nothing before the first page is requested', () => {
    const { fetchPage, requested } = createReader(3);
    paginate(fetchPage);
    expect(requested).toEqual([]);
  });

  it('cancels requests in flight when its reader stops', async () => {
    const { fetchPage, signals } = createReader(3);
    for await (const _page of paginate(fetchPage)) break;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it.each([
    [0, [], 0],
    [1, [1], 1],
    [2, [1], 2],
    [3, [1, 2], 3],
    [100, [1, 2, 3], 6],
  ])('with a limit of %i requests the pages %j and returns %i rows', async (limit, pages, rows) => {
    const { fetchPage, requested } = createReader(3);
    const read = await collect(paginate(fetchPage, { limit }));
    expect(read.flatMap((page) => page.rows)).toHaveLength(rows);
    expect(requested).toEqual(pages);
  });

  it('adds its progress to an error and keeps the other details', async () => {
    const { fetchPage } = createReader(5);
    const failing: FetchPage<{ id: string }> = (request, signal) => {
      if (request.page < 3) return fetchPage(request, signal);
      throw new SalonError('timeout', 'No answer.', { retryable: true, requestId: 'req_1' });
    };
    const error = await refusal(collect(paginate(async (...request) => failing(...request))));
    expect(error).toMatchObject({
      code: 'timeout',
      message: 'No answer (at page 3, after 4 rows).',
      retryable: true,
      requestId: 'req_1',
      members: { page: 3, rows_read: 4 },
    });
  });

  it('returns the page before a failure first', async () => {
    const { fetchPage } = createReader(5);
    const pages = paginate<{ id: string }>(async (request, signal) => {
      if (request.page === 2) throw new SalonError('response_truncated', 'Cut.');
      return fetchPage(request, signal);
    })[Symbol.asyncIterator]();
    expect((await pages.next()).value).toMatchObject({ page: 1 });
    expect((await refusal(pages.next())).code).toBe('response_truncated');
  });
});

describe('a repeated page', () => {
  it.each([
    ['rows with identifiers', [{ id: 'a', seen: 1 }, { id: 'b' }], [{ id: 'a', seen: 2 }, { id: 'b' }]],
    ['rows without identifiers', [{ name: 'a' }, { name: 'b' }], [{ name: 'a' }, { name: 'b' }]],
    ['rows that are no objects', ['a', null], ['a', null]],
  ])('is an error with %s', async (_what, first, second) => {
    const fetchPage: FetchPage<unknown> = async (request) =>
      toFetchedPage<unknown>(request, request.page === 1 ? first : second);
    expect((await refusal(collect(paginate(fetchPage)))).code).toBe('page_repeated');
  });

  it('is an error if the reported page number does not change', async () => {
    const fetchPage: FetchPage<unknown> = async (request) => ({
      ...toFetchedPage(request, [request.page, -request.page]),
      echo: 1,
    });
    expect((await refusal(collect(paginate(fetchPage)))).code).toBe('page_repeated');
  });

  it('is not assumed for the same rows in another order', async () => {
    const fetchPage: FetchPage<unknown> = async (request) =>
      toFetchedPage(
        request,
        [
          ['a', 'b'],
          ['b', 'a'],
        ][request.page - 1] ?? [],
      );
    expect(await collect(paginate(fetchPage))).toHaveLength(3);
  });
});
