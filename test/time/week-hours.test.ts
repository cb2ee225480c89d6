import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWeekHours, renderWeekHours } from '../../src/time/week-hours.ts';

describe('weekly hours', () => {
  it.each([
    ['mon-fri 9-18, sat 9-14', 'mon-fri 09:00-18:00, sat 09:00-14:00'],
    ['Mon – Fri: 9am-6pm; Sat 9-14', 'mon-fri 09:00-18:00, sat 09:00-14:00'],
    ['tue 9:30-13:00 14:00-18:30', 'tue 09:30-13:00 14:00-18:30'],
    ['tue 14-18, 9-13', 'tue 09:00-13:00 14:00-18:00'],
    ['mon, wed, fri 9-12', 'mon 09:00-12:00, wed 09:00-12:00, fri 09:00-12:00'],
    ['sat-mon 10-16', 'mon 10:00-16:00, sat-sun 10:00-16:00'],
    ['monday 9-12, mon 13-17', 'mon 09:00-12:00 13:00-17:00'],
    ['mon-sun 0-24', 'mon-sun 00:00-24:00'],
    ['mon 12am-12pm', 'mon 00:00-12:00'],
    ['mon-fri 9.30-18.00, sat 9h-13h30', 'mon-fri 09:30-18:00, sat 09:00-13:30'],
    ['mon-fri 9-18, sat closed', 'mon-fri 09:00-18:00'],
    ['mon-sun closed', 'mon-sun closed'],
  ])('%s', (text, expected) => {
    const week = parseWeekHours(text);
    expect(week && renderWeekHours(week)).toBe(expected);
  });

  it.each([
    '',
    '9-18',
    'mon',
    'mon-fri',
    'mon 18-9',
    'mon 9-9',
    'mon 9-25',
    'mon 9:60-18',
    'mon 9-12 11-14',
    'mon 13pm-14pm',
    'mon-tue-wed 9-18',
    'xyz 9-18',
    'mon 9-18 tue',
    'mon nine-five',
    'mon morning-18',
    'mon 24-25',
    'mon 9-12-15',
  ])('"%s" is refused', (text) => {
    expect(parseWeekHours(text)).toBeUndefined();
  });

  it('are the same after they are written and read', () => {
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { maxLength: 6 });
    const day = minutes.map((ends) => {
      const sorted = ends.toSorted((a, b) => a - b);
      return Array.from({ length: Math.floor(sorted.length / 2) }, (_, index) => ({
        startMs: (sorted[2 * index] ?? 0) * 60_000,
        endMs: (sorted[2 * index + 1] ?? 0) * 60_000,
      }));
    });
    fc.assert(
      fc.property(fc.array(day, { minLength: 7, maxLength: 7 }), (week) => {
        expect(parseWeekHours(renderWeekHours(week as never))).toEqual(week);
      }),
    );
  });
});
