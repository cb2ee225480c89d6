import { selectOffering } from '../../contract/stylist.ts';
import { dayMs, minuteMs, type TimeSpan } from '../../contract/time.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type AvailabilityQuery, askAvailability, assertSeen, type FreeTime } from './ask-service.ts';
import { type BusyTime, type FreeSlot, findFreeSlots, findFreeSpans } from './free-slots.ts';
import { readOpeningHours } from './opening-hours.ts';
import {
  type BookableStylist,
  type BusyVisit,
  readBlockedSpans,
  readBusyVisits,
  salonFacts,
} from './salon-facts.ts';

/** A time at which a stylist can be booked. */
export interface AvailableSlot extends FreeSlot {
  /** The ID if the server does not list stylists. */
  readonly stylistName: string;
}

const searchDays = 14;

/** Reads at which times stylists can be booked, by start. */
export async function readAvailability(
  context: CommandContext,
  query: AvailabilityQuery,
): Promise<readonly AvailableSlot[]> {
  const { stepMinutes = 15, durationMinutes } = query;
  const free = await readFreeTime(context, query);
  const names = new Map(free.map(({ stylistId, stylistName }) => [stylistId, stylistName]));
  const timeZone = await context.timeZone();
  const spans = new Map(free.map((one) => [one.stylistId, one.spans]));
  const slots = findFreeSlots(spans, {
    span: fromNow(query.span, context),
    durationMinutes,
    stepMinutes,
    timeZone,
  });
  return slots.map((slot) => ({ ...slot, stylistName: names.get(slot.stylistId) ?? slot.stylistId }));
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

async function computeFreeTime(
  context: CommandContext,
  query: AvailabilityQuery,
): Promise<readonly FreeTime[]> {
  const { busy, stylists } = await readBusyStylists(context, query);
  const hours = await readOpeningHours(context, stylists);
  const { startMs, endMs } = query.span;
  const spans = findFreeSpans({
    busy: busy.filter(({ id }) => id === undefined || id !== query.ignoreAppointmentId),
    hours: new Map([...hours].map(([id, { week }]) => [id, week])),
    span: { startMs, endMs: endMs + query.durationMinutes * minuteMs },
    timeZone: await context.timeZone(),
  });
  return stylists.map(({ id, name }) => ({ stylistId: id, stylistName: name, spans: spans.get(id) ?? [] }));
}

/** The first time from an instant on, within two weeks, at which a stylist is free. */
export async function findNextFree(
  context: CommandContext,
  {
    startMs,
    stylistId,
    ...query
  }: Omit<AvailabilityQuery, 'span' | 'stylistIds'> & {
    readonly startMs: number;
    readonly stylistId: string;
  },
): Promise<AvailableSlot | undefined> {
  const span = { startMs, endMs: startMs + searchDays * dayMs };
  const [first] = await readAvailability(context, { ...query, span, stylistIds: [stylistId] });
  return first;
}

interface BusyStylists {
  /** Appointments, and without an ID what is blocked. */
  readonly busy: readonly (BusyTime & { readonly id?: string | undefined })[];
  readonly stylists: readonly BookableStylist[];
}

async function readBusyStylists(
  context: CommandContext,
  { span, durationMinutes, stylistIds, service }: AvailabilityQuery,
): Promise<BusyStylists> {
  const facts = salonFacts(context);
  const endMs = span.endMs + durationMinutes * minuteMs;
  const [listed, blocks, busy] = await Promise.all([
    facts.stylists(),
    readBlockedSpans(context, { startMs: span.startMs, endMs }),
    readBusyVisits(context, {
      // The longest appointment may have started a day before.
      startMs: span.startMs - dayMs,
      endMs,
      stylistIds,
    }),
  ]);
  const known = listed ?? toStylists([...(await facts.pastVisits()), ...busy], stylistIds);
  if (listed === undefined) {
    facts.sayOnce('This server does not list stylists: only those with recent appointments are known.');
  }
  const wanted = known.filter(({ id, active }) => active && (stylistIds?.includes(id) ?? true));
  const able = service === undefined ? wanted : selectOffering(wanted, service, known);
  const bookable = await limitToOwn(able, busy, context);
  const blocked = blocks.flatMap(({ stylistId, ...time }) =>
    bookable
      .filter(({ id }) => stylistId === null || id === stylistId)
      .map(({ id }) => ({ ...time, stylistId: id })),
  );
  return { busy: [...busy, ...blocked], stylists: bookable };
}

/** On a server that does not list stylists, those with appointments, and others known by ID. */
export function toStylists(
  visits: readonly BusyVisit[],
  ids: readonly string[] = [],
): readonly BookableStylist[] {
  const all = new Set([...ids, ...visits.map(({ stylistId }) => stylistId)].filter((id) => id !== ''));
  return [...all].sort().map((id) => ({ id, name: id, active: true, services: [], hours: undefined }));
}

/** A key that belongs to one stylist sees only that calendar; the others would merely look free. */
async function limitToOwn(
  stylists: readonly BookableStylist[],
  busy: readonly BusyVisit[],
  context: CommandContext,
): Promise<readonly BookableStylist[]> {
  const booked = new Set(busy.map(({ stylistId }) => stylistId));
  if (booked.size > 1 || stylists.every(({ id }) => booked.has(id))) return stylists;
  const own = await salonFacts(context).ownStylist();
  if (own === undefined) return stylists;
  assertSeen(
    stylists.map(({ id }) => id),
    own,
    context,
  );
  return stylists.filter(({ id }) => id === own);
}
