import { describe, expect, it } from 'vitest';
import { toLeaseSize } from '../../../src/service/domain/lease-size.ts';

const first = { size: 0, lastedMs: Number.POSITIVE_INFINITY };

describe('size of a lease', () => {
  it.each([
    [10, 1],
    [5_000, 100],
    [1_000_000, 1_000],
  ])('of an hourly limit of %i is %i at first', (limit, size) => {
    expect(toLeaseSize(limit, first)).toBe(size);
  });

  it.each([
    ['doubles where half of it is spent at once', { size: 1_000, lastedMs: 100 }, 2_000],
    ['grows to a fiftieth of the limit', { size: 16_000, lastedMs: 100 }, 20_000],
    ['stays where half of it lasts some seconds', { size: 4_000, lastedMs: 5_000 }, 4_000],
    ['falls by half where that lasts longer', { size: 4_000, lastedMs: 10_000 }, 2_000],
    ['falls to a thousand', { size: 1_500, lastedMs: 10_000 }, 1_000],
    ['follows a lower limit', { size: 30_000, lastedMs: 5_000 }, 20_000],
  ])('%s', (_, former, size) => {
    expect(toLeaseSize(1_000_000, former)).toBe(size);
  });
});
