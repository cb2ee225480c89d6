import { describe, expect, it } from 'vitest';
import { parseBlockedWords } from '../../../src/cli/booking/blocked-words.ts';
import { parseWeekHours } from '../../../src/time/week-hours.ts';

const moments = { now: new Date('2026-11-24T09:00:00Z'), timeZone: 'Europe/Berlin' };

function parse(text: string) {
  const { stylist, span, reason } = parseBlockedWords([text], moments);
  const times = [span?.startMs, span?.endMs].map((ms) => ms && new Date(ms).toISOString().slice(0, 16));
  return [stylist, ...times, reason];
}

describe('the words of a block', () => {
  it.each([
    ['Mia tomorrow 12-13 lunch', 'Mia', '2026-11-25T11:00', '2026-11-25T12:00', 'break'],
    ['Mia tomorrow 12:15 to 13:45', 'Mia', '2026-11-25T11:15', '2026-11-25T12:45', undefined],
    ['Mia tomorrow 12.15–13.45', 'Mia', '2026-11-25T11:15', '2026-11-25T12:45', undefined],
    ['Mia tomorrow 9h30 until 10h15', 'Mia', '2026-11-25T08:30', '2026-11-25T09:15', undefined],
    ['Mia tomorrow 9am-1pm', 'Mia', '2026-11-25T08:00', '2026-11-25T12:00', undefined],
    ['Mia 24 dec to 2 jan holiday', 'Mia', '2026-12-23T23:00', '2027-01-02T23:00', 'holiday'],
    ['Mia Berg today ill', 'Mia Berg', '2026-11-23T23:00', '2026-11-24T23:00', 'sick'],
    ['24 to 26 dec', '', '2026-12-23T23:00', '2026-12-26T23:00', undefined],
    ['Mia 24-26 dec holiday', 'Mia', '2026-12-23T23:00', '2026-12-26T23:00', 'holiday'],
    ['25 dec', '', '2026-12-24T23:00', '2026-12-25T23:00', undefined],
    ['Mia sat morning training', 'Mia', '2026-11-27T23:00', '2026-11-28T11:00', 'training'],
    ['Mia 14-15', 'Mia', '2026-11-24T13:00', '2026-11-24T14:00', undefined],
  ])('%s', (text, ...expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    ['Mia tomorrow 13-12', /ends before it starts/],
    ['Mia tomorrow 15:00', /does not say until when/],
    ['Mia 28 mar 2027 2:30-4:00', /clocks go forward/],
    ['Mia 2 jan to 24 dec 2026', /ends before it begins/],
    ['30 to 2 jan', /needs both months, such as 30 dec to 2 jan/],
  ])('%s is refused', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('have the hours inside the opening hours, and are refused where both may be meant', () => {
    const openingHours = parseWeekHours('mon-sat 9-18');
    const { span } = parseBlockedWords(['Mia tomorrow 3-4'], { ...moments, openingHours });
    expect(span).toEqual({
      startMs: Date.parse('2026-11-25T14:00:00Z'),
      endMs: Date.parse('2026-11-25T15:00:00Z'),
    });
    expect(() => parseBlockedWords(['Mia tomorrow 7-8'], { ...moments, openingHours })).toThrow(
      'may be 07:00 or 19:00',
    );
  });

  it.each([
    [
      'Mia Berg every day 12-13 lunch',
      'salon stylists update "Mia Berg" --set "working_hours=mon-fri 9-12 13-18"',
    ],
    ['Mia daily 12-13', 'salon stylists update "Mia" --set "working_hours=mon-fri 9-12 13-18"'],
    ['jeden Sonntag', 'salon settings set opening_hours "tue-sat 9-18"'],
    ['Mia every sunday', 'salon stylists update "Mia" --set "working_hours=mon-fri 9-12 13-18"'],
    ['every sunday', 'salon settings set opening_hours "tue-sat 9-18"'],
  ])('are refused for what repeats, with the command for it: %s', (text, command) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining(command) }),
    );
  });

  it('without a time are a name', () => {
    expect(parse('Mia whenever')).toEqual(['Mia whenever', undefined, undefined, undefined]);
  });
});
