import { describe, expect, it } from 'vitest';
import { countOf, renderCount } from '../../src/contract/count-text.ts';

describe('a count as people read it', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [12_345, '12,345'],
    [999_999, '999,999'],
    [1_234_567_890, '1,234,567,890'],
  ])('%i is %s', (count, text) => {
    expect(renderCount(count)).toBe(text);
  });
});

describe('so many of something', () => {
  it.each([
    [0, 'clients', '0 clients'],
    [1, 'clients', '1 client'],
    [1, 'deliveries', '1 delivery'],
    [1_200, 'deliveries', '1,200 deliveries'],
  ])('%i %s are %s', (count, plural, text) => {
    expect(countOf(count, plural)).toBe(text);
  });
});
