import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimeZone, parseMinutes, parseMoment } from '../../../src/cli/flags/days.ts';
import { SalonError } from '../../../src/contract/errors.ts';

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
      { numRuns: 200 },
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
    const context = { now, timeZone: 'Europe/Berlin', edge: 'start', isExact: true } as const;
    expect(() => parseMoment('2026-03-29T02:30', context)).toThrow('does not exist in Europe/Berlin');
    expect(parseMoment('2026-03-29T03:30', context)).toBe('2026-03-29T01:30:00Z');
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

describe('parseMoment: as spoken', () => {
  // A Saturday.
  const berlin = (text: string, edge: 'start' | 'end' = 'start') => {
    const instant = new Date(moment(text, 'Europe/Berlin', edge));
    return instant.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).slice(0, 16);
  };

  it.each([
    ['sat', '2026-11-21 00:00'],
    ['Friday', '2026-11-27 00:00'],
    ['weds', '2026-11-25 00:00'],
    ['next fri', '2026-11-27 00:00'],
    ['next sat', '2026-11-28 00:00'],
    ['this sunday', '2026-11-22 00:00'],
    ['last fri', '2026-11-20 00:00'],
    ['last sat', '2026-11-14 00:00'],
    ['on mon', '2026-11-23 00:00'],
    ['-6mo', '2026-05-21 00:00'],
    ['+1y', '2027-11-21 00:00'],
    ['24/11/2026', '2026-11-24 00:00'],
    ['24/11/26', '2026-11-24 00:00'],
    ['24-11-2026', '2026-11-24 00:00'],
    ['11/24/2026', '2026-11-24 00:00'],
    ['05/05/2026', '2026-05-05 00:00'],
    ['24.11.2026', '2026-11-24 00:00'],
    ['3.4.2026', '2026-04-03 00:00'],
    ['24. 11. 26', '2026-11-24 00:00'],
    ['24.11.', '2026-11-24 00:00'],
    ['3.1.', '2027-01-03 00:00'],
    ['1.10.', '2026-10-01 00:00'],
    ['29.2.', '2028-02-29 00:00'],
    ['24/11', '2026-11-24 00:00'],
    ['24 Nov', '2026-11-24 00:00'],
    ['24th of November 2026', '2026-11-24 00:00'],
    ['Nov 24, 2026', '2026-11-24 00:00'],
    ['Sept 3', '2026-09-03 00:00'],
    ['Tue 24 Nov', '2026-11-24 00:00'],
    ['Tuesday, 24 November 2026', '2026-11-24 00:00'],
    ['Fri 3/4/2026', '2026-04-03 00:00'],
    ['Wed 3/4/2026', '2026-03-04 00:00'],
  ])('%s is a day', (text, local) => {
    expect(berlin(text)).toBe(local);
    expect(Date.parse(moment(text, 'Europe/Berlin', 'end'))).toBeGreaterThan(
      Date.parse(moment(text, 'Europe/Berlin')),
    );
  });

  it.each([
    ['fri 3pm', '2026-11-27 15:00'],
    ['fri 3 pm', '2026-11-27 15:00'],
    ['FRI 3:30 P.M.', '2026-11-27 15:30'],
    ['3pm fri', '2026-11-27 15:00'],
    ['tomorrow 15:00', '2026-11-22 15:00'],
    ['tomorrow at 15', '2026-11-22 15:00'],
    ['tomorrow at three pm', '2026-11-22 15:00'],
    ['tomorrow 9:05', '2026-11-22 09:05'],
    ['15:00', '2026-11-21 15:00'],
    ['3pm', '2026-11-21 15:00'],
    ['12am', '2026-11-21 00:00'],
    ['12pm', '2026-11-21 12:00'],
    ['noon', '2026-11-21 12:00'],
    ['+1d 15:00', '2026-11-22 15:00'],
    ['24.11. 15:00', '2026-11-24 15:00'],
    ['24/11/2026, 3pm', '2026-11-24 15:00'],
    ['2026-11-24 3pm', '2026-11-24 15:00'],
    ['Tue 24 Nov 15:00', '2026-11-24 15:00'],
  ])('%s is a time', (text, local) => {
    expect([berlin(text), berlin(text, 'end')]).toEqual([local, local]);
  });

  it.each([
    ['tomorrow morning', '2026-11-22 00:00', '2026-11-22 12:00'],
    ['sat afternoon', '2026-11-21 12:00', '2026-11-21 17:00'],
    ['evening', '2026-11-21 17:00', '2026-11-22 00:00'],
    ['tomorrow in the evening', '2026-11-22 17:00', '2026-11-23 00:00'],
  ])('%s is a part of the day', (text, start, end) => {
    expect([berlin(text), berlin(text, 'end')]).toEqual([start, end]);
  });

  it.each([
    ['03/04/2026', '"03/04/2026" may be 3 April 2026 or 4 March 2026.', 'Write 2026-04-03 or 2026-03-04.'],
    ['03-04-2026 15:00', '"03-04-2026" may be 3 April 2026 or 4 March 2026.', 'Write 2026-04-03 or'],
    ['3/4', '"3/4" may be 3 April 2027 or 4 March 2027.', 'Write 2027-04-03 or 2027-03-04.'],
    ['tomorrow at three', '"3" may be 03:00 or 15:00.', 'Write 03:00 or 15:00, 3am or 3pm.'],
    ['tomorrow 12', '"12" may be 00:00 or 12:00.', 'Write 00:00 or 12:00'],
  ])('%s is refused with both readings', (text, message, hint) => {
    expect(() => moment(text, 'UTC')).toThrow(
      expect.objectContaining({ code: 'usage', message, hint: expect.stringContaining(hint) }),
    );
  });

  it.each([
    ['31.2.2026', 'The day "31.2.2026" does not exist.'],
    ['29/02/2027', 'The day "29/02/2027" does not exist.'],
    ['31/31/2026', 'The day "31/31/2026" does not exist.'],
    ['2026-02-30', 'The day "2026-02-30" does not exist.'],
    ['2026-13-01', 'The day "2026-13-01" does not exist.'],
    ['0.1.2026', 'The day "0.1.2026" does not exist.'],
    ['31 June', 'The day "31 june" does not exist.'],
    ['31.11. 15:00', 'The day "31.11." does not exist.'],
    ['Thu 24 Nov 2026', 'names the wrong weekday: the day is Tuesday 24 November 2026.'],
  ])('%s is refused', (text, message) => {
    expect(() => moment(text, 'UTC')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }),
    );
  });

  it('takes the last day of a month that is shorter', () => {
    const march = { now: new Date('2026-03-31T10:00:00Z'), timeZone: 'UTC', edge: 'start' } as const;
    expect(parseMoment('-1mo', march)).toBe('2026-02-28T00:00:00Z');
  });

  it.each([
    ['mon', 'next mon', 'last mon', 'this mon'],
    ['sun', 'next sun', 'last sun', 'this sun'],
  ])('finds %s from every day of the week', (name, next, last, same) => {
    const weekday = name === 'mon' ? 1 : 0;
    for (let day = 16; day <= 22; day += 1) {
      const context = { now: new Date(`2026-11-${day}T10:00:00Z`), timeZone: 'UTC', edge: 'start' } as const;
      const toDay = (text: string) => new Date(parseMoment(text, context));
      const [coming, nextWeek, before] = [name, next, last].map(toDay);
      expect([coming, nextWeek, before].map((date) => date?.getUTCDay())).toEqual([
        weekday,
        weekday,
        weekday,
      ]);
      expect(coming?.getUTCDate()).toBe(weekday === 0 ? 22 : day === 16 ? 16 : 23);
      expect(nextWeek?.getUTCDate()).toBe(weekday === 0 ? 29 : 23);
      expect(before?.getUTCDate()).toBe(weekday === 0 ? 15 : day === 16 ? 9 : 16);
      expect(toDay(same)).toEqual(coming);
    }
  });
});

describe('parseMoment: one exact time to come', () => {
  const exact = (text: string) =>
    parseMoment(text, { now, timeZone: 'Europe/Berlin', edge: 'start', isExact: true });

  it.each([
    ['tomorrow', 'Add one, e.g. "tomorrow 15:00".'],
    ['2026-11-24', 'Add one, e.g. "2026-11-24 15:00".'],
    ['sat morning', 'Write a time such as 15:00 or 3pm.'],
  ])('refuses %s, which has no time', (text, hint) => {
    expect(() => exact(text)).toThrow(expect.objectContaining({ code: 'usage', hint }));
  });

  it('refuses a weekday whose time has passed today', () => {
    expect(exact('sat 15:00')).toBe('2026-11-21T14:00:00Z');
    expect(() => exact('sat 9:00')).toThrow('"sat 9:00" is earlier today.');
    expect(exact('next sat 9:00')).toBe('2026-11-28T08:00:00Z');
    expect(exact('9:00')).toBe('2026-11-21T08:00:00Z');
  });

  it('takes the next day of that name, not the nearest', () => {
    expect(exact('1.10. 15:00')).toBe('2027-10-01T13:00:00Z');
  });
});

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
