import { describe, expect, it } from 'vitest';
import { parseMoment } from '../../../src/cli/flags/moments.ts';

const now = new Date('2026-11-21T10:00:00Z');

function moment(text: string, timeZone: string, edge: 'start' | 'end' = 'start'): string {
  return parseMoment(text, { now, timeZone, edge });
}

describe('parseMoment: as people write it', () => {
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
    ['fri next week', '2026-11-27 00:00'],
    ['next week friday', '2026-11-27 00:00'],
    ['3 dec 26', '2026-12-03 00:00'],
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
    ['Sun 3.1.', '2027-01-03 00:00'],
    ['1.10.', '2026-10-01 00:00'],
    ['29.2.', '2028-02-29 00:00'],
    ['24/11', '2026-11-24 00:00'],
    ['24 Nov', '2026-11-24 00:00'],
    ['24 de noviembre de 2026', '2026-11-24 00:00'],
    ['24 listopada 2026', '2026-11-24 00:00'],
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
    ['09.30', '2026-11-21 09:30'],
    ['fri 09.30', '2026-11-27 09:30'],
    ['24.11. 09.10', '2026-11-24 09:10'],
    ['tomorrow 9.10', '2026-11-22 09:10'],
    ['09.10 Uhr', '2026-11-21 09:10'],
    ['fri 9:30 Uhr', '2026-11-27 09:30'],
    ['fri 9:30 uur', '2026-11-27 09:30'],
    ['09:30 uur', '2026-11-21 09:30'],
    ['fri 9h30', '2026-11-27 09:30'],
    ['fri 14 h', '2026-11-27 14:00'],
    ['fri 10u30', '2026-11-27 10:30'],
    ['fri 9:30\u202fp.\u00a0m.', '2026-11-27 21:30'],
    ['24 décembre à 14h', '2026-12-24 14:00'],
    ['24. Dez. um 14:30', '2026-12-24 14:30'],
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
    ['3/4', '"3/4" may be 3 April 2026 or 3 April 2027 or 4 March 2026 or 4 March 2027.', 'Write 2026-04-03'],
    ['1.1.', '"1.1." may be 1 January 2026 or 1 January 2027.', 'Write 2026-01-01 or 2027-01-01.'],
    ['09.10', '"09.10" may be 9 October 2026 or 09:10.', 'Write 09.10. or 09:10.'],
    ['fri 9.10', '"9.10" may be 9 October 2026 or 9:10.', 'Write 9.10. or 9:10.'],
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
    ['fri 2h', '"fri 2h" is not a date or time.'],
    ['fri 1h30', '"fri 1h30" is not a date or time.'],
    ['1h30', '"1h30" is not a date or time.'],
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
