import { SalonError } from '../../contract/errors.ts';
import { selectOffering } from '../../contract/stylist.ts';
import { dayMs, minuteMs, type TimeSpan } from '../../contract/time.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type BusyTime, type FreeSlot, findFreeSlots } from './free-slots.ts';
import { readOpeningHours } from './opening-hours.ts';
import {
  type BookableStylist,
  type BusyVisit,
  readBlockedSpans,
  readBusyVisits,
  salonFacts,
} from './salon-facts.ts';

export interface AvailabilityQuery {
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

/** A time at which a stylist can be booked. */
export interface AvailableSlot extends FreeSlot {
  /** The ID if the server does not list stylists. */
  readonly stylistName: string;
}

const searchDays = 14;

/** Reads who is free when, by start: one list of stylists, one of appointments, one of blocked times, and one more to learn opening hours. */
export async function readAvailability(
  context: CommandContext,
  query: AvailabilityQuery,
): Promise<readonly AvailableSlot[]> {
  const { durationMinutes, stepMinutes = 15, ignoreAppointmentId } = query;
  const { endMs } = query.span;
  const span = { startMs: Math.max(query.span.startMs, context.io.now().getTime()), endMs };
  if (span.endMs <= span.startMs) return [];
  const { busy, stylists } = await readBusyStylists(context, { ...query, span });
  const hours = await readOpeningHours(context, stylists);
  const names = new Map(stylists.map(({ id, name }) => [id, name]));
  const slots = findFreeSlots({
    busy: busy.filter(({ id }) => id === undefined || id !== ignoreAppointmentId),
    hours: new Map([...hours].map(([id, { week }]) => [id, week])),
    span,
    durationMinutes,
    stepMinutes,
    timeZone: (await context.session()).settings.timeZone.value,
  });
  return slots.map((slot) => ({ ...slot, stylistName: names.get(slot.stylistId) ?? slot.stylistId }));
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
  const theirs = stylists.filter(({ id }) => id === own);
  if (theirs.length === 0) {
    throw new SalonError('permission_denied', "This API key can only see its own stylist's calendar.");
  }
  if (theirs.length < stylists.length) {
    salonFacts(context).sayOnce(
      "This API key can only see its own stylist's calendar. Others are not shown.",
    );
  }
  return theirs;
}
