import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import { dayMs, minuteMs } from '../../../time/time.ts';
import { bookingNotes, cancellationReasons, createSampleId } from './people.ts';
import { knownClients } from './person-names.ts';
import type { SeededRandom } from './random.ts';
import { type SampleService, type Shift, shortestService, toStylistServices } from './stylist-work.ts';

interface SampleVisit {
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
  { clientId, stylistId }: { clientId: string; stylistId: string },
): Appointment {
  return {
    id: createSampleId('appointment', random, booking.createdMs),
    client_id: clientId,
    stylist_id: stylistId,
    service: booking.service,
    start_time: `${new Date(booking.startMs).toISOString().slice(0, 19)}Z`,
    duration: booking.duration,
    status: booking.status,
    notes: random.chance(0.08) ? random.pick(bookingNotes) : null,
    cancellation_reason: booking.status === 'cancelled' ? random.pick(cancellationReasons) : null,
    created_at: new Date(booking.createdMs).toISOString(),
    updated_at: new Date(booking.updatedMs).toISOString(),
    price: null,
    paid_amount: 0,
  };
}

function pickStatus(
  random: SeededRandom,
  { startMs, endMs, nowMs }: { startMs: number; endMs: number; nowMs: number },
): AppointmentStatus {
  const chance = random.fraction();
  if (chance < 0.08) return 'cancelled';
  if (endMs <= nowMs) return chance < 0.13 ? 'no_show' : 'completed';
  if (startMs <= nowMs) return 'in_service';
  if (startMs <= nowMs + arrivalMs) return chance < 0.5 ? 'arrived' : 'confirmed';
  return chance < 0.2 ? 'pending' : 'confirmed';
}

interface RegularsOptions {
  readonly clients: number;
  readonly stylists: number;
  /** When the first client was added. */
  readonly openedMs: number;
  readonly todayMs: number;
}

/** Half of the clients are there from the start. */
const startShare = 0.5;
/** The part of the time in which they are entered. */
const startSpan = 0.02;
const tries = 12;

/** Who joins when, and who comes back: some come once, some stop coming after a while, the others stay. */
export function createRegulars({ clients, stylists, openedMs, todayMs }: RegularsOptions) {
  const spanMs = todayMs - openedMs;

  /** When a client was added. Rises with the index. */
  function joinedMs(client: number): number {
    const share = client / clients;
    const after = (share - startShare) / (1 - startShare);
    const elapsed =
      share < startShare ? (share / startShare) * startSpan : startSpan + after * (1 - startSpan);
    return Math.floor(openedMs + spanMs * elapsed);
  }

  /** How many clients exist at a time; at least one. */
  function countKnown(atMs: number): number {
    const elapsed = (atMs - openedMs) / spanMs;
    const after = (elapsed - startSpan) / (1 - startSpan);
    const share =
      elapsed < startSpan ? (elapsed / startSpan) * startShare : startShare + after * (1 - startShare);
    return Math.max(1, Math.min(clients, Math.ceil(share * clients)));
  }

  return {
    joinedMs,
    /** The index of a client for a visit, mostly one whose usual stylist it is. */
    pick(random: SeededRandom, { startMs, createdMs, stylist }: SampleBooking): number {
      const known = countKnown(createdMs);
      // The first client has no upcoming appointments, so that examples can book one.
      const first = startMs > todayMs && known > 1 ? 1 : 0;
      let client = first;
      for (let attempt = 0; attempt < tries; attempt++) {
        const picked = first + random.below(known - first);
        const usual = picked - (picked % stylists) + stylist;
        const isUsual = attempt < tries / 2 && usual >= first && usual < known;
        client = isUsual ? usual : picked;
        if (startMs - joinedMs(client) <= stayMs(client)) break;
      }
      return client;
    },
  };
}

export type Regulars = ReturnType<typeof createRegulars>;

/** How long a client keeps coming. */
function stayMs(client: number): number {
  const draw = Math.imul(client + 1, 0x9e3779b1) >>> 0;
  const share = draw / 2 ** 32;
  if (client < knownClients.length || share > 0.45) return Number.POSITIVE_INFINITY;
  return (share < 0.18 ? 45 : 60 + (draw % 400)) * dayMs;
}
