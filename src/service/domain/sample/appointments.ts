import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import { dayMs, minuteMs } from '../../../contract/time.ts';
import { bookingNotes, cancellationReasons, createSampleId } from './people.ts';
import type { SeededRandom } from './random.ts';
import { type SampleService, shortestService, toStylistServices } from './services.ts';
import type { Shift } from './shifts.ts';

export interface SampleVisit {
  readonly startMs: number;
  /** Minutes. */
  readonly duration: number;
  readonly service: string;
  /** The stylist's index. */
  readonly stylist: number;
}

/** A booked visit. Kept small, because there may be millions. */
export interface SampleBooking extends SampleVisit {
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly status: AppointmentStatus;
}

const stepMinutes = 15;
const maxLeadDays = 35;
/** How early clients arrive. */
const arrivalMs = 15 * minuteMs;

/** Spreads visits over shifts without overlaps. */
export function* planVisits(
  random: SeededRandom,
  shifts: readonly Shift[],
  visits: number,
): Generator<SampleVisit> {
  const average = visits / shifts.length;
  const unevenness = Math.min(1, average / 2);
  let planned = 0;
  for (const [index, shift] of shifts.entries()) {
    const variation = (random.fraction() * 2 - 1) * unevenness;
    // Never decreases: the variation is at most half of what each shift adds.
    const due = index === shifts.length - 1 ? visits : Math.floor((index + 1) * average + variation);
    const count = Math.min(visits, Math.max(planned, due)) - planned;
    planned += count;
    yield* planShift(random, shift, count);
  }
}

function* planShift(random: SeededRandom, { openingMs, open, stylist }: Shift, count: number) {
  const visits = pickServices(random, { open, stylist, count });
  const spareSteps = Math.floor((open - sumDurations(visits)) / stepMinutes);
  const pauses = visits.map(() => random.below(spareSteps + 1)).sort((a, b) => a - b);
  let minutes = 0;
  for (const [index, { service, duration }] of visits.entries()) {
    const startMs = openingMs + (minutes + (pauses[index] ?? 0) * stepMinutes) * minuteMs;
    yield { startMs, duration, service, stylist };
    minutes += duration;
  }
}

/** Random services that fit into a shift: the longest are replaced. */
function pickServices(
  random: SeededRandom,
  { open, stylist, count }: Pick<Shift, 'open' | 'stylist'> & { readonly count: number },
): SampleService[] {
  const services = toStylistServices(stylist);
  const picked: SampleService[] = Array.from({ length: count }, () => random.pick(services));
  while (sumDurations(picked) > open) {
    const longest = picked.reduce((most, { duration }, index) => {
      return duration > (picked[most]?.duration ?? 0) ? index : most;
    }, 0);
    picked[longest] = shortestService;
  }
  return picked;
}

function sumDurations(visits: readonly { duration: number }[]): number {
  return visits.reduce((sum, { duration }) => sum + duration, 0);
}

/** Decides when a visit was booked, and its status at `nowMs`. */
export function toSampleBooking(random: SeededRandom, visit: SampleVisit, nowMs: number): SampleBooking {
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
  if (startMs <= nowMs + arrivalMs) {
    return chance < 0.5 ? 'arrived' : 'confirmed';
  }
  return chance < 0.2 ? 'pending' : 'confirmed';
}
