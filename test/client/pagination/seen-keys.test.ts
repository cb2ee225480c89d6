import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSeenKeys } from '../../../src/client/pagination/seen-keys.ts';

describe('seen keys', () => {
  it('behave like a set, in memory and in a database', () => {
    const unit = fc.constantFrom('a', 'b', '1', '"', '\0', 'é', '\ud83d', '\ude00');
    const key = fc.string({ unit, minLength: 1, maxLength: 2 });
    const batch = fc.record({ batch: fc.array(key), isLookedFor: fc.boolean() });
    fc.assert(
      fc.property(fc.array(batch), fc.integer({ min: 0, max: 9 }), (all, maxInMemory) => {
        using keys = openSeenKeys(maxInMemory);
        const expected = new Set<string>();
        for (const { batch, isLookedFor } of all) {
          if (isLookedFor) expect(keys.has(batch)).toEqual(batch.map((key) => expected.has(key)));
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

  it.each([
    ['in ascending order', (index: number) => `id_${String(index).padStart(7, '0')}`],
    ['that are numbers', (index: number) => String(index)],
    ['in no order', (index: number) => `id_${(index * 7_919) % 300_007}`],
  ])('are remembered when there are hundreds of thousands, %s', (_order, toKey) => {
    const keysFrom = (start: number) => Array.from({ length: 200 }, (_, index) => toKey(start + index));
    using keys = openSeenKeys();
    for (let start = 0; start < 300_000; start += 200) keys.add(keysFrom(start));
    expect(keys.size).toBe(300_000);
    expect(keys.add(keysFrom(100_000)).some(Boolean)).toBe(false);
    expect(keys.add(['a', toKey(250_000), 'b'])).toEqual([true, false, true]);
    expect(keys.has([toKey(299_999), toKey(300_000)])).toEqual([true, false]);
  });

  it('are found again after others that ascend, whatever their lengths', () => {
    using keys = openSeenKeys(0);
    expect(keys.add(['9', '10', '11'])).toEqual([true, true, true]);
    expect(keys.add(['11', '12'])).toEqual([false, true]);
    expect(keys.add(['9', '13', '13'])).toEqual([false, true, false]);
  });
});
