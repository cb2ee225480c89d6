import type { BlockedTime } from '../../../contract/blocked-time.ts';
import type { SalonSettings } from '../../../contract/salon.ts';
import type { SalonService } from '../../../contract/salon-service.ts';
import { startOfDay } from '../../../time/local-days.ts';
import { createZoneClock, dayMs, toUtcText } from '../../../time/time.ts';
import { createSampleId } from './people.ts';
import type { SeededRandom } from './random.ts';
import {
  isDayOff,
  type SpecialDays,
  sampleCurrency,
  sampleOpeningHours,
  sampleServices,
} from './stylist-work.ts';

/** The settings of a sample salon. Most of its clients have French numbers. */
export const sampleSettings: Omit<SalonSettings, 'name' | 'time_zone' | 'updated_at'> = {
  currency: sampleCurrency,
  country: 'FR',
  opening_hours: sampleOpeningHours,
  // In a range that France reserves for fiction.
  phone: '+33353010112',
  address: '12 rue des Tonneliers, 67000 Strasbourg',
};

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

export function createSampleServices(random: SeededRandom, createdMs: number): SalonService[] {
  const at = new Date(createdMs).toISOString();
  return sampleServices.map(({ service: name, duration, price }) => {
    const id = createSampleId('service', random, createdMs);
    return { id, name, duration, price, active: true, created_at: at, updated_at: at };
  });
}

export function createSampleBlocks(
  random: SeededRandom,
  special: SpecialDays,
  { today, timeZone, stylistIds }: { today: Date; timeZone: string; stylistIds: readonly string[] },
): BlockedTime[] {
  const zone = createZoneClock(timeZone);
  const midnight = startOfDay(zone.wall(today.getTime()));
  const toDay = (day: number) => toUtcText(zone.earliest(midnight + day * dayMs));
  const at = today.toISOString();
  return special.map(({ stylist, from, to, reason, note }) => ({
    id: createSampleId('blocked_time', random, today.getTime()),
    stylist_id: stylist === null ? null : (stylistIds[stylist] ?? null),
    start_time: toDay(from),
    end_time: toDay(to),
    reason,
    note,
    created_at: at,
    updated_at: at,
  }));
}
