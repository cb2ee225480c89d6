import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { toCalendarDay } from '../../../src/cli/calendar/calendar-days.ts';
import { renderStylistWeek } from '../../../src/cli/calendar/draw-calendar.ts';
import { renderSalonWeek } from '../../../src/cli/calendar/salon-week.ts';
import { createZoneClock } from '../../../src/time/time.ts';
import { entryOf, styleOf } from './sample-calendars.ts';

const timeZone = 'Europe/Berlin';
const zone = createZoneClock(timeZone);
// The week in which the clocks go back.
const days = Array.from({ length: 7 }, (_, index) =>
  toCalendarDay(Date.parse('2026-10-19T10:00:00Z'), zone, index),
);
const stylists = [
  { id: 'sty_0', name: 'Mia' },
  { id: 'sty_1', name: '山田' },
];
const entries = [
  entryOf({ startMs: Date.parse('2026-10-20T07:00:00Z'), endMs: Date.parse('2026-10-20T15:00:00Z') }),
  entryOf({ startMs: Date.parse('2026-10-25T00:30:00Z'), endMs: Date.parse('2026-10-25T01:15:00Z') }),
  entryOf({
    stylistId: 'sty_1',
    startMs: Date.parse('2026-10-20T08:00:00Z'),
    endMs: Date.parse('2026-10-20T09:00:00Z'),
  }),
];
const contents = { days, timeZone, stylists, entries, hidden: [], nowMs: 0 };
const widths = [40, 60, 80, 120, 200, 250];

describe('the week of the salon', () => {
  it('has a line per stylist with how busy each day is, and totals', () => {
    const lines = renderSalonWeek(
      { ...contents, entries: entries.filter((_, index) => index !== 1) },
      styleOf(80),
    )
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' '));
    expect(lines).toContain('Mia · █████ 1 · · · · · 1');
    expect(lines).toContain('山田 · ▋ 1 · · · · · 1');
    expect(lines).toContain('All 0 2 0 0 0 0 0 2');
    expect(lines).toContain('A full bar is 8 hours booked; numbers are appointments starting that day.');
  });

  it.each(widths)('fits a terminal of %i columns', (width) => {
    for (const line of renderSalonWeek(contents, styleOf(width)).split('\n')) {
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it('names the day on which the clocks change', () => {
    expect(renderSalonWeek(contents, styleOf(120))).toContain(
      'Sun 25 Oct: The clocks go back from 03:00 to 02:00. Times that occur twice are marked A and B.',
    );
  });
});

describe('the week of a stylist', () => {
  const own = { ...contents, stylists: stylists.slice(0, 1), entries: entries.slice(0, 2) };

  it('has a column per day and shows an appointment during a clock change once', () => {
    const text = renderStylistWeek(own, styleOf(160));
    expect(text.match(/▌C (?:02:30A )?Ana/g)).toHaveLength(2);
    expect(text).toContain('02:30A Ana');
    expect(text).toMatch(/Mon 19 Oct .*Tue 20 Oct +1 .*Sun 25 Oct +1/);
  });

  it.each(widths)('fits a terminal of %i columns', (width) => {
    for (const line of renderStylistWeek(own, styleOf(width)).split('\n')) {
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it('shows an appointment that crosses midnight on both days with its full time', () => {
    const late = entryOf({
      startMs: Date.parse('2026-10-20T21:00:00Z'),
      endMs: Date.parse('2026-10-20T23:30:00Z'),
    });
    const text = renderStylistWeek({ ...own, entries: [late] }, styleOf(160));
    expect(text).toContain('23:00–01:30›');
    expect(text).toContain('‹23:00');
  });
});

describe.each([
  ['of the salon', renderSalonWeek],
  ['of a stylist', renderStylistWeek],
])('the week %s', (_, render) => {
  it('prints no control or bidirectional characters from the server', () => {
    const hostile = '\u001b[2J\u202eMia\r\n\u0007';
    const named = [{ id: 'sty_0', name: hostile }];
    const shown = entries.slice(0, 2).map((entry) => ({
      ...entry,
      ...{ client: hostile, service: hostile, status: hostile },
    }));
    const text = render(
      { ...contents, stylists: named, entries: shown, hidden: shown.slice(0, 1) },
      styleOf(160),
    );
    for (const hidden of '\u001b\u202e\u0007\r') expect(text).not.toContain(hidden);
    expect(text).toContain('Mia');
  });
});
