import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { cutEnd, wrapText } from '../../../src/cli/output/fit-text.ts';

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

describe('phone numbers, times and IDs', () => {
  const id = 'cli_01k9x7f3q2m4n5p6r7s8t9v0w1';

  it.each([
    ['Call +44 20 7946 0018', 18, ['Call', '+44 20 7946 0018']],
    ['or (030) 2312-5018 today', 16, ['or', '(030) 2312-5018', 'today']],
    ['as of Fri 27 Nov 2026 15:00–16:30', 30, ['as of', 'Fri 27 Nov 2026 15:00–16:30']],
    ['on Monday 23 November 2026 at 15:00', 32, ['on', 'Monday 23 November 2026 at 15:00']],
    ['since 2026-11-21 09:30 (Europe/Berlin)', 18, ['since', '2026-11-21 09:30', '(Europe/Berlin)']],
    ['No client 21 Maybe', 12, ['No client 21', 'Maybe']],
    [`Ana ${id}`, 30, ['Ana', id]],
    ['佐藤 +81 3 1234 5678', 16, ['佐藤', '+81 3 1234 5678']],
  ])('stay whole in "%s" at %i columns', (text, width, expected) => {
    expect(wrapText(text, width)).toEqual(expected);
    for (const line of wrapText(text, width, 'cut')) expect(expected).toContain(line);
  });

  it('are broken only where they do not fit on a line', () => {
    expect(wrapText('Call +44 20 7946 0018', 9)).toEqual(['Call +44', '20 7946', '0018']);
    expect(wrapText(id, 16)).toEqual([id.slice(0, 16), id.slice(16)]);
  });

  it.each([
    ['Ana Costa, +44 20 7946 0018', 22, 'Ana Costa…'],
    ['Fri 27 Nov 15:00 and later', 12, '…'],
    [`moved to ${id}`, 20, 'moved to…'],
  ])('are left out of "%s" cut to %i columns', (text, width, expected) => {
    expect(cutEnd(text, width)).toBe(expected);
  });
});

describe('wrapText, cutting long words', () => {
  it.each([
    ['Half-head highlights', 6, ['Half-', 'head', 'highl…']],
    ['Half-head highlights', 10, ['Half-head', 'highlights']],
    ['Cut and blow-dry', 9, ['Cut and', 'blow-dry']],
    ['09:15–11:45', 6, ['09:15–', '11:45']],
    ['Ana  Costa', 20, ['Ana Costa']],
    ['', 5, ['']],
  ])('breaks "%s" at %i columns only between words', (text, width, expected) => {
    expect(wrapText(text, width, 'cut')).toEqual(expected);
  });

  it('prints each word whole, or cut with … on one line', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '佐'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.integer({ min: 3, max: 20 }), (words, width) => {
        const lines = wrapText(words.join(' '), width, 'cut');
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
