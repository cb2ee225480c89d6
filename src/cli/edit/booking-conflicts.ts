import type { Plan } from '../../bulk/plan/plan-file.ts';
import { findUndoneJob, type Refusal } from '../../bulk/plan/plan-format.ts';
import { freesSlot } from '../../client/appointment-status.ts';
import type { Fields } from '../../client/json-object.ts';
import { readWhole } from '../../client/pagination/paginate.ts';
import type { AppointmentReader } from '../../client/read-appointment.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import { countOf } from '../../text/numbers.ts';
import { foldText } from '../../text/search-text.ts';
import { dayMs, lastInstantMs, toUtcText } from '../../time/time.ts';
import { findOutsideHours, findUndoneService } from '../availability/check-booking-time.ts';
import { readBlockedSpans } from '../availability/salon-facts.ts';
import type { Range } from '../flags/moments.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { readClock } from '../output/format.ts';
import { type ClientNames, openQuietNames } from '../people/client-names.ts';
import { readStylistsById, toText } from '../people/names.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import { renderLines } from './edit-result.ts';

interface ConflictOptions {
  /** What all of them get. */
  readonly set: Fields;
  /** When the appointments to change start. */
  readonly range: Range;
  /** How much later they will, in local time. */
  readonly shiftMs: number;
  /** Their stylist, if they have the same. */
  readonly stylistId: string | undefined;
  readonly context: CommandContext;
}

const maxNamed = 5;
const schema = `CREATE TABLE bookings (id TEXT PRIMARY KEY, stylist TEXT, start INTEGER, finish INTEGER, client TEXT);
  CREATE INDEX by_stylist ON bookings (stylist, start);`;

interface Booking {
  readonly id: string;
  readonly stylist: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Undefined for blocked time, which has no stylist if it is that of the whole salon. */
  readonly client: string | undefined;
}

/**
 * Compares changed appointments with the bookings and blocked times of their stylists, read once when first needed, and
 * with those that the same plan has changed before. Does nothing for changes that need no new time, and leaves out what
 * `allow_overlap` and `allow_blocked` allow. Also compares them with hours.
 */
export function openBookingConflicts({ set, range, shiftMs, stylistId, context }: ConflictOptions) {
  const needsTime =
    shiftMs !== 0 ||
    ['stylist_id', 'start_time', 'duration', 'status'].some((name) => Object.hasOwn(set, name));
  const [allowsOverlap, allowsBlocked] = [set['allow_overlap'] === true, set['allow_blocked'] === true];
  const isChecked = needsTime && !(allowsOverlap && allowsBlocked);
  const database = isChecked ? openTempDatabase(schema) : undefined;
  const outside = { what: "outside the stylist's hours", count: 0, shown: [] as string[] };
  const undone = { what: 'with a stylist who does not do the service', count: 0, shown: [] as string[] };
  let bookings: Promise<BookingTable> | undefined;
  const names = createNames(context);
  const reader = openAppointmentReader(context);
  const at = async (ms: number) => renderShortTime(toUtcText(ms), await readClock(context));
  return {
    /** Why a changed appointment cannot be: its stylist is busy or away then. */
    async refuse(record: Fields, change: Fields) {
      // Whether it takes time of a stylist that the appointment does not have already.
      const isMoved = ['stylist_id', 'start_time', 'duration'].some((name) => Object.hasOwn(change, name));
      const takesTime = needsTime && (freesSlot(record['status']) || isMoved);
      if (!takesTime && !isReassigned(change)) return undefined;
      const changed = { ...record, ...change };
      const booking = toBooking(changed, await reader);
      if (booking === undefined) return undefined;
      const refusal = takesTime && database ? await findConflict(booking) : undefined;
      if (refusal !== undefined) return refusal;
      const stylistId = booking.stylist;
      const service = isReassigned(change) ? toText(changed['service']) : '';
      if (takesTime) await note(outside, booking, await findOutsideHours(context, { ...booking, stylistId }));
      await note(undone, booking, await findUndoneService(context, { stylistId, service }));
    },
    /** Warns of those that can be, but outside set hours, or with somebody who does not do the service. */
    warnOfUnusual() {
      for (const { what, count, shown } of [outside, undone]) {
        if (count === 0) continue;
        const some = count > maxNamed ? ` (${maxNamed} shown)` : '';
        const title = `${countOf(count, 'appointments')} will be ${what}${some}.`;
        for (const text of [title, ...shown]) context.messages.warn(text);
      }
    },
    async [Symbol.asyncDispose]() {
      database?.close();
      await names.close();
    },
  };

  async function note(list: typeof outside, booking: Booking, reason: string | undefined) {
    if (reason === undefined) return;
    list.count += 1;
    if (list.count > maxNamed) return;
    const who = booking.client ? await names.client(booking.client) : booking.id;
    list.shown.push(`${who}, ${await at(booking.startMs)}: ${reason}`);
  }

  async function findConflict(booking: Booking): Promise<Refusal | undefined> {
    bookings ??= openBookings();
    const { find, add } = await bookings;
    const other = find(booking);
    if (other === undefined) return void add(booking);
    const [start, end] = [await at(other.startMs), await at(other.endMs)];
    if (other.client === undefined) {
      const isClosed = other.stylist === '';
      const subject = isClosed ? 'The salon is closed' : `${await names.stylist(other.stylist)} is away`;
      return { code: 'time_blocked', reason: `${subject} ${start}–${end}.` };
    }
    const [stylist, client] = [await names.stylist(other.stylist), await names.client(other.client)];
    const reason = `${stylist} is booked ${start}–${end.slice(-5)} (${client}).`;
    return { code: 'appointment_conflict', reason };
  }

  async function openBookings(): Promise<BookingTable> {
    if (database === undefined) throw new TypeError('Nothing is checked.');
    const table = createBookingTable(database);
    const client = await context.client();
    const start = typeof set['start_time'] === 'string' ? set['start_time'] : undefined;
    const later = (time: string | undefined) => time && new Date(Date.parse(time) + shiftMs).toISOString();
    const from = start ?? later(range.from);
    const to = start === undefined ? later(range.to) : new Date(Date.parse(start) + dayMs).toISOString();
    if (!allowsBlocked) {
      const startMs = from === undefined ? context.io.now().getTime() : Date.parse(from);
      const endMs = to === undefined ? lastInstantMs : Date.parse(to) + dayMs;
      for (const [index, block] of (await readBlockedSpans(context, { startMs, endMs })).entries())
        table.add({ ...block, id: `block ${index}`, stylist: block.stylistId ?? '', client: undefined });
    }
    if (allowsOverlap) return table;
    const stylist = toText(set['stylist_id']) || stylistId;
    const query = {
      ...(stylist === undefined ? {} : { stylist_id: stylist }),
      // One that began earlier may still last.
      ...(from === undefined ? {} : { start_time_from: new Date(Date.parse(from) - dayMs).toISOString() }),
      ...(to === undefined ? {} : { start_time_to: new Date(Date.parse(to) + dayMs).toISOString() }),
    };
    const listReader = await openAppointmentReader(context);
    for await (const { rows } of readWhole(client.appointments.list(query), 'appointments')) {
      for (const row of rows) {
        const booking = toBooking(row, listReader);
        if (booking !== undefined) table.add(booking);
      }
    }
    listReader.assertAny();
    const fault = listReader.fault();
    if (fault !== undefined) throw fault;
    return table;
  }
}

function isReassigned(change: Fields): boolean {
  return Object.hasOwn(change, 'stylist_id') || Object.hasOwn(change, 'service');
}

/**
 * Warns of the rows of a sheet with a stylist who does not do the service, once for each stylist and service. Returns how
 * many rows those are.
 */
export async function warnOfUndoneServices({ head, rows }: Plan, context: CommandContext): Promise<number> {
  // Selected appointments are warned of while they are planned; an undo brings back what was there.
  if (head.source.isCondition || findUndoneJob(head)) return 0;
  const pairs = new Map<string, { readonly reason: string | undefined; readonly lines: number[] }>();
  for await (const { act, line, before, change = {} } of rows()) {
    const { stylist_id, service, status }: Fields = { ...before, ...change };
    if (act === 'refused' || !isReassigned(change) || freesSlot(status)) continue;
    const [stylistId, name] = [toText(stylist_id), toText(service)];
    const key = `${stylistId} ${foldText(name)}`;
    const reason = () => findUndoneService(context, { stylistId, service: name });
    const pair = pairs.get(key) ?? { reason: await reason(), lines: [] };
    pairs.set(key, pair);
    if (pair.reason !== undefined) pair.lines.push(line);
  }
  const undone = [...pairs.values()].filter(({ lines }) => lines.length > 0);
  for (const { reason, lines } of undone) context.messages.warn(`${renderLines(lines)}: ${reason}`);
  return undone.reduce((sum, { lines }) => sum + lines.length, 0);
}

type BookingTable = ReturnType<typeof createBookingTable>;

function createBookingTable(database: ReturnType<typeof openTempDatabase>) {
  const insert = database.prepare('INSERT OR REPLACE INTO bookings VALUES (?, ?, ?, ?, ?)');
  const select = database.prepare(`
    SELECT id, stylist, start AS startMs, finish AS endMs, client FROM bookings
    WHERE stylist IN (?, '') AND start < ? AND finish > ? AND id <> ? ORDER BY start LIMIT 1`);
  return {
    /** A booking of the same stylist that overlaps. */
    find({ id, stylist, startMs, endMs }: Booking) {
      const row = select.get(stylist, endMs, startMs, id);
      return row && ({ ...row, client: row['client'] ?? undefined } as unknown as Booking);
    },
    /** Adds a booking, or moves the one with its ID. */
    add({ id, stylist, startMs, endMs, client }: Booking) {
      insert.run(id, stylist, startMs, endMs, client ?? null);
    },
  };
}

/** Undefined for an appointment that takes no time of a stylist, and for one that cannot be read. */
function toBooking(record: Fields, reader: AppointmentReader): Booking | undefined {
  if (freesSlot(record['status']) || record['stylist_id'] === null) return undefined;
  const read = reader.read(record, ['duration', 'stylist']);
  if (read === undefined) return undefined;
  const { id, stylistId: stylist, clientId: client, startMs, minutes = 0 } = read;
  return { id, stylist, startMs, endMs: startMs + minutes * 60_000, client };
}

/** Names of the people of conflicts, read when first needed; IDs where that is not possible. */
function createNames(context: CommandContext) {
  let clients: Promise<ClientNames> | undefined;
  let stylists: Promise<ReadonlyMap<string, string>> | undefined;

  return {
    async client(id: string): Promise<string> {
      clients ??= openQuietNames(context);
      const names = await clients;
      await names.load([id]);
      return names.contactOf(id)?.name || id;
    },
    async stylist(id: string): Promise<string> {
      stylists ??= readStylistsById(context);
      return (await stylists).get(id) ?? id;
    },
    close: async () => (await clients)?.[Symbol.asyncDispose](),
  };
}
