import { createZoneClock, dayMs, type ZoneClock } from '../../../contract/time.ts';
import { renderWeekHours } from '../../../contract/week-hours.ts';

/** The time in which a stylist takes bookings on one day. */
export interface Shift {
  readonly openingMs: number;
  /** Minutes. */
  readonly open: number;
  /** The stylist's index. */
  readonly stylist: number;
}

export interface ShiftOptions {
  readonly visits: number;
  readonly stylists: number;
  readonly today: Date;
  /** IANA name of the salon's zone. */
  readonly timeZone: string;
}

interface OpeningHours {
  readonly from: number;
  readonly to: number;
}

const pastDays = 548;
const futureDays = 56;
/** A stylist's visits on an average full day; a calendar with more visits reaches further back. */
const visitsPerDay = 6;
const weekdayHours: OpeningHours = { from: 9, to: 19 };
const sundayHours: OpeningHours = { from: 10, to: 16 };
/** On the next day, the first stylist is free from this hour on, for examples. */
const freeFrom = 15;

/** The shifts that hold this many visits: the last 18 months, the next 8 weeks, and earlier ones as needed. */
export function planShifts({ visits, stylists, today, timeZone }: ShiftOptions): readonly Shift[] {
  const zone = createZoneClock(timeZone);
  const needed = Math.ceil(visits / visitsPerDay);
  const midnight = Math.floor(zone.wall(today.getTime()) / dayMs) * dayMs;
  const shifts: Shift[] = [];
  for (let offset = futureDays; offset >= -pastDays || shifts.length < needed; offset--) {
    const dayWallMs = midnight + offset * dayMs;
    for (let stylist = stylists - 1; stylist >= 0; stylist--) {
      if (isDayOff(stylist, new Date(dayWallMs).getUTCDay())) continue;
      shifts.push(toShift({ zone, dayWallMs, stylist, isTomorrow: offset === 1 }));
    }
  }
  return shifts.reverse();
}

interface ShiftDay {
  readonly zone: ZoneClock;
  /** Midnight in local time. */
  readonly dayWallMs: number;
  readonly stylist: number;
  readonly isTomorrow: boolean;
}

function toShift({ zone, dayWallMs, stylist, isTomorrow }: ShiftDay): Shift {
  const { from, to } = new Date(dayWallMs).getUTCDay() === 0 ? sundayHours : weekdayHours;
  const until = isTomorrow && stylist === 0 ? freeFrom : to;
  return { openingMs: zone.earliest(dayWallMs + from * 3_600_000), open: (until - from) * 60, stylist };
}

/** The weekly hours of a stylist, as the contract writes them. */
export function toWorkingHours(stylist: number): string {
  const week = Array.from({ length: 7 }, (_, weekday) => {
    const { from, to } = weekday === 0 ? sundayHours : weekdayHours;
    return isDayOff(stylist, weekday) ? [] : [{ startMinute: from * 60, endMinute: to * 60 }];
  });
  return renderWeekHours(week);
}

/** Open every day: the first stylist always works, others have a weekday off, and every third one works on Sundays. */
function isDayOff(stylist: number, weekday: number): boolean {
  return stylist > 0 && (weekday === 0 ? stylist % 3 !== 0 : weekday === 1 + (stylist % 6));
}
