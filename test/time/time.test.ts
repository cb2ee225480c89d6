import { describe, expect, it } from 'vitest';
import { isTimeZone } from '../../src/time/time.ts';

describe('isTimeZone', () => {
  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['', false],
    ['Mars/Olympus', false],
    ['CET-1CEST', false],
  ])('%s: %s', (text, expected) => {
    expect(isTimeZone(text)).toBe(expected);
  });
});
