import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMistypedDay } from '../../../src/cli/flags/moments.ts';
import { closest } from '../../../src/text/closest.ts';

const fields = ['id', 'first_name', 'last_name', 'email', 'phone', 'created_at'];

describe('closest', () => {
  it.each([
    ['frist_name', 'first_name'],
    ['firstname', 'first_name'],
    ['EMAIL', 'email'],
    ['e-mail', 'email'],
    ['phnoe', 'phone'],
    ['created', 'created_at'],
    ['zzzzzz', undefined],
    ['', undefined],
  ])('%s: %s', (word, expected) => {
    expect(closest(word, fields)).toBe(expected);
  });

  it('finds every word with two neighbours swapped', () => {
    fc.assert(
      fc.property(fc.constantFrom('first_name', 'last_name', 'created_at'), fc.nat(7), (word, place) => {
        const letters = [...word];
        letters.splice(place, 2, ...letters.slice(place, place + 2).reverse());
        expect(closest(letters.join(''), fields)).toBe(word);
      }),
    );
  });
});

describe('findMistypedDay', () => {
  it.each([
    ...[
      ['Mia cut tomorow', 'tomorrow'],
      ['tommorow', 'tomorrow'],
      ['Tuseday', 'Tuesday'],
      ['wensday', 'Wednesday'],
    ],
    ...[
      ['saterday 10:00', 'Saturday'],
      ['thrusday', 'Thursday'],
      ['firday', 'Friday'],
      ['todya', 'today'],
    ],
    ...[
      ['afernoon', 'afternoon'],
      ['tomorrow wenesday', 'Wednesday'],
    ],
  ])('%s: %s', (text, day) => {
    expect(findMistypedDay(text)).toBe(day);
  });

  it.each([
    '',
    'tomorrow',
    'SATURDAY',
    'Ana Costa',
    'Frida',
    'Monda',
    'Toda',
    'Sandra',
    'Monika',
    'Dona Moor',
  ])('leaves %j alone', (text) => {
    expect(findMistypedDay(text)).toBeUndefined();
  });
});
