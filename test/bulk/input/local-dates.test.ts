import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createColumnDates, explainNoDay } from '../../../src/bulk/input/local-dates.ts';
import { UnclearCell } from '../../../src/bulk/sheet/sheet-form.ts';
import { createZoneClock } from '../../../src/time/time.ts';
import { countBySpeed } from '../../support/speed.ts';

const clock = createZoneClock('Europe/London');
const open = () => createColumnDates(clock);

/** The values of a column whose cells were all read once before. */
function readDays(cells: readonly string[], current: string | null = null): readonly unknown[] {
  const dates = open();
  for (const cell of cells) dates.toDay(cell, 'birthday', null);
  return cells.map((cell) => dates.toDay(cell, 'birthday', current));
}

describe('a birthday in a cell', () => {
  const now = new Date('2026-11-24T12:00:00Z');
  const read = (cells: readonly string[]) => {
    const dates = createColumnDates(clock, { now });
    for (const cell of cells) dates.toDay(cell, 'birthday', null);
    return cells.map((cell) => dates.toDay(cell, 'birthday', null));
  };

  it.each([
    ['31.12.80', '1980-12-31'],
    ['1.2.05', '2005-02-01'],
    ['25.11.26', '1926-11-25'],
    ['December 31, 1980', '1980-12-31'],
    ['31. Dezember 1980', '1980-12-31'],
    ['1. März 80', '1980-03-01'],
    ['1er août 1980', '1980-08-01'],
    ['31 de diciembre de 1980', '1980-12-31'],
    ['31 dicembre 1980', '1980-12-31'],
    ['31 de dezembro de 1980', '1980-12-31'],
    ['5 mei 1980', '1980-05-05'],
    ['31 grudnia 1980', '1980-12-31'],
    ['31-Dez-80', '1980-12-31'],
  ])('%s is %s', (cell, expected) => {
    expect(read([cell])).toEqual([expected]);
  });

  it('with dots proves that the days of its column come first', () => {
    expect(read(['03/04/1990', '31.12.1980'])).toEqual(['1990-04-03', '1980-12-31']);
  });

  it.each(['31 Foo 1980', 'Maria 1980'])('%s is none', (cell) => {
    expect(read([cell])).toEqual([cell]);
  });
});

describe('a cell without a day', () => {
  it.each([
    ['31.2.88', 'There is no such day: 31.2.88 is read as day, month, year.'],
    ['12.31.1988', 'There is no such day: 12.31.1988 is read as day, month, year.'],
    ['31/02/1988', 'There is no such day: 31/02/1988.'],
    ['1988-02-31', 'There is no such day: 1988-02-31.'],
    ['31.9.', 'There is no such day: 31.9. Write day, month and year, or --MM-DD without its year.'],
    ['24/24', 'There is no such day: 24/24. Write day, month and year, or --MM-DD without its year.'],
    ['29.2.88', undefined],
    ['soon', undefined],
    ['12.85', undefined],
    ['31.12.1980 25:00', undefined],
    ['25. lipnja 1984', '25. lipnja 1984 has a month in a language that is not read: write YYYY-MM-DD.'],
    ['3. listopada 1990', expect.stringContaining('not read')],
    ['5. marraskuuta 1984', expect.stringContaining('not read')],
  ])('%s is explained', (cell, expected) => {
    expect(explainNoDay(cell)).toEqual(expected);
  });
});

describe('a day in a cell', () => {
  it.each([
    ['1990-02-28', '1990-02-28'],
    ['1990/2/28', '1990-02-28'],
    ['24/11/1990', '1990-11-24'],
    ['11/24/1990', '1990-11-24'],
    ['4/4/1990', '1990-04-04'],
    ['03.04.1990', '1990-04-03'],
    ['3. 4. 1990', '1990-04-03'],
    ['24-11-1990', '1990-11-24'],
    ['32994', '1990-05-01'],
    ['31/02/1990', '31/02/1990'],
    ['soon', 'soon'],
  ])('%s is read as %s', (cell, expected) => {
    expect(readDays([cell])).toEqual([expected]);
  });

  it.each([
    ['day first', '24/11/1990', '1990-04-03'],
    ['month first', '11/24/1990', '1990-03-04'],
  ])('is read %s if another cell of its column can only be read so', (_, other, expected) => {
    expect(readDays(['03/04/1990', other])[0]).toBe(expected);
  });

  it.each([
    ['no other cell decides', ['03/04/1990', '05/06/1990']],
    ['two cells disagree', ['03/04/1990', '24/11/1990', '11/24/1990']],
    ['the century is missing', ['24.11.26']],
  ])('is unclear if %s', (_, cells) => {
    expect(readDays(cells)[0]).toBeInstanceOf(UnclearCell);
  });

  it('is in no order that a time with dots before it decides', () => {
    expect(readDays(['03/04/1990', '9.30.15 04/04/1990'])[0]).toBeInstanceOf(UnclearCell);
  });

  it('names both meanings', () => {
    const [unclear] = readDays(['03/04/1990']);
    expect(unclear).toMatchObject({
      reason: '03/04/1990 may be 1990-04-03 or 1990-03-04. Write it in that form.',
    });
  });

  it.each(['04/03/1990', '03/04/1990', '3/4/90', '03.04.90'])(
    '%s keeps a current day that it may show',
    (cell) => {
      const current = cell === '04/03/1990' ? '1990-03-04' : '1990-04-03';
      expect(readDays([cell], current)).toEqual([current]);
    },
  );
});

describe('a local time in a cell', () => {
  it.each([
    ['2026-11-24 15:00', '2026-11-24T15:00:00Z'],
    ['2026-07-24T15:00', '2026-07-24T14:00:00Z'],
    ['24/11/2026 15:00', '2026-11-24T15:00:00Z'],
    ['24.11.2026, 15:00:30', '2026-11-24T15:00:30Z'],
    ['11/24/2026 3:00 PM', '2026-11-24T15:00:00Z'],
    ['11/24/2026 12:30 a.m.', '2026-11-24T00:30:00Z'],
    ['46350.625', '2026-11-24T15:00:00Z'],
    // As Excel shows it in Germany and Britain.
    ['24.11.26 15:00', '2026-11-24T15:00:00Z'],
    ['24/11/26 15:00', '2026-11-24T15:00:00Z'],
    ['24.11.1926 15:00', '1926-11-24T15:00:00Z'],
    ['15:00 24/11/2026', '2026-11-24T15:00:00Z'],
    ['3pm on 24.11.2026', '2026-11-24T15:00:00Z'],
    ['24/11/2026 morning', '24/11/2026 morning'],
    ['2026-11-24', '2026-11-24'],
    ['24/11/2026 25:00', '24/11/2026 25:00'],
  ])('%s is read as %s', (cell, expected) => {
    expect(open().toInstant(cell, 'start_time', null)).toBe(expected);
  });

  it('that happens twice is unclear, unless one of the two is the current one', () => {
    const unclear = { reason: expect.stringContaining('2026-10-25T00:30:00Z or 2026-10-25T01:30:00Z') };
    expect(open().toInstant('2026-10-25 01:30', 'start_time', null)).toMatchObject(unclear);
    const current = '2026-10-25T01:30:00Z';
    expect(open().toInstant('2026-10-25 01:30', 'start_time', current)).toBe(current);
  });

  it('that clocks skip is unclear', () => {
    const unclear = { reason: expect.stringContaining('does not exist') };
    expect(open().toInstant('2026-03-29 01:30', 'start_time', null)).toMatchObject(unclear);
  });

  it('keeps any current time that it shows, however precisely', () => {
    const instant = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2050-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.constantFrom(16, 19, 23), (date, length) => {
        const current = date.toISOString();
        const shown = new Date(clock.wall(date.getTime())).toISOString().slice(0, length).replace('T', ' ');
        expect(open().toInstant(shown, 'start_time', current)).toBe(current);
        expect(open().showsInstant(shown, current)).toBe(true);
      }),
      { numRuns: countBySpeed(500) },
    );
  });
});

describe('a time in words in a cell', () => {
  // A Friday, 13:00 in London.
  const dates = createColumnDates(clock, { now: new Date('2026-11-20T13:00:00Z') });
  const toInstant = (cell: string) => dates.toInstant(cell, 'start_time', null);

  it.each([
    ['tomorrow 15:00', '2026-11-21T15:00:00Z'],
    ['fri 3pm', '2026-11-20T15:00:00Z'],
    ['next fri 9:00', '2026-11-27T09:00:00Z'],
    ['24 Nov 15:00', '2026-11-24T15:00:00Z'],
    ['24.3. 15:00', '2027-03-24T15:00:00Z'],
    ['soon', 'soon'],
  ])('%s is read as %s', (cell, expected) => {
    expect(toInstant(cell)).toBe(expected);
  });

  it.each([
    ['tomorrow', 'has no time'],
    ['sat morning', 'has no time'],
    ['15:00', 'has no day'],
    ['fri 9:00', 'is earlier today'],
    ['3/4 15:00', '"3/4" may be 3 April 2027 or 4 March 2027.'],
    ['31.11. 15:00', 'does not exist'],
    ['28 March 2027 1:30', 'clocks go forward'],
    ['25 Oct 2026 1:30', 'happens twice'],
  ])('%s is refused', (cell, reason) => {
    expect(toInstant(cell)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  it('may name the month of a birthday', () => {
    expect(readDays(['24 November 1990', 'Nov 24, 1990', 'Sat 24 Nov 1990', 'tomorrow', '24 Nov'])).toEqual([
      '1990-11-24',
      '1990-11-24',
      '1990-11-24',
      'tomorrow',
      '--11-24',
    ]);
    expect(readDays(['30 February 1990'])[0]).toMatchObject({ reason: expect.stringContaining('not exist') });
  });
});

describe('a time of another country in a cell', () => {
  const utc = createZoneClock('UTC');
  const utcDates = () => createColumnDates(utc, { now: new Date('2026-01-01T00:00:00Z') });

  it.each([
    ['1/25/27 9:30\u202fAM', '2027-01-25T09:30:00Z'],
    ['1/25/27 9:30\u00a0PM', '2027-01-25T21:30:00Z'],
    ['25.1.2027 09.30', '2027-01-25T09:30:00Z'],
    ['25.1.2027 09.10', '2027-01-25T09:10:00Z'],
    ['25.1.2027 9:30 Uhr', '2027-01-25T09:30:00Z'],
    ['25.1.2027, 14.30 Uhr', '2027-01-25T14:30:00Z'],
    ['25.1.2027 9 Uhr', '2027-01-25T09:00:00Z'],
    ['25/1/2027 9h30', '2027-01-25T09:30:00Z'],
    ['25/1/2027 9h', '2027-01-25T09:00:00Z'],
    ['25/1/2027 à 14 h 05', '2027-01-25T14:05:00Z'],
    ['25/1/2027 10u30', '2027-01-25T10:30:00Z'],
    ['25/1/2027 9:30 a.\u00a0m.', '2027-01-25T09:30:00Z'],
    ['25/1/2027 9:30 p. m.', '2027-01-25T21:30:00Z'],
    ['25 gennaio 2027 ore 9:30', '2027-01-25T09:30:00Z'],
    ['25 stycznia 2027 godz. 9.30', '2027-01-25T09:30:00Z'],
    ['Mon 25 Jan 2027 12:00', '2027-01-25T12:00:00Z'],
    ['December 8, 2026 10:00 am', '2026-12-08T10:00:00Z'],
    ['20261208T160000Z', '2026-12-08T16:00:00Z'],
    ['20261208T160000', '2026-12-08T16:00:00Z'],
  ])('%s is read', (cell, expected) => {
    expect(utcDates().toInstant(cell, 'start_time', null)).toBe(expected);
  });

  it.each([
    ['25.1.2027 9.75', '25.1.2027 9.75'],
    ['25.1.2027 25h30', '25.1.2027 25h30'],
    ['25.1.2027 14:30 pm', '25.1.2027 14:30 pm'],
    ['25.1.2027 9', { reason: '"9" may be 09:00 or 21:00.' }],
    ['Tue 25 Jan 2027 12:00', { reason: expect.stringContaining('names the wrong weekday') }],
  ])('%s is refused', (cell, expected) => {
    expect(utcDates().toInstant(cell, 'start_time', null)).toEqual(expected);
  });
});
