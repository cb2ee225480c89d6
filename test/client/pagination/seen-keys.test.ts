import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openSeenKeys } from '../../../src/client/pagination/seen-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'salon-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('what has been seen', () => {
  it('is told from what is new as a set would, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ minLength: 1, maxLength: 2 }))), (batches) => {
        using sightings = openSeenKeys(folder);
        const seen = new Set<string>();
        for (const batch of batches) {
          expect(sightings.recall(batch)).toEqual(batch.map((key) => seen.has(key)));
          const isNew = batch.map((key, index) => !seen.has(key) && batch.indexOf(key) === index);
          expect(sightings.note(batch)).toEqual(isNew);
          for (const key of batch) seen.add(key);
        }
        expect(sightings.size).toBe(seen.size);
      }),
    );
  });

  it('of many ascending keys is known when the order ends', () => {
    using sightings = openSeenKeys(folder);
    for (let start = 0; start < 600_000; start += 200) sightings.note(keysFrom(start));
    expect(sightings.note(keysFrom(100_000)).some(Boolean)).toBe(false);
    expect(sightings.note(['a', 'id_0500000', 'b'])).toEqual([true, false, true]);
  });

  it('leaves no file behind', () => {
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has the same digest for the same keys in another order, and another one for others', () => {
    const digestOf = (keys: string[]) => {
      using sightings = openSeenKeys(folder);
      sightings.note(keys);
      return sightings.digest();
    };
    expect(digestOf(['a', 'b', 'c'])).toBe(digestOf(['c', 'a', 'b']));
    expect(digestOf(['a', 'b', 'c'])).not.toBe(digestOf(['a', 'b', 'd']));
  });
});

function keysFrom(start: number): string[] {
  return Array.from({ length: 200 }, (_, index) => `id_${String(start + index).padStart(7, '0')}`);
}
