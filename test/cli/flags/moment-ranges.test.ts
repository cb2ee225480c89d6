import { describe, expect, it } from 'vitest';
import { parseRange } from '../../../src/cli/flags/moments.ts';

// A Wednesday.
const context = { now: new Date('2026-11-18T10:00:00Z'), timeZone: 'Europe/Berlin' };

describe('parseRange', () => {
  it.each([
    ['mon', 'fri', '2026-11-22T23:00:00Z', '2026-11-27T23:00:00Z'],
    ['tomorrow', '15:00', '2026-11-18T23:00:00Z', '2026-11-19T14:00:00Z'],
    ['20.12.', '5.1.', '2026-12-19T23:00:00Z', '2027-01-05T23:00:00Z'],
    ['2026-03-01', '31.12.', '2026-02-28T23:00:00Z', '2026-12-31T23:00:00Z'],
    ['fri', 'thu', '2026-11-19T23:00:00Z', '2026-11-26T23:00:00Z'],
    ['-7d', 'fri', '2026-11-10T23:00:00Z', '2026-11-20T23:00:00Z'],
    ['-7d', 'today', '2026-11-10T23:00:00Z', '2026-11-18T23:00:00Z'],
    ['today', 'today', '2026-11-17T23:00:00Z', '2026-11-18T23:00:00Z'],
    ['fri morning', 'fri afternoon', '2026-11-19T23:00:00Z', '2026-11-20T16:00:00Z'],
  ])('%s to %s', (from, to, start, end) => {
    expect(parseRange({ from, to }, context)).toEqual({ from: start, to: end });
  });

  it.each([
    ['tomorrow', 'today', 'from Thursday 19 November 2026 to Wednesday 18 November 2026.'],
    ['fri 15:00', 'fri 14:00', 'from 15:00 to 14:00.'],
    ['2026-12-01', '2026-11-01', 'from Tuesday 1 December 2026 to Sunday 1 November 2026.'],
  ])('%s to %s ends before it begins', (from, to, span) => {
    expect(() => parseRange({ from, to }, context)).toThrow(
      expect.objectContaining({ code: 'usage', message: `The range ends before it begins: ${span}` }),
    );
  });

  it('is refused where a day without a year may lie before its start', () => {
    expect(() => parseRange({ from: '5.12.', to: '1.12.' }, context)).toThrow(
      '"1.12." may be 1 December 2026 or 1 December 2027.',
    );
  });

  it.each([
    ['26-12-03', '"26-12-03" may be 26 December 2003 or 3 December 2026.'],
    ['26-1-13', '"26-1-13" may be 26 January 2013 or 13 January 2026.'],
  ])('is refused where %s may begin with its year', (from, message) => {
    expect(() => parseRange({ from }, context)).toThrow(message);
  });

  it('may be open', () => {
    expect(parseRange({ from: 'today' }, context)).toEqual({ from: '2026-11-17T23:00:00Z', to: undefined });
    expect(parseRange({ to: 'mon' }, context)).toEqual({ from: undefined, to: '2026-11-23T23:00:00Z' });
  });
});
