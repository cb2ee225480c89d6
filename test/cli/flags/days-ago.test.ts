import { describe, expect, it } from 'vitest';
import { parseAgo, parseAhead } from '../../../src/cli/flags/moments.ts';
import { SalonError } from '../../../src/contract/errors.ts';

const context = { now: new Date('2026-08-31T22:30:00Z'), timeZone: 'Europe/Berlin' };
const codeOf = (act: () => unknown) => {
  try {
    return act();
  } catch (error) {
    return error instanceof SalonError ? error.code : error;
  }
};

describe('parseAgo', () => {
  it.each([
    ['1d', '2026-08-30T22:00:00Z'],
    ['2w', '2026-08-17T22:00:00Z'],
    ['6mo', '2026-02-28T23:00:00Z'],
    ['3 months ago', '2026-05-31T22:00:00Z'],
    ['1y', '2025-08-31T22:00:00Z'],
    ['-90d', '2026-06-02T22:00:00Z'],
    ['2026-05-22', '2026-05-21T22:00:00Z'],
    ['today', '2026-08-31T22:00:00Z'],
  ])('%s is the start of that day in the time zone', (text, instant) => {
    expect(parseAgo(text, '--seen-since', context)).toBe(instant);
  });

  it('takes the last day of a shorter month', () => {
    const may = { ...context, now: new Date('2026-05-31T12:00:00Z') };
    expect(parseAgo('3mo', '--seen-since', may)).toBe('2026-02-27T23:00:00Z');
  });

  it.each(['tomorrow', '2027-01-01', '6', '6m', 'mo', '2026-02-30', '99999y', ''])('refuses "%s"', (text) => {
    expect(codeOf(() => parseAgo(text, '--seen-since', context))).toBe('usage');
  });
});

describe('parseAhead', () => {
  it.each([
    ['7d', '2026-09-08'],
    ['+1w', '2026-09-08'],
    ['1mo', '2026-10-01'],
    ['1y', '2027-09-01'],
    ['0d', '2026-09-01'],
  ])('%s ends on that day, included', (text, to) => {
    expect(parseAhead(text, '--birthday-within', context)).toEqual({ from: '2026-09-01', to });
  });

  it.each(['7', '366d', '13mo', '-7d', 'week', ''])('refuses "%s"', (text) => {
    expect(codeOf(() => parseAhead(text, '--birthday-within', context))).toBe('usage');
  });
});
