import { describe, expect, it } from 'vitest';
import { countOf, renderCount } from '../../src/text/numbers.ts';

describe('renderCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [12_345, '12,345'],
    [999_999, '999,999'],
    [1_234_567_890, '1,234,567,890'],
  ])('renders %i as %s', (count, text) => {
    expect(renderCount(count)).toBe(text);
  });
});

describe('countOf', () => {
  it.each([
    [0, 'clients', '0 clients'],
    [1, 'clients', '1 client'],
    [1, 'deliveries', '1 delivery'],
    [1_200, 'deliveries', '1,200 deliveries'],
  ])('renders %i %s as %s', (count, plural, text) => {
    expect(countOf(count, plural)).toBe(text);
  });
});
