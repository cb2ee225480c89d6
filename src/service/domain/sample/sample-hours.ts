import type { BlockedTime } from '../../../contract/blocked-time.ts';
import { createZoneClock, dayMs, hourMs, minuteMs, type TimeSpan } from '../../../time/time.ts';
import { renderWeekHours } from '../../../time/week-hours.ts';
import sample from './sample-salon.json' with { type: 'json' };

/** What a stylist does: everyone cuts, two of three colour, one of three trims beards. Common services are listed twice. */
export function toStylistServices(stylist: number) {
  const skills = ['any', stylist % 3 === 1 ? 'barber' : 'colour', stylist % 4 === 0 ? 'bridal' : 'any'];
  return sample.services
    .filter(({ skill }) => skills.includes(skill))
    .flatMap((service) => Array.from({ length: service.weight }, () => service));
}

/** The time in which a stylist takes bookings on one day. */
export interface Shift {
  readonly openingMs: number;
  /** Minutes. */
  readonly open: number;
  /** The stylist's index. */
  readonly stylist: number;
}

interface ShiftOptions {
  readonly visits: number;
  readonly stylists: number;
  readonly today: Date;
  /** IANA name of the salon's zone. */
  readonly timeZone: string;
  /** Nobody is booked in them, unless for an illness. With them, stylists have lunch. */
  readonly special: SpecialDays | undefined;
}

/** Days that differ from others, counted from today; those from `from` up to, not including, `to`. */
export type SpecialDays = readonly (Pick<BlockedTime, 'reason' | 'note'> & {
  /** Null for the whole salon. */
  readonly stylist: number | null;
  readonly from: number;
  readonly to: number;
})[];

const pastDays = 548;
const futureDays = 56;
/** A stylist's visits on an average full day; a calendar with more visits reaches further back. */
const visitsPerDay = 6;
const weekdayHours = { from: 9, to: 19 };
const sundayHours = { from: 10, to: 16 };
/** On the next day, the first stylist is free from this hour on, for examples. */
const freeFrom = 15;
const lunchMs = 30 * minuteMs;

/** The shifts that hold this many visits: the last 18 months, the next 8 weeks, and earlier ones as needed. */
export function planShifts({ visits, stylists, today, timeZone, special }: ShiftOptions): readonly Shift[] {
  const zone = createZoneClock(timeZone);
  const needed = Math.ceil(visits / visitsPerDay);
  const midnight = Math.floor(zone.wall(today.getTime()) / dayMs) * dayMs;
  const shifts: Shift[] = [];
  for (let offset = futureDays; offset >= -pastDays || shifts.length < needed; offset--) {
    const dayWallMs = midnight + offset * dayMs;
    const weekday = new Date(dayWallMs).getUTCDay();
    const fromMs = (weekday === 0 ? sundayHours : weekdayHours).from * hourMs;
    const opensMs = zone.earliest(dayWallMs + fromMs) - fromMs;
    for (let stylist = stylists - 1; stylist >= 0; stylist--) {
      if (isDayOff(stylist, weekday) || isAway(special, stylist, offset)) continue;
      const lastMs = offset === 1 && stylist === 0 ? freeFrom * hourMs : dayMs;
      const spans = toSpans(weekday, special && stylist);
      for (const { startMs, endMs } of spans.toReversed()) {
        const open = (Math.min(endMs, lastMs) - startMs) / minuteMs;
        shifts.push({ openingMs: opensMs + startMs, open, stylist });
      }
    }
  }
  return shifts.reverse();
}

function isAway(special: SpecialDays = [], stylist: number, day: number): boolean {
  const isMeant = (one: number | null) => one === null || one === stylist;
  return special.some(
    (one) => isMeant(one.stylist) && day >= one.from && day < one.to && one.reason !== 'sick',
  );
}

/** Open every day: the first stylist always works, others have a weekday off, and every third one works on Sundays. */
function isDayOff(stylist: number, weekday: number): boolean {
  return stylist > 0 && (weekday === 0 ? stylist % 3 !== 0 : weekday === 1 + (stylist % 6));
}

/** The open hours of a weekday, without the lunch of a stylist: weekdays have one, one stylist after another. */
function toSpans(weekday: number, lunchOf?: number): readonly TimeSpan[] {
  const { from, to } = weekday === 0 ? sundayHours : weekdayHours;
  const [startMs, endMs] = [from * hourMs, to * hourMs];
  if (lunchOf === undefined || weekday === 0) return [{ startMs, endMs }];
  const lunch = 12.5 * hourMs + (lunchOf % 3) * lunchMs;
  return [
    { startMs, endMs: lunch },
    { startMs: lunch + lunchMs, endMs },
  ];
}

/** The weekly hours of a stylist, as the contract writes them; without one, those of the salon. */
export function toWorkingHours(stylist?: number, hasLunch = false): string {
  const toDay = (weekday: number) =>
    stylist !== undefined && isDayOff(stylist, weekday)
      ? []
      : toSpans(weekday, hasLunch ? stylist : undefined);
  return renderWeekHours(Array.from({ length: 7 }, (_, weekday) => toDay(weekday)));
}

const holidayStylist = 5;

/** A stylist is ill tomorrow, another on holiday from Monday on, and later the salon is closed for a day. */
export function planSpecialDays(today: Date, timeZone: string, stylists: number): SpecialDays {
  const weekday = new Date(createZoneClock(timeZone).wall(today.getTime())).getUTCDay();
  const monday = (8 - weekday) % 7 || 7;
  const isIll = (stylist: number) => stylist !== holidayStylist && !isDayOff(stylist, (weekday + 1) % 7);
  const others = Array.from({ length: stylists }, (_, stylist) => stylist).slice(1);
  return [
    { stylist: others.find(isIll), from: 1, to: 2, reason: 'sick', note: 'Flu. Called in sick.' },
    { stylist: others[holidayStylist - 1], from: monday, to: monday + 7, reason: 'holiday', note: null },
    { stylist: null, from: 16, to: 17, reason: 'closed', note: 'Public holiday' },
  ].filter(({ stylist }) => stylist !== undefined) as SpecialDays;
}
