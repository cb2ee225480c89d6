import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import { dayMs } from '../validation.ts';
import { bookingNotes, cancellationReasons, createSampleId } from './people.ts';
import type { SeededRandom } from './random.ts';

export interface Visit {
  readonly startMs: number;
  /** Minutes. */
  readonly duration: number;
  readonly service: string;
  /** The stylist's index. */
  readonly stylist: number;
}

/** A booked visit. Kept small, because there may be millions. */
export interface SampleBooking extends Visit {
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly status: AppointmentStatus;
}

const opensAtMs = 9 * 3_600_000;
const openMinutes = 600;
const stepMinutes = 15;
const minuteMs = 60_000;
const pastDays = 548;
const futureDays = 56;
/** A stylist's visits on an average full day; a calendar with more visits reaches further back. */
const visitsPerDay = 6;
const maxLeadDays = 35;

interface Service {
  readonly service: string;
  /** Minutes. */
  readonly duration: number;
  /** In cents. */
  readonly price: number;
}

const shortest: Service = { service: 'Men’s cut', duration: 30, price: 3_200 };
const cut: Service = { service: 'Cut and blow-dry', duration: 60, price: 5_200 };

/** Common services are listed twice, so they are picked more often. */
const services: readonly [Service, ...Service[]] = [
  cut,
  cut,
  shortest,
  shortest,
  { service: 'Blow-dry', duration: 45, price: 3_000 },
  { service: 'Fringe trim', duration: 15, price: 1_200 },
  { service: 'Beard trim', duration: 30, price: 1_800 },
  { service: 'Root colour', duration: 90, price: 7_500 },
  { service: 'Full colour', duration: 120, price: 11_000 },
  { service: 'Half-head highlights', duration: 150, price: 13_500 },
  { service: 'Balayage', duration: 180, price: 17_500 },
  { service: 'Conditioning treatment', duration: 45, price: 2_800 },
  { service: 'Bridal up-do', duration: 90, price: 9_500 },
];

const prices = new Map(services.map(({ service, price }) => [service, price]));

/** The price of a service in cents; of unknown ones, that of a cut. */
export function toPrice(service: string): number {
  return prices.get(service) ?? cut.price;
}

/** The working days that hold this many visits: the last 18 months, the next 8 weeks, and earlier ones as needed. */
export function chooseWorkingDays(
  today: Date,
  { visits, stylists }: { visits: number; stylists: number },
): readonly number[] {
  const needed = Math.ceil(visits / (stylists * visitsPerDay));
  const midnight = Math.floor(today.getTime() / dayMs) * dayMs;
  const days: number[] = [];
  for (let offset = futureDays; offset >= -pastDays || days.length < needed; offset--) {
    const day = midnight + offset * dayMs;
    if (isWorkingDay(day)) {
      days.push(day);
    }
  }
  return days.reverse();
}

/** Spreads visits over days and stylists without overlaps. */
export function* planVisits(
  random: SeededRandom,
  days: readonly number[],
  { visits, stylists }: { visits: number; stylists: number },
): Generator<Visit> {
  const cells = days.length * stylists;
  const average = visits / cells;
  const unevenness = Math.min(1, average / 2);
  let planned = 0;
  for (let cell = 0; cell < cells; cell++) {
    const variation = (random.fraction() * 2 - 1) * unevenness;
    // Never decreases: the variation is at most half of what each cell adds.
    const due = cell === cells - 1 ? visits : Math.floor((cell + 1) * average + variation);
    const count = Math.min(visits, Math.max(planned, due)) - planned;
    planned += count;
    const day = days[Math.floor(cell / stylists)] ?? 0;
    yield* planDay(random, { openingMs: day + opensAtMs, stylist: cell % stylists, count });
  }
}

function* planDay(
  random: SeededRandom,
  { openingMs, stylist, count }: { openingMs: number; stylist: number; count: number },
): Generator<Visit> {
  const visits = pickServices(random, count);
  const busyMinutes = sumDurations(visits);
  const spareSteps = Math.floor((openMinutes - busyMinutes) / stepMinutes);
  const pauses = visits.map(() => random.below(spareSteps + 1)).sort((a, b) => a - b);
  let minutes = 0;
  for (const [index, { service, duration }] of visits.entries()) {
    const startMs = openingMs + (minutes + (pauses[index] ?? 0) * stepMinutes) * minuteMs;
    yield { startMs, duration, service, stylist };
    minutes += duration;
  }
}

/** Random services that fit into one day: the longest are replaced. */
function pickServices(random: SeededRandom, count: number): Service[] {
  const picked: Service[] = Array.from({ length: count }, () => random.pick(services));
  while (sumDurations(picked) > openMinutes) {
    const longest = picked.reduce((most, { duration }, index) => {
      return duration > (picked[most]?.duration ?? 0) ? index : most;
    }, 0);
    picked[longest] = shortest;
  }
  return picked;
}

function sumDurations(visits: readonly { duration: number }[]): number {
  return visits.reduce((sum, { duration }) => sum + duration, 0);
}

function isWorkingDay(dayStartMs: number): boolean {
  const weekday = new Date(dayStartMs).getUTCDay();
  return weekday >= 2 && weekday <= 6;
}

/** Decides when a visit was booked, and its status at `nowMs`. */
export function toSampleBooking(random: SeededRandom, visit: Visit, nowMs: number): SampleBooking {
  const endMs = visit.startMs + visit.duration * 60_000;
  // Squared, because most clients book a few days ahead.
  const leadMs = random.fraction() ** 2 * maxLeadDays * dayMs;
  const latestMs = nowMs - random.fraction() * 14 * dayMs;
  const createdMs = Math.floor(Math.min(visit.startMs - leadMs, latestMs));
  const status = pickStatus(random, { startMs: visit.startMs, endMs, nowMs });
  const closedMs = status === 'cancelled' ? createdMs + random.fraction() * leadMs : endMs;
  const isOpen = status === 'confirmed' || status === 'pending';
  const updatedMs = isOpen ? createdMs : Math.floor(Math.max(createdMs, Math.min(closedMs, nowMs)));
  return { ...visit, createdMs, updatedMs, status };
}

export function toSampleAppointment(
  random: SeededRandom,
  booking: SampleBooking,
  people: { clientId: string; stylistId: string },
): Appointment {
  return {
    id: createSampleId('appointment', random, booking.createdMs),
    client_id: people.clientId,
    stylist_id: people.stylistId,
    service: booking.service,
    start_time: `${new Date(booking.startMs).toISOString().slice(0, 19)}Z`,
    duration: booking.duration,
    status: booking.status,
    notes: random.chance(0.08) ? random.pick(bookingNotes) : null,
    cancellation_reason: booking.status === 'cancelled' ? random.pick(cancellationReasons) : null,
    created_at: new Date(booking.createdMs).toISOString(),
    updated_at: new Date(booking.updatedMs).toISOString(),
  };
}

function pickStatus(
  random: SeededRandom,
  { startMs, endMs, nowMs }: { startMs: number; endMs: number; nowMs: number },
): AppointmentStatus {
  const chance = random.fraction();
  if (chance < 0.08) {
    return 'cancelled';
  }
  if (endMs <= nowMs) {
    return chance < 0.13 ? 'no_show' : 'completed';
  }
  if (startMs <= nowMs) {
    return 'in_service';
  }
  return chance < 0.2 ? 'pending' : 'confirmed';
}
