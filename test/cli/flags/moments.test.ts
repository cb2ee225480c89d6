import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMinutes, parseMoment, parseStart } from '../../../src/cli/flags/moments.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { parseWeekHours } from '../../../src/time/week-hours.ts';
import { countBySpeed } from '../../support/speed.ts';

const now = new Date('2026-11-21T10:00:00Z');

function moment(text: string, timeZone: string, edge: 'start' | 'end' = 'start'): string {
  return parseMoment(text, { now, timeZone, edge });
}

describe('parseMoment: days', () => {
  it.each([
    ['today', 'Europe/Berlin', '2026-11-20T23:00:00Z', '2026-11-21T23:00:00Z'],
    ['tomorrow', 'Europe/Berlin', '2026-11-21T23:00:00Z', '2026-11-22T23:00:00Z'],
    ['yesterday', 'Asia/Tokyo', '2026-11-19T15:00:00Z', '2026-11-20T15:00:00Z'],
    ['+7d', 'Europe/Berlin', '2026-11-27T23:00:00Z', '2026-11-28T23:00:00Z'],
    ['-2w', 'UTC', '2026-11-07T00:00:00Z', '2026-11-08T00:00:00Z'],
    ['2026-11-21', 'Asia/Kolkata', '2026-11-20T18:30:00Z', '2026-11-21T18:30:00Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z'],
  ])('%s in %s', (text, timeZone, start, end) => {
    expect([moment(text, timeZone), moment(text, timeZone, 'end')]).toEqual([start, end]);
  });

  it('takes today from the time zone, not from UTC', () => {
    const late = new Date('2026-11-21T23:30:00Z');
    expect(parseMoment('today', { now: late, timeZone: 'Europe/Berlin', edge: 'start' })).toBe(
      '2026-11-21T23:00:00Z',
    );
  });

  const zones = [
    'UTC',
    'Europe/Berlin',
    'Europe/London',
    'America/New_York',
    'America/Sao_Paulo',
    'America/Havana',
    'Africa/Cairo',
    'Asia/Beirut',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Chatham',
  ];

  it.each(zones)('ends each day where the next begins in %s', (timeZone) => {
    const days = fc.integer({ min: Date.UTC(1990, 0) / 86_400_000, max: Date.UTC(2037, 0) / 86_400_000 });
    fc.assert(
      fc.property(days, (day) => {
        const name = (offset: number) => new Date((day + offset) * 86_400_000).toISOString().slice(0, 10);
        const end = moment(name(0), timeZone, 'end');
        expect(end).toBe(moment(name(1), timeZone));
        expect(end >= moment(name(0), timeZone)).toBe(true);
      }),
      { numRuns: countBySpeed(60, 1_000) },
    );
  });

  it.each(zones)('loses no hour around the clock changes of 2018 in %s', (timeZone) => {
    const [first, last] = [Date.UTC(2018, 0, 1), Date.UTC(2018, 11, 31)];
    const name = (dayMs: number) => new Date(dayMs).toISOString().slice(0, 10);
    for (let dayMs = first; dayMs < last; dayMs += 86_400_000) {
      const hours =
        (Date.parse(moment(name(dayMs), timeZone, 'end')) - Date.parse(moment(name(dayMs), timeZone))) /
        3_600_000;
      expect([23, 23.5, 24, 24.5, 25]).toContain(hours);
    }
  });
});

describe('parseMoment: instants', () => {
  it.each([
    ['now', '2026-11-21T10:00:00Z'],
    ['+3h', '2026-11-21T13:00:00Z'],
    ['-30m', '2026-11-21T09:30:00Z'],
    ['+1h30m', '2026-11-21T11:30:00Z'],
    ['in 20 minutes', '2026-11-21T10:20:00Z'],
    ['in half an hour', '2026-11-21T10:30:00Z'],
    ['in 1 hour 5 min', '2026-11-21T11:05:00Z'],
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00Z'],
    ['2026-11-21T09:30:00.250Z', '2026-11-21T09:30:00.250Z'],
    ['2026-11-21t09:30:00.123456+01:00', '2026-11-21T08:30:00.123Z'],
    ['2026-11-21T09:30', '2026-11-21T08:30:00Z'],
    ['2026-11-21 09:30', '2026-11-21T08:30:00Z'],
  ])('%s is the same at both edges', (text, instant) => {
    expect([moment(text, 'Europe/Berlin'), moment(text, 'Europe/Berlin', 'end')]).toEqual([instant, instant]);
  });

  it('takes the first occurrence of a repeated local time', () => {
    expect(moment('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00Z');
  });

  it('takes the first instant after a skipped local time', () => {
    expect(moment('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:00:00Z');
  });

  it('refuses a skipped local time where the exact time matters', () => {
    const context = { now, timeZone: 'Europe/Berlin' };
    expect(() => parseStart('2026-03-29T02:30', context)).toThrow('does not exist in Europe/Berlin');
    expect(parseStart('2026-03-29T03:30', context)).toBe('2026-03-29T01:30:00Z');
  });
});

describe('parseMoment: weeks', () => {
  const since = (text: string) =>
    parseMoment(text, { now, timeZone: 'UTC', edge: 'start', sinceMs: now.getTime() });

  it.each([
    ['this week', '2026-11-16', '2026-11-23'],
    ['next week', '2026-11-23', '2026-11-30'],
    ['last-week', '2026-11-09', '2026-11-16'],
    ['week 47', '2026-11-16', '2026-11-23'],
    ['calendar week 49', '2026-11-30', '2026-12-07'],
    ['KW 49', '2026-11-30', '2026-12-07'],
    ['KW49', '2026-11-30', '2026-12-07'],
    ['week 1', '2027-01-04', '2027-01-11'],
    ['week 53 2026', '2026-12-28', '2027-01-04'],
    ['2026-W53', '2026-12-28', '2027-01-04'],
  ])('%s is a span from Monday to Sunday', (text, from, to) => {
    const [start, end] = [moment(text, 'UTC'), moment(text, 'UTC', 'end')];
    expect([start, end]).toEqual([`${from}T00:00:00Z`, `${to}T00:00:00Z`]);
  });

  it.each([
    ['week 46', '2026-11-09', '2027-11-15'],
    ['week 47', '2026-11-16', '2026-11-16'],
  ])('%s is the nearest one, or one to come where that is meant', (text, nearest, next) => {
    expect([moment(text, 'UTC'), since(text)]).toEqual([`${nearest}T00:00:00Z`, `${next}T00:00:00Z`]);
  });

  it.each(['week 0', 'week 54', 'week 53 2027', '2027-W53'])('refuses %s, which does not exist', (text) => {
    expect(() => moment(text, 'UTC')).toThrow('does not exist');
  });

  it.each(['next week 10:00', 'week', 'week 149', 'mon week 49'])('does not read %s', (text) => {
    expect(() => moment(text, 'UTC')).toThrow('is not a date or time');
  });
});

describe('hours that people say', () => {
  const openingHours = parseWeekHours('mon-fri 9-18, sat 7-20');
  const start = (text: string) => parseStart(text, { now, timeZone: 'UTC', openingHours });

  it.each([
    ['at three', '2026-11-21T15:00:00Z'],
    ['fri at 3', '2026-11-27T15:00:00Z'],
    ['at 3 fri', '2026-11-27T15:00:00Z'],
    ['half past ten', '2026-11-21T10:30:00Z'],
    ['quarter to four tomorrow pm', undefined],
    ['quarter to four pm', '2026-11-21T15:45:00Z'],
    ['mon at quarter past nine', '2026-11-23T09:15:00Z'],
    ['quarter to one', '2026-11-21T12:45:00Z'],
    ['fri at 12', '2026-11-27T12:00:00Z'],
    ['fri noon', '2026-11-27T12:00:00Z'],
  ])('%s is the reading inside opening hours', (text, instant) => {
    if (instant === undefined) expect(() => start(text)).toThrow(SalonError);
    else expect(start(text)).toBe(instant);
  });

  it.each([
    ['at seven', '"7" may be 07:00 or 19:00.'],
    ['fri at 8', '"8" may be 08:00 or 20:00.'],
    ['sun half past ten', '"half past 10" may be 10:30 or 22:30.'],
    ['quarter to twelve am', 'is not a date or time'],
  ])('%s is refused where both or neither are', (text, message) => {
    expect(() => start(text)).toThrow(message);
  });

  it('are refused without opening hours', () => {
    expect(() => parseStart('fri at three', { now, timeZone: 'UTC' })).toThrow('may be 03:00 or 15:00');
  });

  it.each([
    ['now', '2026-11-21T10:10:00Z'],
    ['in 20 minutes', '2026-11-21T10:30:00Z'],
    ['2026-11-21T10:07:31Z', '2026-11-21T10:07:31Z'],
  ])('%s starts at whole five minutes where it counts from now', (text, instant) => {
    const late = new Date('2026-11-21T10:07:31Z');
    expect(parseStart(text, { now: late, timeZone: 'UTC' })).toBe(instant);
  });
});

describe('parseMoment: errors', () => {
  it.each([
    '',
    'soon',
    '2026-1-1',
    '2026-1-1 25:00',
    '24:00',
    '13pm',
    '0am',
    'friend',
    '3',
    'next tomorrow',
    '2026-11-21T25:00',
    '2026-11-21T24:00Z',
    '2026-11-21T09:30+25:00',
    '0099-01-01',
    '+999999w',
    '7d',
    '__proto__',
  ])('"%s" is a usage error with examples', (text) => {
    const attempt = () => moment(text, 'UTC');
    expect(attempt).toThrow(SalonError);
    expect(attempt).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('2026-11-21T09:30') }),
    );
  });
});

describe('parseStart', () => {
  const exact = (text: string) => parseStart(text, { now, timeZone: 'Europe/Berlin' });

  it.each([
    ['tomorrow', 'Add one, e.g. "tomorrow 15:00".'],
    ['2026-11-24', 'Add one, e.g. "2026-11-24 15:00".'],
    ['sat morning', 'Write a time such as 15:00 or 3pm.'],
  ])('refuses %s, which has no time', (text, hint) => {
    expect(() => exact(text)).toThrow(expect.objectContaining({ code: 'usage', hint }));
  });

  it('says which of two times with one name is meant, and how to write the other', () => {
    const notices: string[] = [];
    const read = (text: string) =>
      parseStart(text, { now, timeZone: 'Europe/Berlin', onRepeated: (notice) => notices.push(notice) });
    expect(read('2027-10-31 02:30')).toBe('2027-10-31T00:30:00Z');
    const [first, second] = ['2027-10-31T02:30+02:00', '2027-10-31T02:30+01:00'];
    expect(notices).toEqual([
      `Clocks go back: "2027-10-31 02:30" is taken as ${first}. For the second time, write ${second}.`,
    ]);
    expect([read(first), read(second)]).toEqual(['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z']);
    read('2027-10-31 03:00');
    expect(notices).toHaveLength(1);
  });

  it('refuses a weekday whose time has passed today', () => {
    expect(exact('sat 15:00')).toBe('2026-11-21T14:00:00Z');
    expect(() => exact('sat 9:00')).toThrow('"sat 9:00" is earlier today.');
    expect(exact('next sat 9:00')).toBe('2026-11-28T08:00:00Z');
    expect(exact('9:00')).toBe('2026-11-21T08:00:00Z');
  });

  it('takes the next day of that name, if it is within half a year', () => {
    expect(exact('1.5. 15:00')).toBe('2027-05-01T13:00:00Z');
    expect(() => exact('20.11. 15:00')).toThrow('"20.11." may be 20 November 2026 or 20 November 2027.');
  });
});

describe('parseMinutes', () => {
  it.each([
    ['45', 45],
    ['45m', 45],
    ['90min', 90],
    ['1h', 60],
    ['1h30m', 90],
    ['1 h 30 min', 90],
    ['PT45M', 45],
    ['PT1H30M', 90],
  ])('%s is %i minutes', (text, minutes) => {
    expect(parseMinutes(text)).toBe(minutes);
  });

  it.each(['', '0', '0m', '-5', '1.5h', '45s', 'PT', 'h', 'min', '1h1h', '30m1h', '9'.repeat(30)])(
    '"%s" is a usage error that names the flag',
    (text) => {
      expect(() => parseMinutes(text, '--length')).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.stringContaining('--length') }),
      );
    },
  );
});
