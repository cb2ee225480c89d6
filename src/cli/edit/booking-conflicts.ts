import type { Refusal } from '../../bulk/plan/plan-format.ts';
import { type Fields, findMember } from '../../client/json-object.ts';
import { readWhole } from '../../client/pagination/paginate.ts';
import type { AppointmentReader } from '../../client/read-appointment.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import { freesSlot } from '../../contract/appointment.ts';
import { dayMs } from '../../contract/time.ts';
import type { Range } from '../flags/moments.ts';
import { renderShortTime } from '../messages/short-times.ts';
import type { ClientNames } from '../people/client-names.ts';
import { openQuietNames, readStylistsById } from '../people/named-rows.ts';
import { toText } from '../people/names.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';

export interface BookingConflicts extends AsyncDisposable {
  /** Why a changed appointment cannot be: its stylist is busy then. */
  refuse(record: Fields, change: Fields): Promise<Refusal | undefined>;
}

interface ConflictOptions {
  /** When the appointments to change start. */
  readonly range: Range;
  /** Their stylist, if they have the same. */
  readonly stylistId: string | undefined;
  readonly context: CommandContext;
}

const schema = `CREATE TABLE bookings (id TEXT PRIMARY KEY, stylist TEXT, start INTEGER, finish INTEGER, client TEXT);
  CREATE INDEX by_stylist ON bookings (stylist, start);`;

interface Booking {
  readonly id: string;
  readonly stylist: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly client: string;
}

/**
 * Compares changed appointments with the bookings of their stylists, read once when first needed, and with those that
 * the same plan has changed before. Does nothing for changes that need no new time, and with `allow_overlap`.
 */
export function openBookingConflicts(
  set: Fields,
  { range, stylistId, context }: ConflictOptions,
): BookingConflicts {
  const needsTime = ['stylist_id', 'start_time', 'duration', 'status'].some((name) =>
    Object.hasOwn(set, name),
  );
  const isChecked = needsTime && set['allow_overlap'] !== true;
  const database = isChecked ? openTempDatabase(schema) : undefined;
  let bookings: Promise<BookingTable> | undefined;
  const names = createNames(context);
  const reader = openAppointmentReader(context);
  return {
    async refuse(record, change) {
      if (database === undefined || !needsNewTime(record, change)) return undefined;
      const booking = toBooking({ ...record, ...change }, await reader);
      if (booking === undefined) return undefined;
      bookings ??= openBookings();
      const { find, add } = await bookings;
      const other = find(booking);
      if (other === undefined) return void add(booking);
      const timeZone = (await context.session()).settings.timeZone.value;
      const style = { timeZone, now: context.io.now() };
      const [start, end] = [other.startMs, other.endMs].map((ms) =>
        renderShortTime(new Date(ms).toISOString(), style),
      );
      const [stylist, client] = [await names.stylist(other.stylist), await names.client(other.client)];
      const reason = `${stylist} is booked ${start}–${end?.slice(-5)} (${client}).`;
      return { code: 'appointment_conflict', reason };
    },
    async [Symbol.asyncDispose]() {
      database?.close();
      await names.close();
    },
  };

  async function openBookings(): Promise<BookingTable> {
    if (database === undefined) throw new TypeError('Nothing is checked.');
    const table = createBookingTable(database);
    const client = await context.client();
    const start = typeof set['start_time'] === 'string' ? set['start_time'] : undefined;
    const from = start ?? range.from;
    const to = start === undefined ? range.to : new Date(Date.parse(start) + dayMs).toISOString();
    const stylist = toText(set['stylist_id']) || stylistId;
    const query = {
      ...(stylist === undefined ? {} : { stylist_id: stylist }),
      // One that began earlier may still last.
      ...(from === undefined ? {} : { start_time_from: new Date(Date.parse(from) - dayMs).toISOString() }),
      ...(to === undefined ? {} : { start_time_to: new Date(Date.parse(to) + dayMs).toISOString() }),
    };
    for await (const { rows } of readWhole(client.appointments.list(query), 'appointments')) {
      for (const row of rows) {
        const booking = toBooking(row, await reader);
        if (booking !== undefined) table.add(booking);
      }
    }
    const fault = (await reader).fault();
    if (fault !== undefined) throw fault;
    return table;
  }
}

/** Whether a change takes time of a stylist that the appointment does not have already. */
function needsNewTime({ status }: Fields, change: Fields): boolean {
  return (
    freesSlot(status) || ['stylist_id', 'start_time', 'duration'].some((name) => Object.hasOwn(change, name))
  );
}

interface BookingTable {
  /** A booking of the same stylist that overlaps. */
  find(booking: Booking): Booking | undefined;
  /** Adds a booking, or moves the one with its ID. */
  add(booking: Booking): void;
}

function createBookingTable(database: ReturnType<typeof openTempDatabase>): BookingTable {
  const insert = database.prepare('INSERT OR REPLACE INTO bookings VALUES (?, ?, ?, ?, ?)');
  const select = database.prepare(
    'SELECT * FROM bookings WHERE stylist = ? AND start < ? AND finish > ? AND id <> ? ORDER BY start LIMIT 1',
  );
  return {
    find({ id, stylist, startMs, endMs }) {
      const row = select.get(stylist, endMs, startMs, id);
      if (row === undefined) return undefined;
      const { start, finish, client } = row as { start: number; finish: number; client: string };
      return { id: String(row['id']), stylist, startMs: start, endMs: finish, client };
    },
    add({ id, stylist, startMs, endMs, client }) {
      insert.run(id, stylist, startMs, endMs, client);
    },
  };
}

/** Undefined for an appointment that takes no time of a stylist, and for one that cannot be read. */
function toBooking(record: Fields, reader: AppointmentReader): Booking | undefined {
  if (freesSlot(record['status']) || findMember(record, 'stylist_id') === null) return undefined;
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
