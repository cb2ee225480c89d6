import fc from 'fast-check';
import type { CalendarEntry, CalendarStyle, DayContents } from '../../../src/cli/calendar/calendar.ts';
import { toCalendarDay } from '../../../src/cli/calendar/calendar-days.ts';
import { appointmentStatuses } from '../../../src/contract/appointment.ts';
import { createZoneClock, minuteMs } from '../../../src/time/time.ts';

/** Days on which the clocks change, and an ordinary one. */
const zonedDays = [
  { timeZone: 'Europe/Berlin', date: '2026-03-29' },
  { timeZone: 'Europe/Berlin', date: '2026-10-25' },
  { timeZone: 'America/Sao_Paulo', date: '2018-11-04' },
  { timeZone: 'America/Sao_Paulo', date: '2019-02-16' },
  { timeZone: 'Australia/Lord_Howe', date: '2026-04-05' },
  { timeZone: 'Australia/Lord_Howe', date: '2026-10-04' },
  { timeZone: 'Asia/Kathmandu', date: '2026-11-24' },
] as const;

export function dayOf(date: string, timeZone: string) {
  const zone = createZoneClock(timeZone);
  return toCalendarDay(zone.earliest(Date.parse(`${date}T12:00Z`)), zone);
}

export function entryOf(
  change: Partial<CalendarEntry> & Pick<CalendarEntry, 'startMs' | 'endMs'>,
): CalendarEntry {
  return {
    id: 'apt_1',
    clientId: 'cli_1',
    stylistId: 'sty_0',
    client: 'Ana Costa',
    service: 'Cut',
    status: 'confirmed',
    ...change,
  };
}

export function styleOf(width: number, height = 24): CalendarStyle {
  return { width, height, color: false, plain: false, hasManyColors: false };
}

/** Any day: overlapping, across midnight, from one minute to a whole day, with any names. */
export const anyDay: fc.Arbitrary<DayContents> = fc
  .record({ zoned: fc.constantFrom(...zonedDays), stylists: fc.integer({ min: 1, max: 14 }) })
  .chain(({ zoned: { date, timeZone }, stylists }) => {
    const day = dayOf(date, timeZone);
    const length = (day.endMs - day.startMs) / minuteMs;
    const entry = fc
      .record({
        start: fc.integer({ min: -1439, max: length - 1 }),
        duration: fc.oneof(fc.constantFrom(1, 15, 30, 45, 60, 90, 1440), fc.integer({ min: 1, max: 1440 })),
        stylist: fc.nat(stylists - 1),
        status: fc.constantFrom(...appointmentStatuses, 'paused'),
        client: fc.oneof(
          fc.constantFrom('山田花子', '👩‍👩‍👧 Ana', '\u001b[31mred', 'a\u202eb', 'Zoë\n\tx', ''),
          fc.string({ unit: 'grapheme', maxLength: 40 }),
        ),
        service: fc.string({ unit: 'grapheme', maxLength: 60 }),
      })
      .map(({ start, duration, stylist, status, client, service }) =>
        entryOf({
          stylistId: `sty_${stylist}`,
          status,
          // The test counts these characters.
          client: client.replaceAll(/[▌▘]/g, '-'),
          service: service.replaceAll(/[▌▘]/g, '-'),
          startMs: day.startMs + Math.max(start, 1 - duration) * minuteMs,
          endMs: day.startMs + (Math.max(start, 1 - duration) + duration) * minuteMs,
        }),
      );
    return fc.record({
      day: fc.constant(day),
      timeZone: fc.constant(timeZone),
      stylists: fc.constant(
        Array.from({ length: stylists }, (_, index) => ({ id: `sty_${index}`, name: `Stylist ${index}` })),
      ),
      entries: fc.array(entry, { maxLength: 40 }),
      hidden: fc.constant([]),
      nowMs: fc.integer({ min: day.startMs - 3_600_000, max: day.endMs }),
    });
  });
