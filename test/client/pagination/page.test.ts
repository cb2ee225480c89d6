import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPageRequest, type PageInfo, pageSizeFor } from '../../../src/client/pagination/page.ts';

const info: PageInfo = {
  request: { page: 1 },
  count: 200,
  total: undefined,
  perPage: undefined,
  next: undefined,
  cursor: undefined,
  isEnd: false,
  more: undefined,
  isNumbered: true,
};

describe('the next page request', () => {
  const second = { page: 2 };
  const cases: [string, Partial<PageInfo>, number, unknown][] = [
    ['to the next number, while there are more in all', { total: 450 }, 200, second],
    ['nowhere, when all are read', { total: 200 }, 200, undefined],
    ['is the link after an empty page', { count: 0, total: 900, next: '/x' }, 200, { page: 2, link: '/x' }],
    ['is undefined after an empty page', { count: 0, total: 900 }, 200, undefined],
    [
      'is the next number after an empty page that says that there is more',
      { count: 0, more: 'has_more' },
      200,
      second,
    ],
    [
      'is the next number while the server says that there is more, whatever the total',
      { total: 200, more: 'last' },
      200,
      second,
    ],
    [
      'is a link, whatever the total',
      { total: 200, next: '/x?after=a' },
      200,
      { page: 2, link: '/x?after=a' },
    ],
    ['is undefined where the server says that the list ends', { total: 900, isEnd: true }, 200, undefined],
    ['to the next number, when the total is zero with rows in hand', { total: 0 }, 200, second],
    ['to the next number, when the total is less than was read', { total: 150 }, 200, second],
    ['is the next number after a short page with a larger total', { count: 150, total: 450 }, 150, second],
    ['to the next number, without any total', {}, 200, second],
    [
      'is the next number after a first page shorter than the reported size',
      { count: 199, perPage: 200 },
      199,
      second,
    ],
    ['is the next number after a page shorter than an earlier one', { count: 30 }, 230, second],
    ['is undefined after an empty page, without any total', { count: 0 }, 230, undefined],
    ['is the next number after a first page of unknown size', { count: 50 }, 50, second],
    ['nowhere, when pages have no numbers', { isNumbered: false }, 200, undefined],
  ];
  it.each(cases)('%s', (_where, more, rows, request) => {
    expect(nextPageRequest({ ...info, ...more }, rows)).toEqual(request);
  });
});

describe('the page size', () => {
  it.each([
    [undefined, 200],
    [0, 200],
    [1, 1],
    [200, 200],
    [201, 101],
    [250, 125],
    [1000, 200],
  ])('for a limit of %s is %i', (limit, size) => {
    expect(pageSizeFor(limit, 200)).toBe(size);
  });

  it('needs the fewest requests and rows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 500 }), (limit, most) => {
        const size = pageSizeFor(limit, most);
        const pages = Math.ceil(limit / size);
        expect(size).toBeLessThanOrEqual(most);
        expect(pages).toBe(Math.ceil(limit / most));
        expect(pages * size - limit).toBeLessThan(pages);
      }),
    );
  });
});
