import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import { dayMs } from '../validation.ts';
import { bookingNotes, cancellationReasons, createSampleId } from './people.ts';
import type { SeededRandom } from './random.ts';

/** A visit that was booked: when, and what has become of it. Small, for there may be millions at once. */
export interface SampleBooking extends Visit {
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly status: AppointmentStatus;
}

const mostLeadDays = 35;

/** Tells when a visit was booked and what has become of it by `nowMs`. */
export function toSampleBooking(random: SeededRandom, slot: Visit, nowMs: number): SampleBooking {
  const endMs = slot.startMs + slot.duration * 60_000;
  // Most people book a few days ahead; squaring makes long leads rare.
  const leadMs = random.fraction() ** 2 * mostLeadDays * dayMs;
  const latestMs = nowMs - random.fraction() * 14 * dayMs;
  const createdMs = Math.floor(Math.min(slot.startMs - leadMs, latestMs));
  const status = pickStatus(random, { startMs: slot.startMs, endMs, nowMs });
  const settledMs = status === 'cancelled' ? createdMs + random.fraction() * leadMs : endMs;
  const isOpen = status === 'confirmed' || status === 'pending';
  const updatedMs = isOpen ? createdMs : Math.floor(Math.max(createdMs, Math.min(settledMs, nowMs)));
  return { ...slot, createdMs, updatedMs, status };
}

/** The record of a booking. */
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

/** One visit: when, how long, for what, and to which of the stylists, counted from 0. */
export interface Visit {
  readonly startMs: number;
  /** Minutes. */
  readonly duration: number;
  readonly service: string;
  readonly stylist: number;
}

/** The days a calendar covers, as Unix milliseconds of their beginnings in UTC. */
export type Days = readonly number[];

const opensAtMs = 9 * 3_600_000;
const openMinutes = 600;
const stepMinutes = 15;
const minuteMs = 60_000;
const pastDays = 548;
const futureDays = 56;
/** Visits a stylist can have on a full day, on average; a calendar that needs more reaches further back. */
const mostPerDay = 6;

const shortest = { service: 'Men’s cut', duration: 30 } as const;
const services = [
  { service: 'Cut and blow-dry', duration: 60 },
  { service: 'Cut and blow-dry', duration: 60 },
  shortest,
  shortest,
  { service: 'Blow-dry', duration: 45 },
  { service: 'Fringe trim', duration: 15 },
  { service: 'Beard trim', duration: 30 },
  { service: 'Root colour', duration: 90 },
  { service: 'Full colour', duration: 120 },
  { service: 'Half-head highlights', duration: 150 },
  { service: 'Balayage', duration: 180 },
  { service: 'Conditioning treatment', duration: 45 },
  { service: 'Bridal up-do', duration: 90 },
] as const;

/**
 * The days, Tuesday to Saturday, that hold so many visits: the last 18 months and the next 8 weeks, and as
 * many earlier ones as it takes.
 */
export function toWorkingDays(today: Date, { visits, stylists }: { visits: number; stylists: number }): Days {
  const needed = Math.ceil(visits / (stylists * mostPerDay));
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

/** Spreads visits over days and stylists, day by day; nobody has two at a time. */
export function* planVisits(
  random: SeededRandom,
  days: Days,
  { visits, stylists }: { visits: number; stylists: number },
): Generator<Visit> {
  const cells = days.length * stylists;
  const average = visits / cells;
  const unevenness = Math.min(1, average / 2);
  let planned = 0;
  for (let cell = 0; cell < cells; cell++) {
    const wobble = (random.fraction() * 2 - 1) * unevenness;
    // The sum never falls, because the wobble is at most half of what each cell adds.
    const due = cell === cells - 1 ? visits : Math.floor((cell + 1) * average + wobble);
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

/** Services that fit into one day: the longest give way. */
function pickServices(random: SeededRandom, count: number): { service: string; duration: number }[] {
  const picked: { service: string; duration: number }[] = Array.from({ length: count }, () =>
    random.pick(services),
  );
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
