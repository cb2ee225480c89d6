import { describe, expect, it } from 'vitest';
import { createDayClock, describeClockChange } from '../../../src/cli/calendar/calendar-days.ts';
import { createTimeRows } from '../../../src/cli/calendar/grid-layout.ts';
import { hourMs } from '../../../src/time/time.ts';
import { dayOf } from './sample-calendars.ts';

describe('a day on which the clocks change', () => {
  it.each([
    {
      timeZone: 'Europe/Berlin',
      date: '2026-03-29',
      hours: 23,
      labels: ['00:00', '01:00', '03:00', '04:00'],
      note: 'The clocks go forward from 02:00 to 03:00.',
    },
    {
      timeZone: 'Europe/Berlin',
      date: '2026-10-25',
      hours: 25,
      labels: ['00:00', '01:00', '02:00A', '02:00B'],
      note: 'The clocks go back from 03:00 to 02:00. Times that occur twice are marked A and B.',
    },
    {
      timeZone: 'America/Sao_Paulo',
      date: '2018-11-04',
      hours: 23,
      labels: ['01:00', '02:00', '03:00', '04:00'],
      note: 'The clocks go forward from 00:00 to 01:00.',
    },
    {
      timeZone: 'America/Sao_Paulo',
      date: '2019-02-16',
      hours: 25,
      labels: ['00:00', '01:00', '02:00', '03:00'],
      note: 'The clocks go back from 00:00 to 23:00. Times that occur twice are marked A and B.',
    },
    {
      timeZone: 'Australia/Lord_Howe',
      date: '2026-04-05',
      hours: 24.5,
      labels: ['00:00', '01:00', '01:30B', '02:00', '03:00'],
      note: 'The clocks go back from 02:00 to 01:30. Times that occur twice are marked A and B.',
    },
    {
      timeZone: 'Australia/Lord_Howe',
      date: '2026-10-04',
      hours: 23.5,
      labels: ['00:00', '01:00', '02:30', '03:00', '04:00'],
      note: 'The clocks go forward from 02:00 to 02:30.',
    },
  ])('has $hours hours in $timeZone on $date', ({ timeZone, date, hours, labels, note }) => {
    const day = dayOf(date, timeZone);
    const clock = createDayClock(day, timeZone);
    expect((day.endMs - day.startMs) / hourMs).toBe(hours);
    expect(describeClockChange(clock)).toEqual([note]);
    const busy = [day.startMs, day.startMs + 3.9 * hourMs].map((startMs) => ({
      startMs,
      endMs: startMs + 1,
    }));
    const rows = createTimeRows(busy, { day, clock, slotMs: 1_800_000 });
    const shown = rows.map(({ label }) => label).filter((label) => label !== '');
    expect(shown.slice(0, labels.length)).toEqual(labels);
    for (const [index, row] of rows.entries())
      expect(row.startMs).toBe(rows[index - 1]?.endMs ?? day.startMs);
  });

  it('is the only one with a note', () => {
    expect(
      describeClockChange(createDayClock(dayOf('2026-11-24', 'Europe/Berlin'), 'Europe/Berlin')),
    ).toEqual([]);
  });
});
