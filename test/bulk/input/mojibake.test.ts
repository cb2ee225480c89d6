import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMojibakeOf } from '../../../src/bulk/input/cell-values.ts';

describe('UTF-8 that was read as Windows-1252', () => {
  it('is seen, whether or not the program kept bytes without letters', () => {
    const unit = fc.constantFrom('a', 'ë', 'ß', 'à', '€', '陽', 'Á', 'Я', '😀', ' ');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), (text) => {
        const shown = new TextDecoder('windows-1252').decode(Buffer.from(text));
        const isSame = shown === text;
        expect(isMojibakeOf(text, shown)).toBe(!isSame);
        expect(isMojibakeOf(text, shown.replace(/[\u0080-\u009F]/g, ''))).toBe(!isSame);
      }),
    );
  });

  it.each([
    ['Zoë', 'Zoë'],
    ['Zoë', 'Zo'],
    ['Zoë', 'ZoÃ¨'],
    ['Ana', 'Ä'],
    ['', 'Ã'],
  ])('of %j is not %j', (text, cell) => {
    expect(isMojibakeOf(text, cell)).toBe(false);
  });
});
