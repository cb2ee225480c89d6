import { describe, expect, it } from 'vitest';
import { foldText, toNameKey } from '../../src/contract/search-text.ts';

describe('folded text', () => {
  it.each([
    ['  Zoë\u00a0 MÜLLER ', 'zoe muller'],
    ['Łukasz Ødegaard', 'lukasz odegaard'],
    ['GROẞ', 'gross'],
    ['O’Brien', "o'brien"],
    ['İstanbul', 'istanbul'],
    ['Yılmaz', 'yilmaz'],
    ['ＡＢＣ', 'abc'],
    ['Γιώργος', 'ΓΙΩΡΓΟσ'],
    ['Nguyễn', 'Nguyen'],
  ])('of %j is that of %j', (text, other) => {
    expect(foldText(text)).toBe(foldText(other));
  });
});

describe('the key of a name', () => {
  it.each([
    ['Costa, Ana', 'ana costa'],
    ['Anna-Lena Groß', 'Gross Anna Lena'],
    ['St. John', 'ST JOHN'],
  ])('of %j is that of %j', (name, other) => {
    expect(toNameKey(name)).toBe(toNameKey(other));
  });

  it('tells names with other words apart', () => {
    expect(toNameKey('Ana Costa')).not.toBe(toNameKey('Ana M Costa'));
    expect(toNameKey('Ana Ana')).not.toBe(toNameKey('Ana'));
  });
});
