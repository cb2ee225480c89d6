import type { BlockedTime } from '../../../contract/blocked-time.ts';
import { createZoneClock, dayMs, hourMs, minuteMs, type TimeSpan } from '../../../time/time.ts';
import { renderWeekHours } from '../../../time/week-hours.ts';

/** A service of the sample salon. */
export interface SampleService {
  readonly service: string;
  /** Minutes. */
  readonly duration: number;
  /** In cents. */
  readonly price: number;
}

export const shortestService: SampleService = { service: 'Men’s cut', duration: 30, price: 3_200 };

const cut: SampleService = { service: 'Cut and blow-dry', duration: 60, price: 5_200 };

/** Common services are listed twice, so they are picked more often. */
const everyday: readonly SampleService[] = [
  cut,
  cut,
  shortestService,
  shortestService,
  { service: 'Blow-dry', duration: 45, price: 3_000 },
  { service: 'Fringe trim', duration: 15, price: 1_200 },
  { service: 'Conditioning treatment', duration: 45, price: 2_800 },
];
const beards: readonly SampleService[] = [{ service: 'Beard trim', duration: 30, price: 1_800 }];
const colours: readonly SampleService[] = [
  { service: 'Root colour', duration: 90, price: 7_500 },
  { service: 'Full colour', duration: 120, price: 11_000 },
  { service: 'Half-head highlights', duration: 150, price: 13_500 },
  { service: 'Balayage', duration: 180, price: 17_500 },
];
const weddings: readonly SampleService[] = [{ service: 'Bridal up-do', duration: 90, price: 9_500 }];

export const sampleCurrency = 'EUR';

/** Everything that the salon offers. */
export const sampleServices: readonly SampleService[] = [
  ...new Set([...everyday, ...beards, ...colours, ...weddings]),
];

/** The price of a service in cents; of unknown ones, that of a cut. */
export function toPrice(service: string): number {
  return prices.get(service) ?? cut.price;
}

const prices = new Map(sampleServices.map(({ service, price }) => [service, price]));

/** What a stylist does: everyone cuts, two of three colour, one of three trims beards. */
export function toStylistServices(stylist: number): readonly [SampleService, ...SampleService[]] {
  const isBarber = stylist % 3 === 1;
  const ups = stylist % 4 === 0 ? weddings : [];
  return [cut, ...everyday.slice(1), ...(isBarber ? beards : colours), ...ups];
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
  readonly special?: SpecialDays | undefined;
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
const lunchMinutes = 30;

export const sampleOpeningHours = renderWeek((weekday) => toSpans(weekday));

/** The shifts that hold this many visits: the last 18 months, the next 8 weeks, and earlier ones as needed. */
export function planShifts({ visits, stylists, today, timeZone, special }: ShiftOptions): readonly Shift[] {
  const zone = createZoneClock(timeZone);
  const needed = Math.ceil(visits / visitsPerDay);
  const midnight = Math.floor(zone.wall(today.getTime()) / dayMs) * dayMs;
  const shifts: Shift[] = [];
  for (let offset = futureDays; offset >= -pastDays || shifts.length < needed; offset--) {
    const dayWallMs = midnight + offset * dayMs;
    const weekday = new Date(dayWallMs).getUTCDay();
    const { from, to } = weekday === 0 ? sundayHours : weekdayHours;
    const opensMs = zone.earliest(dayWallMs + from * hourMs);
    for (let stylist = stylists - 1; stylist >= 0; stylist--) {
      if (isDayOff(stylist, weekday) || isAway(special, stylist, offset)) continue;
      const lastMinute = offset === 1 && stylist === 0 ? freeFrom * 60 : to * 60;
      const spans = toSpans(weekday, special && toLunch(stylist));
      for (const { startMs, endMs } of spans.toReversed()) {
        const open = Math.min(endMs / minuteMs, lastMinute) - startMs / minuteMs;
        shifts.push({ openingMs: opensMs + startMs - from * hourMs, open, stylist });
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

/** The weekly hours of a stylist, as the contract writes them. */
export function toWorkingHours(stylist: number, lunchMinute?: number): string {
  return renderWeek((weekday) => (isDayOff(stylist, weekday) ? [] : toSpans(weekday, lunchMinute)));
}

function renderWeek(toDay: (weekday: number) => readonly TimeSpan[]): string {
  return renderWeekHours(Array.from({ length: 7 }, (_, weekday) => toDay(weekday)));
}

/** When a stylist has lunch, on weekdays: one after another. */
export function toLunch(stylist: number): number {
  return 12 * 60 + 30 + (stylist % 3) * lunchMinutes;
}

function toSpans(weekday: number, lunchMinute?: number): readonly TimeSpan[] {
  const { from, to } = weekday === 0 ? sundayHours : weekdayHours;
  const [startMs, endMs] = [from * hourMs, to * hourMs];
  if (lunchMinute === undefined || weekday === 0) return [{ startMs, endMs }];
  return [
    { startMs, endMs: lunchMinute * minuteMs },
    { startMs: (lunchMinute + lunchMinutes) * minuteMs, endMs },
  ];
}

/** Open every day: the first stylist always works, others have a weekday off, and every third one works on Sundays. */
export function isDayOff(stylist: number, weekday: number): boolean {
  return stylist > 0 && (weekday === 0 ? stylist % 3 !== 0 : weekday === 1 + (stylist % 6));
}
