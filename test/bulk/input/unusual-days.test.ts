import { describe, expect, it } from 'vitest';
import { createColumnDates, explainNoDay } from '../../../src/bulk/input/local-dates.ts';
import { UnclearCell } from '../../../src/bulk/sheet/sheet-form.ts';
import { isBirthday } from '../../../src/time/birthdays.ts';
import { createZoneClock } from '../../../src/time/time.ts';

const clock = createZoneClock('Europe/London');
const open = () => createColumnDates(clock, { now: new Date('2026-11-24T12:00:00Z') });

describe('a day with midnight', () => {
  it.each([
    ['1985-03-15T00:00:00.000Z', '1985-03-15'],
    ['1985-03-15T00:00:00Z', '1985-03-15'],
    ['1985-03-15T00:00:00+02:00', '1985-03-15'],
    ['1985-03-15 00:00:00+00', '1985-03-15'],
    ['1985-03-15 00:00', '1985-03-15'],
    ['15.03.1985 00:00:00', '1985-03-15'],
    ['3/15/1985 12:00:00 AM', '1985-03-15'],
  ])('is the day: %s is %s', (cell, day) => {
    const dates = open();
    expect(dates.toDay(cell, 'birthday', null)).toBe(day);
    expect(dates.timedDays()).toEqual([]);
  });
});

describe('a day with another time', () => {
  const moved = [
    // Berlin in winter and in summer, New York, Amsterdam before 1937.
    ['1985-03-14 23:00', '1985-03-15'],
    ['1990-06-30T22:00:00.000Z', '1990-07-01'],
    ['1985-03-15 05:00', '1985-03-15'],
    ['1936-05-14 23:40:28', '1936-05-15'],
    ['31120.958333333332', '1985-03-15'],
  ] as const;

  it.each(moved)('is unclear, and %s names %s', (cell, day) => {
    const dates = open();
    expect(dates.toDay(cell, 'birthday', null)).toMatchObject({
      reason: expect.stringMatching(
        new RegExp(`^${cell.replace('.', '\\.')} has a time of day\\..* ${day} is meant`),
      ),
    });
    expect(dates.timedDays()).toEqual([{ field: 'birthday', count: 1, cell, day }]);
  });

  it.each(moved)('is the day that begins nearest to it, once somebody says so: %s is %s', (cell, day) => {
    const dates = open();
    dates.takeNearestDays();
    expect(dates.toDay(cell, 'birthday', null)).toBe(day);
  });

  it.each([
    ['1985-01-14T11:00:00.000Z', '1985-01-14 or 1985-01-15'],
    ['1965-01-14 10:00', '1965-01-14 or 1965-01-15'],
  ])('stays unclear where it may be that of Hawaii or of New Zealand: %s', (cell, days) => {
    const dates = open();
    dates.takeNearestDays();
    expect(dates.toDay(cell, 'birthday', null)).toMatchObject({
      reason: `${cell} has a time of day and may be ${days}: write the day alone.`,
    });
  });

  it.each(moved)('keeps the current day that it may mean: %s, %s', (cell, day) => {
    expect(open().toDay(cell, 'birthday', day)).toBe(day);
  });
});

describe('a day that stands for none', () => {
  it.each([
    '0001-01-01',
    '0001-01-01T00:00:00',
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:00',
    '1/1/0001 12:00:00 AM',
    '01.01.0001',
    '1900-01-01',
    '1900-01-01 00:00:00.000',
    '01/01/1900',
    '1899-12-31 23:00',
    '1900-01-00',
    '0000-00-00',
    '00.00.0000',
  ])('is left blank, and named: %s', (cell) => {
    const dates = open();
    expect([cell, cell].map((one) => dates.toDay(one, 'birthday', '1985-03-15'))).toEqual([
      undefined,
      undefined,
    ]);
    expect(dates.emptyDays()).toMatchObject([{ field: 'birthday', count: 2, cell }]);
  });

  it.each(['1900-01-01', '0001-01-01'])('keeps a current %s', (cell) => {
    expect(open().toDay(cell, 'birthday', cell)).toBe(cell);
  });

  it.each(['1900-01-02', '1899-12-30', '01.01.00'])('is not %s', (cell) => {
    expect(open().toDay(cell, 'birthday', null)).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('a birthday without a year', () => {
  it.each([
    ...['0000-05-15', '1604-05-15', '0001-05-15', '0004-05-15', '15.05.1604', '1604-05-15T00:00:00Z'],
    ...['--05-15', '--0515', '15 May', 'May 15', '15. Mai', '15-May', '15 de mayo', '15 mai'],
    ...['15.5.', '15.05.', '15.5', '5/15', '15/05', '15-05'],
  ])('is its day: %s', (cell) => {
    const dates = open();
    expect(dates.toDay(cell, 'birthday', null)).toBe('--05-15');
    expect(dates.emptyDays()).toEqual([]);
  });

  it.each(['0004-02-29', '0000-02-29', '--02-29', '29.2.', '29 février'])(
    'may be 29 February: %s',
    (cell) => {
      expect(open().toDay(cell, 'birthday', null)).toBe('--02-29');
    },
  );

  it.each(['0001-01-01', '1900-01-01', '00.00.0000'])('is none at all: %s', (cell) => {
    expect(open().toDay(cell, 'birthday', null)).toBeUndefined();
  });

  it.each(['--02-30', '30.2.', '13/13', '31 June', '0001-02-29', '--5-15', '-051'])(
    'is no day: %s',
    (cell) => {
      const value = open().toDay(cell, 'birthday', null);
      expect(value).toBe(cell);
      expect(explainNoDay(cell)?.startsWith('There is no such day') ?? !isBirthday(cell)).toBe(true);
    },
  );

  it('is read in the order that the column has', () => {
    const dates = open();
    expect(dates.toDay('3/4', 'birthday', null)).toMatchObject({
      reason: '3/4 may be --04-03 or --03-04. Write it in that form.',
    });
    dates.toDay('24/11', 'birthday', null);
    expect(dates.toDay('3/4', 'birthday', null)).toBe('--04-03');
  });

  it('says nothing about a year that is known', () => {
    expect(open().toDay('15 May', 'birthday', '1985-05-15')).toBe('1985-05-15');
    expect(open().toDay('0000-05-15', 'birthday', '1985-05-15')).toBe('1985-05-15');
    expect(open().toDay('16 May', 'birthday', '1985-05-15')).toBe('--05-16');
  });

  it.each(['0000-05-15', '15 May', '--05-15'])('is refused where the server has none: %s', (cell) => {
    expect(createColumnDates(clock, { takesNoYear: false }).toDay(cell, 'birthday', null)).toEqual(
      new UnclearCell(
        `${cell} is a birthday without a year, which this server cannot save. Write the year, or clear the cell.`,
      ),
    );
  });

  it.each(['1603-05-15', '1605-05-15'])('is not %s', (cell) => {
    expect(open().toDay(cell, 'birthday', null)).toBe(cell);
  });

  it('keeps a current one', () => {
    expect(open().toDay('1604-05-15', 'birthday', '1604-05-15')).toBe('1604-05-15');
  });
});
