import { describe, expect, it } from 'vitest';
import { renderCount } from '../../src/contract/count-text.ts';

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
