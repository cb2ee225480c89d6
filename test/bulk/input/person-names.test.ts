import { describe, expect, it } from 'vitest';
import { createNameReader, type NameOrder } from '../../../src/bulk/input/person-names.ts';
import { UnclearCell } from '../../../src/bulk/sheet/sheet-form.ts';

const firstLast: NameOrder = 'first_name last_name';

describe('a whole name', () => {
  it.each([
    ['Anna Weber', 'Anna', 'Weber'],
    ['Weber, Anna Maria', 'Anna Maria', 'Weber'],
    ['Müller-Lüdenscheidt, Karl-Heinz', 'Karl-Heinz', 'Müller-Lüdenscheidt'],
    ['Jan van den Berg', 'Jan', 'van den Berg'],
    ['van den Berg', '', 'van den Berg'],
    ['Van den Berg, Jan', 'Jan', 'Van den Berg'],
    ['de la Cruz', '', 'de la Cruz'],
    ['Berg, Nia van den', 'Nia', 'van den Berg'],
    ['Vries, T. de', 'T.', 'de Vries'],
    ['Costa, Ana da', 'Ana', 'da Costa'],
    ['Costa, Ana Maria da', 'Ana Maria', 'da Costa'],
    ['Berg, van den', '', 'van den Berg'],
    ['Hoff, Jan van ’t', 'Jan', 'van ’t Hoff'],
    ["Arc, Jeanne d'", 'Jeanne', "d'Arc"],
    ['Rossi, Luca de', 'Luca', 'de Rossi'],
    ['Goethe, Anna von', 'Anna', 'von Goethe'],
    ['Nguyen, Anna Van', 'Anna Van', 'Nguyen'],
    ['BERG, NIA VAN DEN', 'NIA', 'VAN DEN BERG'],
    ['Cruz, Ana De La', 'Ana', 'De La Cruz'],
    ['Berg, N. v.d.', 'N.', 'v.d. Berg'],
    ['da Costa, Ana da', 'Ana', 'da Costa'],
    ['Frau Dr. Anna Weber', 'Anna', 'Weber'],
    ['Mme Weber', '', 'Weber'],
    ['Weber, Dr. Anna', 'Anna', 'Weber'],
    ['DUPONT LE GRAND Marie', 'Marie', 'DUPONT LE GRAND'],
    ['Maria', 'Maria', ''],
    ['  ', '', ''],
  ])('%s is split', (cell, first, last) => {
    expect(createNameReader(undefined).read(cell, firstLast)).toEqual({ first, last });
  });

  it.each([
    ['Anna Maria Weber', 'Anna', 'Maria Weber', 'Anna Maria', 'Weber'],
    ['Ana Costa da Silva', 'Ana', 'Costa da Silva', 'Ana Costa', 'da Silva'],
    ['Van Morrison', 'Van', 'Morrison', 'Van', 'Morrison'],
  ])('%s has several readings, of which one is chosen', (cell, firstA, lastA, firstB, lastB) => {
    const reader = createNameReader(undefined);
    expect(reader.read(cell, firstLast)).toBeInstanceOf(UnclearCell);
    expect(reader.report().unclear).toEqual({ count: 1, examples: [cell] });
    expect(createNameReader('first-word').read(cell, firstLast)).toEqual({ first: firstA, last: lastA });
    expect(createNameReader('last-word').read(cell, firstLast)).toEqual({ first: firstB, last: lastB });
  });

  it.each([
    ['Weber Anna', 'Anna', 'Weber'],
    ['Meier', '', 'Meier'],
  ])('%s may have its last name first', (cell, first, last) => {
    expect(createNameReader(undefined).read(cell, 'last_name first_name')).toEqual({ first, last });
  });

  it('names the titles that it leaves out', () => {
    const reader = createNameReader(undefined);
    reader.read('Herr Prof. Jan Berg', firstLast);
    expect(reader.report().titles).toEqual(['Herr', 'Prof.']);
  });
});
