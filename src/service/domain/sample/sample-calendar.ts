import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import { dayMs, minuteMs } from '../../../time/time.ts';
import { type Shift, toStylistServices } from './sample-hours.ts';
import { type SeededRandom, toRecordTimes } from './sample-random.ts';
import sample from './sample-salon.json' with { type: 'json' };

/** A visit. Kept small, because there may be millions. */
interface SampleVisit {
  readonly startMs: number;
  /** Minutes. */
  readonly duration: number;
  readonly service: string;
  /** The stylist's index. */
  readonly stylist: number;
}

export type SampleBooking = ReturnType<typeof toSampleBooking>;

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

function* planShift(random: SeededRandom, shift: Shift, count: number): Generator<SampleVisit> {
  const { openingMs, open, stylist } = shift;
  const services = pickServices(random, shift, count);
  const spareSteps = Math.floor((open - sumDurations(services)) / stepMinutes);
  const pauses = services.map(() => random.below(spareSteps + 1)).sort((a, b) => a - b);
  let minutes = 0;
  for (const [index, { name, duration }] of services.entries()) {
    const startMs = openingMs + (minutes + (pauses[index] ?? 0) * stepMinutes) * minuteMs;
    yield { startMs, duration, service: name, stylist };
    minutes += duration;
  }
}

/** What replaces services that do not fit. */
const filler = { name: 'Men’s cut', duration: 30 };

/** Random services that fit into a shift: the longest are replaced. */
function pickServices(random: SeededRandom, { open, stylist }: Shift, count: number) {
  const services = toStylistServices(stylist);
  const picked: (typeof filler)[] = Array.from({ length: count }, () => random.pick(services));
  while (sumDurations(picked) > open) {
    const durations = picked.map(({ duration }) => duration);
    picked[durations.indexOf(Math.max(...durations))] = filler;
  }
  return picked;
}

function sumDurations(visits: readonly { duration: number }[]): number {
  return visits.reduce((sum, { duration }) => sum + duration, 0);
}

/** Decides when a visit was booked, and its status at `nowMs`. */
export function toSampleBooking(random: SeededRandom, visit: SampleVisit, nowMs: number) {
  const endMs = visit.startMs + visit.duration * minuteMs;
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
  { startMs, createdMs, updatedMs, ...booking }: SampleBooking,
  { clientId, stylistId }: { clientId: string; stylistId: string },
): Appointment {
  const { service, duration, status } = booking;
  return {
    id: random.id('appointment', createdMs),
    client_id: clientId,
    stylist_id: stylistId,
    service,
    start_time: `${new Date(startMs).toISOString().slice(0, 19)}Z`,
    duration,
    status,
    notes: random.chance(0.08) ? random.pick(sample.bookingNotes) : null,
    cancellation_reason: status === 'cancelled' ? random.pick(sample.cancellationReasons) : null,
    ...toRecordTimes(createdMs, updatedMs),
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

/** Half of the clients are there from the start: they are entered in this part of the time. */
const start = { clients: 0.5, time: 0.02 };
const tries = 12;

/** Who joins when, and who comes back: some come once, some stop coming after a while, the others stay. */
export function createRegulars({ clients, stylists, openedMs, todayMs }: RegularsOptions) {
  const spanMs = todayMs - openedMs;
  /** When a client was added. Rises with the index. */
  const joinedMs = (client: number) =>
    Math.floor(openedMs + spanMs * follow(client / clients, start.clients, start.time));
  return {
    joinedMs,
    /** The index of a client for a visit, mostly one whose usual stylist it is. */
    pick(random: SeededRandom, { startMs, createdMs, stylist }: SampleBooking): number {
      const share = follow((createdMs - openedMs) / spanMs, start.time, start.clients);
      const known = Math.max(1, Math.min(clients, Math.ceil(share * clients)));
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

/** Two straight lines from 0 to 1, which meet where `x` is `bendX`. */
function follow(x: number, bendX: number, bendY: number): number {
  return x < bendX ? (x / bendX) * bendY : bendY + ((x - bendX) / (1 - bendX)) * (1 - bendY);
}

/** How long a client keeps coming. */
function stayMs(client: number): number {
  const draw = Math.imul(client + 1, 0x9e3779b1) >>> 0;
  const share = draw / 2 ** 32;
  if (client < sample.clients.length || share > 0.45) return Number.POSITIVE_INFINITY;
  return (share < 0.18 ? 45 : 60 + (draw % 400)) * dayMs;
}
