import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSeenKeys } from '../../../src/client/pagination/seen-keys.ts';

describe('seen keys', () => {
  it('behave like a set, in memory and in a database', () => {
    const unit = fc.constantFrom('a', 'b', '1', '"', '\0', 'é', '\ud83d', '\ude00');
    const batches = fc.array(fc.array(fc.string({ unit, minLength: 1, maxLength: 2 })));
    fc.assert(
      fc.property(batches, fc.integer({ min: 0, max: 9 }), (all, maxInMemory) => {
        using keys = openSeenKeys(maxInMemory);
        const expected = new Set<string>();
        for (const batch of all) {
          expect(keys.has(batch)).toEqual(batch.map((key) => expected.has(key)));
          const isNew = batch.map((key, index) => !expected.has(key) && batch.indexOf(key) === index);
          expect(keys.add(batch)).toEqual(isNew);
          for (const key of batch) expected.add(key);
        }
        expect(keys.size).toBe(expected.size);
      }),
    );
  });

  it.each([10, 0])(
    'have a digest that depends only on the keys, with %i of them in memory',
    (maxInMemory) => {
      const digestOf = (all: string[]) => {
        using keys = openSeenKeys(maxInMemory);
        keys.add(all);
        return keys.digest();
      };
      expect(digestOf(['a', 'b', 'c'])).toBe(digestOf(['c', 'a', 'b']));
      expect(digestOf(['a', 'b', 'c'])).not.toBe(digestOf(['a', 'b', 'd']));
    },
  );

  it('are remembered when there are hundreds of thousands', () => {
    using keys = openSeenKeys();
    for (let start = 0; start < 300_000; start += 200) keys.add(keysFrom(start));
    expect(keys.add(keysFrom(100_000)).some(Boolean)).toBe(false);
    expect(keys.add(['a', 'id_0250000', 'b'])).toEqual([true, false, true]);
  });
});

function keysFrom(start: number): string[] {
  return Array.from({ length: 200 }, (_, index) => `id_${String(start + index).padStart(7, '0')}`);
}
