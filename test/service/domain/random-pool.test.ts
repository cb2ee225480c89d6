import { describe, expect, it } from 'vitest';
import { poolRandom } from '../../../src/service/domain/context.ts';

/** Bytes that count up, and how often they were drawn. */
function createCounter() {
  let next = 0;
  const draws: number[] = [];
  const random = (size: number) => {
    draws.push(size);
    return Uint8Array.from({ length: size }, () => next++ % 251);
  };
  return { random, draws };
}

describe('pooled randomness', () => {
  it('gives every byte out once', () => {
    const { random, draws } = createCounter();
    const pooled = poolRandom(random);
    const bytes = Array.from({ length: 300 }, () => [...pooled(16)]).flat();
    const expected = Array.from({ length: 4096 }, (_, index) => index % 251);
    expect(bytes.slice(0, 4096)).toEqual(expected);
    expect(draws).toEqual([4096, 4096]);
  });

  it('draws many bytes at once from the source', () => {
    const { random, draws } = createCounter();
    expect(poolRandom(random)(65)).toHaveLength(65);
    expect(draws).toEqual([65]);
  });
});
