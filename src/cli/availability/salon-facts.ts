import { freesSlot } from '../../client/appointment-status.ts';
import { readRows, readWhole } from '../../client/pagination/paginate.ts';
import { type AppointmentFacts, toAppointmentQuery } from '../../client/read-appointment.ts';
import { hiddenReason } from '../../contract/blocked-time.ts';
import { isUnavailable, SalonError } from '../../contract/errors.ts';
import type { SalonService } from '../../contract/salon-service.ts';
import { dayMs, minuteMs, type TimeSpan, toInstantMs, toUtcText } from '../../time/time.ts';
import { readOwnStylist, readStylistNames, toText } from '../people/names.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';

export const learningDays = 42;

const known = new WeakMap<object, ReturnType<typeof createSalonFacts>>();

/** What one command reads at most once. */
export function salonFacts(context: CommandContext) {
  const facts = known.get(context) ?? createSalonFacts(context);
  known.set(context, facts);
  return facts;
}

function createSalonFacts(context: CommandContext) {
  let stylists: ReturnType<typeof readStylists> | undefined;
  let services: ReturnType<typeof readServices> | undefined;
  let pastVisits: ReturnType<typeof readBusyVisits> | undefined;
  const endMs = context.io.now().getTime();
  const past = { startMs: endMs - learningDays * dayMs, endMs, isSample: true };
  let ownStylist: ReturnType<typeof readOwnStylist> | undefined;
  const said = new Set<string>();
  return {
    /** All stylists; undefined if the server does not list them. */
    stylists: () => (stylists ??= readStylists(context)),
    /** The services with their prices, or why there are none. */
    services: () => (services ??= readServices(context)),
    /** The appointments of the past six weeks. */
    pastVisits: () => (pastVisits ??= readBusyVisits(context, past)),
    /** The ID of the only stylist whose appointments the key may read; undefined if it may read all. */
    ownStylist: () => (ownStylist ??= context.client().then(readOwnStylist)),
    /** Passes a message on, the first time. */
    sayOnce(text: string) {
      if (!said.has(text)) context.messages.info(text);
      said.add(text);
    },
  };
}

async function readStylists(context: CommandContext) {
  const stylists = await readStylistNames(await context.client(), context.messages.verbose);
  for (const { name, workingHours, writtenHours = null } of stylists ?? []) {
    if (writtenHours === null || workingHours !== undefined) continue;
    context.messages.warn(`The working hours of ${name} cannot be read: ${JSON.stringify(writtenHours)}`);
  }
  return stylists;
}

async function readServices(context: CommandContext): Promise<readonly SalonService[] | SalonError> {
  try {
    return await readRows(readWhole((await context.client()).services.list(), 'services'));
  } catch (thrown) {
    // A server may say that it has no such list as if the list were a record.
    if (thrown instanceof SalonError && ['not_found', 'not_supported'].includes(thrown.code)) {
      return new SalonError('not_supported', 'This server has no list of services, so it has no prices.');
    }
    if (!isUnavailable(thrown)) throw thrown;
    return thrown;
  }
}

/** The services of the salon's list; undefined if the server does not list them. */
export async function findServices(context: CommandContext): Promise<readonly SalonService[] | undefined> {
  const services = await salonFacts(context).services();
  return services instanceof SalonError ? undefined : services;
}

/** The services of the salon's list. Throws `not_supported` on a server without one. */
export async function requireServices(context: CommandContext): Promise<readonly SalonService[]> {
  const services = await salonFacts(context).services();
  if (services instanceof SalonError) throw services;
  return services;
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
export interface BusyVisit extends AppointmentFacts, TimeSpan {
  readonly minutes: number;
}

interface BusyVisitQuery extends TimeSpan {
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
