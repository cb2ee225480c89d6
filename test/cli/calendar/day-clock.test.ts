import { describe, expect, it } from 'vitest';
import { createDayClock, describeShift, hourMs } from '../../../src/cli/calendar/calendar-days.ts';
import { layOutTime } from '../../../src/cli/calendar/time-rows.ts';
import { dayOf } from './sample-calendars.ts';

describe('a day on which the clocks are changed', () => {
  it.each([
    {
      timeZone: 'Europe/Berlin',
      date: '2026-03-29',
      hours: 23,
      labels: ['00:00', '01:00', '03:00', '04:00'],
      said: 'The clocks go forward: after 02:00 comes 03:00.',
    },
    {
      timeZone: 'Europe/Berlin',
      date: '2026-10-25',
      hours: 25,
      labels: ['00:00', '01:00', '02:00A', '02:00B'],
      said: 'The clocks go back at 03:00 to 02:00: what comes twice is A and B.',
    },
    {
      timeZone: 'America/Sao_Paulo',
      date: '2018-11-04',
      hours: 23,
      labels: ['01:00', '02:00', '03:00', '04:00'],
      said: 'The clocks go forward: after 00:00 comes 01:00.',
    },
    {
      timeZone: 'America/Sao_Paulo',
      date: '2019-02-16',
      hours: 25,
      labels: ['00:00', '01:00', '02:00', '03:00'],
      said: 'The clocks go back at 00:00 to 23:00: what comes twice is A and B.',
    },
    {
      timeZone: 'Australia/Lord_Howe',
      date: '2026-04-05',
      hours: 24.5,
      labels: ['00:00', '01:00', '01:30B', '02:00', '03:00'],
      said: 'The clocks go back at 02:00 to 01:30: what comes twice is A and B.',
    },
    {
      timeZone: 'Australia/Lord_Howe',
      date: '2026-10-04',
      hours: 23.5,
      labels: ['00:00', '01:00', '02:30', '03:00', '04:00'],
      said: 'The clocks go forward: after 02:00 comes 02:30.',
    },
  ])('in $timeZone on $date has $hours hours', ({ timeZone, date, hours, labels, said }) => {
    const day = dayOf(date, timeZone);
    const clock = createDayClock(day, timeZone);
    expect((day.endMs - day.startMs) / hourMs).toBe(hours);
    expect(describeShift(clock)).toBe(said);
    const busy = [day.startMs, day.startMs + 3.9 * hourMs].map((startMs) => ({
      startMs,
      endMs: startMs + 1,
    }));
    const rows = layOutTime(busy, { day, clock, slotMs: 1_800_000 });
    const shown = rows.map(({ label }) => label).filter((label) => label !== '');
    expect(shown.slice(0, labels.length)).toEqual(labels);
    for (const [index, row] of rows.entries())
      expect(row.startMs).toBe(rows[index - 1]?.endMs ?? day.startMs);
  });

  it('says nothing of an ordinary one', () => {
    expect(
      describeShift(createDayClock(dayOf('2026-11-24', 'Europe/Berlin'), 'Europe/Berlin')),
    ).toBeUndefined();
  });
});
