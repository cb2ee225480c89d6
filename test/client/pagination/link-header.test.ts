import { describe, expect, it } from 'vitest';
import { parseLinks } from '../../../src/client/response-headers.ts';

describe('a Link header', () => {
  it.each([
    ['one link', '</x?page=2>; rel="next"', { next: '/x?page=2' }],
    ['several links', '</x>; rel="first", </x?a=1,2>; rel=next', { first: '/x', next: '/x?a=1,2' }],
    ['several relations of one link', '</x>; rel="first prev"', { first: '/x', prev: '/x' }],
    [
      'a relation in upper case after other parameters',
      '</x>; title="a, b; rel=no"; REL="Next"',
      { next: '/x' },
    ],
    ['the first of two links alike', '</x>; rel=next, </y>; rel=next', { next: '/x' }],
    ['a link without a relation', '</x>', {}],
    ['no link', 'nonsense; rel="next"', {}],
  ])('is parsed with %s', (_what, link, links) => {
    expect(Object.fromEntries(parseLinks({ link }))).toEqual(links);
  });

  it('is parsed across several headers', () => {
    const links = parseLinks({ link: ['</a>; rel=prev', '</b>; rel=next'] });
    expect(Object.fromEntries(links)).toEqual({ prev: '/a', next: '/b' });
  });

  it.each(['<', '<a>;', '<a>; a=', ' ;'])('is fast to parse when it repeats %j', (piece) => {
    const start = process.cpuUsage();
    parseLinks({ link: piece.repeat(16_384 / piece.length) });
    expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
  });
});
