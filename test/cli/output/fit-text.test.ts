import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { cutEnd, wrapWords } from '../../../src/cli/output/fit-text.ts';

describe('cutEnd', () => {
  it.each([
    ['Cut and blow-dry', 16, 'Cut and blow-dry'],
    ['Cut and blow-dry', 15, 'Cut and…'],
    ['Cut and blow-dry', 8, 'Cut and…'],
    ['Cut and blow-dry', 7, 'Cut…'],
    ['Highlights', 6, 'Highl…'],
    ['Ana Costa · Balayage', 12, 'Ana Costa…'],
    ['  11:15  Ana', 8, '  11:15…'],
    ['山田 花子', 8, '山田…'],
    ['山田花子', 5, '山田…'],
    ['Ana', 0, ''],
  ])('cuts "%s" to %i columns between words, or inside the first', (text, width, expected) => {
    expect(cutEnd(text, width)).toBe(expected);
    expect(stringWidth(expected)).toBeLessThanOrEqual(width);
  });
});

describe('wrapWords', () => {
  it.each([
    ['Half-head highlights', 6, ['Half-', 'head', 'highl…']],
    ['Half-head highlights', 10, ['Half-head', 'highlights']],
    ['Cut and blow-dry', 9, ['Cut and', 'blow-dry']],
    ['09:15–11:45', 6, ['09:15–', '11:45']],
    ['Ana  Costa', 20, ['Ana Costa']],
    ['', 5, ['']],
  ])('breaks "%s" at %i columns only between words', (text, width, expected) => {
    expect(wrapWords(text, width)).toEqual(expected);
  });

  it('prints each word whole, or cut with … on one line', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '佐'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.integer({ min: 3, max: 20 }), (words, width) => {
        const lines = wrapWords(words.join(' '), width);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
        const printed = lines.flatMap((line) => line.split(' ')).filter((one) => one !== '');
        expect(printed).toHaveLength(words.length);
        for (const [index, one] of printed.entries()) {
          expect(words[index]?.startsWith(one.replace(/…$/, ''))).toBe(true);
          if (!one.endsWith('…')) expect(one).toBe(words[index]);
        }
      }),
    );
  });
});
