import { readRows, readWhole } from '../../client/pagination/paginate.ts';
import { type AppointmentFacts, toAppointmentQuery } from '../../client/read-appointment.ts';
import { freesSlot } from '../../contract/appointment.ts';
import { hiddenReason } from '../../contract/blocked-time.ts';
import { SalonError } from '../../contract/errors.ts';
import type { SalonService } from '../../contract/salon-service.ts';
import type { Stylist } from '../../contract/stylist.ts';
import { dayMs, minuteMs, type TimeSpan, toInstantMs, toUtcText } from '../../contract/time.ts';
import { parseWeekHours, type WeekHours } from '../../contract/week-hours.ts';
import { isUnavailable, type NamedStylist, readOwnStylist, toNamedStylist, toText } from '../people/names.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { BusyTime } from './free-slots.ts';

/** A stylist as far as it matters to bookings. */
export interface BookableStylist extends NamedStylist {
  /** Empty if the server does not say. */
  readonly services: readonly string[];
  readonly hours: WeekHours | undefined;
}

/** What one command reads at most once. */
export interface SalonFacts {
  /** All stylists; undefined if the server does not list them. */
  stylists(): Promise<readonly BookableStylist[] | undefined>;
  /** The services with their prices; undefined if the server does not list them. */
  services(): Promise<readonly SalonService[] | undefined>;
  /** The appointments of the past six weeks. */
  pastVisits(): Promise<readonly BusyVisit[]>;
  /** The ID of the only stylist whose appointments the key may read; undefined if it may read all. */
  ownStylist(): Promise<string | undefined>;
  /** Passes a message on, the first time. */
  sayOnce(text: string): void;
}

export const learningDays = 42;

const known = new WeakMap<object, SalonFacts>();

export function salonFacts(context: CommandContext): SalonFacts {
  const facts = known.get(context) ?? createSalonFacts(context);
  known.set(context, facts);
  return facts;
}

function createSalonFacts(context: CommandContext): SalonFacts {
  let stylists: ReturnType<SalonFacts['stylists']> | undefined;
  let services: ReturnType<SalonFacts['services']> | undefined;
  let pastVisits: ReturnType<SalonFacts['pastVisits']> | undefined;
  let ownStylist: ReturnType<SalonFacts['ownStylist']> | undefined;
  const said = new Set<string>();
  return {
    stylists: () => (stylists ??= readStylists(context)),
    services: () => (services ??= findServices(context)),
    pastVisits: () => (pastVisits ??= readPastVisits(context)),
    ownStylist: () => (ownStylist ??= context.client().then(readOwnStylist)),
    sayOnce(text) {
      if (!said.has(text)) context.messages.info(text);
      said.add(text);
    },
  };
}

async function readStylists(context: CommandContext): Promise<readonly BookableStylist[] | undefined> {
  const client = await context.client();
  try {
    const list = client.stylists.list({}, { searchesAppointments: false });
    return (await readRows(readWhole(list, 'stylists'))).map((row) => toBookable(row, context));
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    return undefined;
  }
}

async function findServices(context: CommandContext): Promise<readonly SalonService[] | undefined> {
  try {
    return await readServices(context);
  } catch (thrown) {
    if (!isMissing(thrown) && !isUnavailable(thrown)) throw thrown;
    return undefined;
  }
}

async function readServices(context: CommandContext): Promise<readonly SalonService[]> {
  return readRows(readWhole((await context.client()).services.list(), 'services'));
}

/** Whether a server has no such list; it may say so as if the list were a record. */
function isMissing(thrown: unknown): boolean {
  return thrown instanceof SalonError && ['not_found', 'not_supported'].includes(thrown.code);
}

/** The services of the salon's list. Throws `not_supported` on a server without one. */
export async function requireServices(context: CommandContext): Promise<readonly SalonService[]> {
  const services = await salonFacts(context).services();
  if (services !== undefined) return services;
  try {
    return await readServices(context);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    throw new SalonError('not_supported', 'This server has no list of services, so it has no prices.');
  }
}

function toBookable(record: Stylist, { messages }: CommandContext): BookableStylist {
  const named = toNamedStylist(record);
  const { services, working_hours: given } = record as { services?: unknown; working_hours?: unknown };
  const hours = typeof given === 'string' ? parseWeekHours(given) : undefined;
  if (given !== undefined && given !== null && hours === undefined) {
    messages.warn(`The working hours of ${named.name} cannot be read: ${JSON.stringify(given)}`);
  }
  const names = Array.isArray(services) ? services.map(toText).filter((name) => name !== '') : [];
  return { ...named, services: names, hours };
}

async function readPastVisits(context: CommandContext): Promise<readonly BusyVisit[]> {
  const endMs = context.io.now().getTime();
  return readBusyVisits(context, { startMs: endMs - learningDays * dayMs, endMs, isSample: true });
}

/** Time in which a stylist, or with no ID nobody, can be booked. */
export interface BlockedSpan extends TimeSpan {
  readonly id: string;
  readonly stylistId: string | null;
  /** `away` where the key may not know why. */
  readonly reason: string;
  readonly createdMs: number | undefined;
  readonly updatedMs: number | undefined;
}

/** Reads the blocked times that overlap a span; none on a server without them. Warns of those it cannot read. */
export async function readBlockedSpans(
  context: CommandContext,
  { startMs, endMs }: TimeSpan,
): Promise<readonly BlockedSpan[]> {
  const { blockedTimes } = await context.client();
  const blocks: BlockedSpan[] = [];
  try {
    const list = blockedTimes.list({ from: toUtcText(startMs), to: toUtcText(endMs) });
    for await (const { rows } of readWhole(list, 'blocked times')) {
      for (const row of rows) {
        const [id, stylistId] = [toText(row.id), toText(row.stylist_id) || null];
        const [start, end] = [toInstantMs(row.start_time), toInstantMs(row.end_time)];
        if (start === undefined || end === undefined) {
          context.messages.warn(`Blocked time ${id} does not say from when to when, and is left out.`);
          continue;
        }
        const times = { createdMs: toInstantMs(row.created_at), updatedMs: toInstantMs(row.updated_at) };
        const reason = toText(row.reason) || hiddenReason;
        blocks.push({ id, stylistId, reason, startMs: start, endMs: end, ...times });
      }
    }
    return blocks;
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    return [];
  }
}

/** An appointment that was not cancelled or missed. */
export interface BusyVisit extends AppointmentFacts, BusyTime {
  readonly minutes: number;
}

export interface BusyVisitQuery extends TimeSpan {
  /** Everybody's if undefined. */
  readonly stylistIds?: readonly string[] | undefined;
  readonly clientId?: string;
  /** Whether it is enough that some can be read, to learn from. */
  readonly isSample?: boolean;
}

/**
 * Reads the appointments that start in a span and keep stylists busy, of any status but cancelled and no-show. Throws
 * `unexpected_response` if one of them does not show its start, its length and its stylist: that time would seem to be
 * free.
 */
export async function readBusyVisits(
  context: CommandContext,
  { stylistIds, clientId, isSample = false, ...span }: BusyVisitQuery,
): Promise<readonly BusyVisit[]> {
  const reader = await openAppointmentReader(context);
  const visits: BusyVisit[] = [];
  const list = (await context.client()).appointments.list(toAppointmentQuery(span, { stylistIds, clientId }));
  for await (const { rows } of readWhole(list, 'appointments')) {
    for (const row of rows) {
      if (freesSlot(row.status)) continue;
      const visit = reader.read(row, ['duration', 'stylist']);
      if (visit === undefined || visit.startMs < span.startMs || visit.startMs >= span.endMs) continue;
      const { startMs, minutes = 0 } = visit;
      visits.push({ ...visit, minutes, endMs: startMs + minutes * minuteMs });
    }
  }
  reader.assertAny();
  const fault = reader.fault();
  if (fault !== undefined && !isSample) throw fault;
  if (fault !== undefined) context.messages.warn(fault.message);
  return visits;
}
