import { freesSlot } from '../../client/appointment-status.ts';
import type { SalonClient } from '../../client/client.ts';
import { readWhole } from '../../client/pagination/paginate.ts';
import { type AppointmentReader, toAppointmentQuery } from '../../client/read-appointment.ts';
import { compareTexts } from '../../text/search-text.ts';
import { minuteMs, type TimeSpan, toInstantMs } from '../../time/time.ts';
import { readBlockedSpans } from '../availability/salon-facts.ts';
import { readClientContacts } from '../people/client-names.ts';
import {
  assertReadable,
  inWords,
  type NamedStylist,
  pickStylists,
  readOwnStylist,
  readStylistNames,
  readStylistsById,
} from '../people/names.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import { describeSameDay } from '../people/same-day.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Calendar, CalendarEntry, CalendarStylist } from './calendar.ts';
import { type CalendarDay, overlaps } from './calendar-days.ts';

interface CalendarQuery {
  readonly days: readonly CalendarDay[];
  /** IDs or names; all stylists if empty. */
  readonly stylists: readonly string[];
  /** Statuses separated by commas. */
  readonly status: string | undefined;
  /** Whether to show cancelled appointments and no-shows too. */
  readonly isAll: boolean;
  readonly withNames: boolean;
  /** Whether to say what else clients have that day, with any stylist. */
  readonly withSameDay: boolean;
}

/** The longest appointment: one may have started this long before the first day. */
const maxDurationMs = 1440 * minuteMs;
/** How long an appointment of unknown length is drawn. */
const drawnMs = 30 * minuteMs;

/** Reads all appointments that overlap the days, including those that started the day before. */
export async function readCalendar(query: CalendarQuery, context: CommandContext): Promise<Calendar> {
  const { messages } = context;
  const [client, reader] = [await context.client(), await openAppointmentReader(context)];
  const known = await readStylistNames(client, messages.verbose);
  const picked = query.stylists.length === 0 ? undefined : pickStylists(query.stylists, known);
  const pickedIds = picked?.map(({ id }) => id);
  const read = await readEntries(query, pickedIds, { client, reader });
  const isWanted = (entry: CalendarEntry) => pickedIds?.includes(entry.stylistId) ?? true;
  const all = read.filter((entry) => overlaps(entry, toSpan(query.days)) && isWanted(entry));
  const booked = new Set(all.map(({ stylistId }) => stylistId));
  // Where stylists cannot be looked up, a name given instead of an ID finds nothing.
  for (const id of known === undefined ? query.stylists.filter((text) => !booked.has(text)) : []) {
    messages.warn(
      `No appointments for stylist ID "${id}". This server does not list stylists, so names cannot be used.`,
    );
  }
  if (pickedIds !== undefined && booked.size === 0) await assertReadable(client, pickedIds);
  const shown = all.filter((entry) => isShown(entry, query));
  const ids = new Set(query.withNames ? shown.map(({ clientId }) => clientId) : []);
  const contacts = await readClientContacts(ids, context);
  const listed = await limitToOwn(picked ?? listStylists(known ?? [], shown), booked, context);
  const working = new Set(shown.map(({ stylistId }) => stylistId));
  const isOff = ({ id, workingHours }: CalendarStylist) =>
    !working.has(id) &&
    query.days.every(({ dateMs }) => workingHours?.[new Date(dateMs).getUTCDay()]?.length === 0);
  const off = picked === undefined ? listed.filter(isOff) : [];
  const stylists = listed.filter((stylist) => !off.includes(stylist));
  const positions = new Map(stylists.map(({ id }, index) => [id, index]));
  const positionOf = ({ stylistId }: CalendarEntry) => positions.get(stylistId) ?? stylists.length;
  const names = { timeZone: await context.timeZone(), stylists: await readStylistsById(context) };
  const sameDay = query.withSameDay ? describeSameDay(read, names) : undefined;
  const entries = shown
    .map((entry) => ({
      ...entry,
      client: toLabel(entry.clientId, contacts),
      phone: contacts.get(entry.clientId)?.phone,
      sameDay: sameDay?.get(entry),
    }))
    .sort((a, b) => positionOf(a) - positionOf(b) || a.startMs - b.startMs || compareTexts(a.id, b.id));
  const hidden = all.filter((entry) => !isShown(entry, query));
  const blocks = await readBlockedSpans(context, toSpan(query.days));
  return { stylists, off, blocks, contacts, entries, hidden, fault: reader.fault() };
}

/** What people read instead of the ID, which is shown only if names cannot be read. */
function toLabel(id: string, contacts: Calendar['contacts']): string {
  const contact = contacts.get(id);
  if (contact === undefined || id === '') return id;
  return contact === null ? inWords.deleted : contact.name || inWords.nameless;
}

/** A key that belongs to one stylist sees only that calendar; the others would merely look free. */
async function limitToOwn(
  stylists: readonly CalendarStylist[],
  booked: ReadonlySet<string>,
  context: CommandContext,
): Promise<readonly CalendarStylist[]> {
  if (stylists.length <= 1 || booked.size > 1) return stylists;
  const own = await readOwnStylist(await context.client());
  if (own === undefined) return stylists;
  context.messages.warn(
    "This API key can only see its own stylist's calendar. Other stylists are not shown.",
  );
  return stylists.filter(({ id }) => id === own);
}

/** The appointments that start on the days or the day before; with any stylist if other parts of a visit are needed. */
async function readEntries(
  { days, status, withSameDay }: CalendarQuery,
  stylistIds: readonly string[] | undefined,
  { client, reader }: { readonly client: SalonClient; readonly reader: AppointmentReader },
): Promise<readonly CalendarEntry[]> {
  const span = toSpan(days);
  const reach = { ...span, startMs: span.startMs - maxDurationMs };
  const filter = {
    ...toAppointmentQuery(reach, withSameDay ? {} : { stylistIds }),
    ...(status === undefined ? {} : { status }),
  };
  const entries: CalendarEntry[] = [];
  for await (const { rows } of readWhole(client.appointments.list(filter), 'appointments')) {
    for (const row of rows) {
      const visit = reader.read(row);
      if (visit === undefined) continue;
      const { startMs, minutes } = visit;
      const endMs = startMs + (minutes === undefined ? drawnMs : minutes * minuteMs);
      const times = { createdMs: toInstantMs(row.created_at), updatedMs: toInstantMs(row.updated_at) };
      entries.push({ ...visit, ...times, client: visit.clientId, endMs, isOpenEnded: minutes === undefined });
    }
  }
  reader.assertAny();
  return entries;
}

function toSpan(days: readonly CalendarDay[]): TimeSpan {
  return { startMs: days[0]?.startMs ?? 0, endMs: days.at(-1)?.endMs ?? 0 };
}

function isShown(entry: CalendarEntry, { isAll, status }: CalendarQuery): boolean {
  return isAll || status !== undefined || !freesSlot(entry.status);
}

/** Active stylists, and all others with appointments. */
function listStylists(
  known: readonly NamedStylist[],
  entries: readonly CalendarEntry[],
): readonly CalendarStylist[] {
  const booked = new Set(entries.map(({ stylistId }) => stylistId));
  const ids = new Set(known.map(({ id }) => id));
  const unknown = [...booked].filter((id) => !ids.has(id)).sort();
  return [
    ...known.filter(({ id, active }) => active || booked.has(id)),
    ...unknown.map((id) => ({ id, name: id || 'no stylist' })),
  ];
}
