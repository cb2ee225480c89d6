import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest } from '../../../src/contract/closest.ts';

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
