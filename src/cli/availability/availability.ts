import { type Availability, maxAvailabilityDays } from '../../contract/availability.ts';
import { SalonError } from '../../contract/errors.ts';
import { selectOffering } from '../../contract/stylist.ts';
import { mergeSpans } from '../../time/spans.ts';
import { createZoneClock, dayMs, minuteMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import type { NamedStylist } from '../people/names.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type AvailableSlot, type FreeTime, findFreeSlots, findFreeSpans } from './free-slots.ts';
import { readOpeningHours } from './opening-hours.ts';
import { type BusyVisit, readBlockedSpans, readBusyVisits, salonFacts } from './salon-facts.ts';

interface AvailabilityQuery {
  /** Slots start in it. None is in the past. */
  readonly span: TimeSpan;
  readonly durationMinutes: number;
  /** Everybody who can be booked, if undefined. */
  readonly stylistIds?: readonly string[] | undefined;
  /** Leaves out stylists whose list of services does not contain it. */
  readonly service?: string | undefined;
  /** Minutes between the starts of slots; 15 if undefined. */
  readonly stepMinutes?: number | undefined;
  /** An appointment that is about to move. */
  readonly ignoreAppointmentId?: string | undefined;
}

/** Reads at which times stylists can be booked, by start. */
export async function readAvailability(
  context: CommandContext,
  query: AvailabilityQuery,
): Promise<readonly AvailableSlot[]> {
  const { stepMinutes = 15, durationMinutes } = query;
  const [span, timeZone] = [fromNow(query.span, context), await context.timeZone()];
  const free = await readFreeTime(context, query);
  return findFreeSlots(free, { span, durationMinutes, stepMinutes, timeZone });
}

function fromNow({ startMs, endMs }: TimeSpan, { io }: CommandContext): TimeSpan {
  return { startMs: Math.max(startMs, io.now().getTime()), endMs };
}

/**
 * Reads who is free when: as the service tells it, with one request; elsewhere from one list of stylists, one of
 * appointments, one of blocked times, and one more to learn opening hours. Times reach beyond the span by the duration.
 */
export async function readFreeTime(
  context: CommandContext,
  given: AvailabilityQuery,
): Promise<readonly FreeTime[]> {
  const query = { ...given, span: fromNow(given.span, context) };
  if (query.span.endMs <= query.span.startMs) return [];
  return (await askAvailability(context, query)) ?? computeFreeTime(context, query);
}

/**
 * Who is free when, as the service tells it. Undefined where it does not: on another server, without a time zone or
 * hours, for hours that the service does not know, and for an appointment that is about to move.
 */
async function askAvailability(
  context: CommandContext,
  { span, durationMinutes, service, stylistIds, ignoreAppointmentId }: AvailabilityQuery,
): Promise<readonly FreeTime[] | undefined> {
  const [client, { settings }] = [await context.client(), await context.session()];
  const hasOwnHours = !['salon', undefined].includes(settings.openingHours?.source);
  if (hasOwnHours || ignoreAppointmentId !== undefined) return undefined;
  const answers: Availability[] = [];
  try {
    for (const { startMs, endMs } of splitSpan(span, durationMinutes)) {
      const period = { from: toUtcText(startMs), to: toUtcText(endMs) };
      const query = { ...period, duration: durationMinutes, ...(service === undefined ? {} : { service }) };
      answers.push(await client.salon.availability(query));
    }
  } catch (thrown) {
    const untold = ['not_supported', 'salon_settings_missing'];
    if (!(thrown instanceof SalonError) || !untold.includes(thrown.code)) throw thrown;
    return undefined;
  }
  const [{ time_zone: zone = '', only_stylist_id: own = null } = {}] = answers;
  const timeZone = await context.timeZone();
  if (zone !== timeZone) {
    salonFacts(context).sayOnce(`The salon is in ${zone}; times are those of ${timeZone}.`);
  }
  if (own !== null) assertSeen(stylistIds, own, context);
  const rows = answers.flatMap(({ data }) => data);
  const wanted = Map.groupBy(rows, ({ stylist_id: id }) => id);
  return [...wanted]
    .filter(([id]) => stylistIds?.includes(id) ?? true)
    .map(([stylistId, theirs]) => ({
      stylistId,
      stylistName: theirs[0]?.stylist_name ?? stylistId,
      // Those of two requests overlap.
      spans: mergeSpans(
        theirs.flatMap(({ intervals }) =>
          intervals.map(({ start_time: start, end_time: end }) => ({
            startMs: Date.parse(start),
            endMs: Date.parse(end),
          })),
        ),
      ),
    }));
}

/** Spans of at most as many days as a request may ask for. They overlap, so that no appointment is cut by an edge. */
function splitSpan({ startMs, endMs }: TimeSpan, durationMinutes: number): readonly TimeSpan[] {
  const lastMs = endMs + durationMinutes * minuteMs;
  const spans: TimeSpan[] = [];
  for (let fromMs = startMs; ; ) {
    const toMs = Math.min(lastMs, fromMs + maxAvailabilityDays * dayMs);
    spans.push({ startMs: fromMs, endMs: toMs });
    if (toMs === lastMs) return spans;
    fromMs = toMs - durationMinutes * minuteMs;
  }
}

/** Says that other calendars are not seen. Throws `permission_denied` if only others are asked for. */
function assertSeen(stylistIds: readonly string[] | undefined, own: string, context: CommandContext): void {
  if (stylistIds !== undefined && !stylistIds.includes(own)) {
    throw new SalonError('permission_denied', "This API key can only see its own stylist's calendar.");
  }
  if (stylistIds?.length === 1) return;
  salonFacts(context).sayOnce("This API key can only see its own stylist's calendar. Others are not shown.");
}

async function computeFreeTime(
  context: CommandContext,
  { span, durationMinutes, stylistIds, service, ignoreAppointmentId }: AvailabilityQuery,
): Promise<readonly FreeTime[]> {
  const facts = salonFacts(context);
  const reach = { startMs: span.startMs, endMs: span.endMs + durationMinutes * minuteMs };
  const [listed, blocks, visits] = await Promise.all([
    facts.stylists(),
    readBlockedSpans(context, reach),
    // The longest appointment may have started a day before.
    readBusyVisits(context, { startMs: reach.startMs - dayMs, endMs: reach.endMs, stylistIds }),
  ]);
  const known = listed ?? toStylists([...(await facts.pastVisits()), ...visits], stylistIds);
  if (listed === undefined) {
    facts.sayOnce('This server does not list stylists: only those with recent appointments are known.');
  }
  const wanted = known.filter(({ id, active }) => active && (stylistIds?.includes(id) ?? true));
  const able = service === undefined ? wanted : selectOffering(wanted, service, known);
  const stylists = await limitToOwn(able, visits, context);
  const hours = await readOpeningHours(context, stylists);
  const zone = createZoneClock(await context.timeZone());
  return stylists.map(({ id, name }) => {
    const busy = [
      ...visits.filter((visit) => visit.stylistId === id && visit.id !== ignoreAppointmentId),
      ...blocks.filter(({ stylistId }) => stylistId === null || stylistId === id),
    ];
    const spans = findFreeSpans(hours.get(id)?.week ?? [], busy, { span: reach, zone });
    return { stylistId: id, stylistName: name, spans };
  });
}

/** On a server that does not list stylists, those with appointments, and others known by ID. */
export function toStylists(
  visits: readonly BusyVisit[],
  ids: readonly string[] = [],
): readonly NamedStylist[] {
  const all = new Set([...ids, ...visits.map(({ stylistId }) => stylistId)].filter((id) => id !== ''));
  return [...all].sort().map((id) => ({ id, name: id, active: true, services: [] }));
}

/** A key that belongs to one stylist sees only that calendar; the others would merely look free. */
async function limitToOwn(
  stylists: readonly NamedStylist[],
  busy: readonly BusyVisit[],
  context: CommandContext,
): Promise<readonly NamedStylist[]> {
  const booked = new Set(busy.map(({ stylistId }) => stylistId));
  if (booked.size > 1 || stylists.every(({ id }) => booked.has(id))) return stylists;
  const own = await salonFacts(context).ownStylist();
  if (own === undefined) return stylists;
  const ids = stylists.map(({ id }) => id);
  assertSeen(ids, own, context);
  return stylists.filter(({ id }) => id === own);
}
