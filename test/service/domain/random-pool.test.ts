import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandomPool } from '../../../src/service/domain/random-pool.ts';

/** Counts up, so that every byte drawn can be told from those before it. */
function countUp(): { now: () => Date; random: (size: number) => Uint8Array; readonly draws: number } {
  let next = 0;
  let draws = 0;
  return {
    now: () => new Date(0),
    random: (size) => {
      draws += 1;
      const numbers = Uint32Array.from({ length: Math.ceil(size / 4) }, () => next++);
      return new Uint8Array(numbers.buffer).subarray(0, size);
    },
    get draws() {
      return draws;
    },
  };
}

describe('a pool of randomness', () => {
  it('hands out no byte twice and as many as were asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1500 }).map((words) => words * 4)), (sizes) => {
        const random = createRandomPool(countUp());
        const seen = new Set<number>();
        for (const size of sizes) {
          const bytes = random(size);
          expect(bytes).toHaveLength(size);
          const words = new Uint32Array(bytes.slice().buffer);
          for (const word of words) {
            expect(seen.has(word)).toBe(false);
            seen.add(word);
          }
        }
      }),
    );
  });

  it('asks the system once for many', () => {
    const environment = countUp();
    const random = createRandomPool(environment);
    for (let drawn = 0; drawn < 256; drawn++) random(16);
    expect(environment.draws).toBe(1);
  });
});
