import { openTempDatabase } from '../../client/temp-database.ts';
import { dayMs } from '../../contract/time.ts';
import { toText } from '../people/names.ts';
import type { Grouping } from './choices.ts';
import type { Exact } from './exact.ts';
import type { InstantSpan } from './local-span.ts';
import type { RecordReader } from './read-records.ts';
import type { TallyEntry } from './tally.ts';

type PaidSum = 'payments' | 'sales' | 'refunds' | 'tips';

/** A payment with its figures. */
export interface PaidEntry extends TallyEntry<PaidSum> {
  readonly appointmentId: string;
  readonly sums: Readonly<Record<PaidSum, Exact>>;
}

/** A payment under the stylist or service of its appointment. */
export interface JoinedEntry extends TallyEntry<PaidSum> {
  /** Null if the appointment was not found. */
  readonly stylistId: string | null;
}

/** Joins payments with their appointments in a temporary database, so that memory does not grow with them. */
export interface PaidAppointments extends Disposable {
  add(payment: PaidEntry): void;
  /** Reads lists of appointments until each one that was paid is found, those near the payments first. */
  readAppointments(reader: RecordReader, span: InstantSpan): Promise<void>;
  entries(grouping: Grouping): IterableIterator<JoinedEntry>;
}

const schema = `
  CREATE TABLE payment (appointment TEXT, at, currency TEXT, sales, refunds, tips);
  CREATE TABLE appointment (id TEXT PRIMARY KEY, stylist TEXT, service TEXT) WITHOUT ROWID;
`;

/** Days before and after the payments in which their appointments are looked for, one after the other. */
const marginsInDays = [2, 60, Number.POSITIVE_INFINITY];

export function openPaidAppointments(): PaidAppointments {
  const database = openTempDatabase(schema);
  const addPayment = database.prepare('INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?)');
  const addAppointment = database.prepare('INSERT OR IGNORE INTO appointment VALUES (?, ?, ?)');
  const countMissing = database.prepare(
    'SELECT count(*) AS count FROM payment LEFT JOIN appointment ON id = appointment WHERE id IS NULL',
  );
  return {
    add({ appointmentId, atMs, currency = '', sums: { sales, refunds, tips } }) {
      addPayment.run(appointmentId, atMs, currency, toStored(sales), toStored(refunds), toStored(tips));
    },
    async readAppointments(reader, { startMs, endMs }) {
      for (const days of marginsInDays) {
        if (Number(countMissing.get()?.['count']) === 0) return;
        const query = Number.isFinite(days)
          ? {
              start_time_from: new Date(startMs - days * dayMs).toISOString(),
              start_time_to: new Date(endMs + days * dayMs).toISOString(),
            }
          : {};
        const list = reader.client.appointments.list(query);
        for await (const appointments of reader.read(list, 'appointments')) {
          for (const { id, stylist_id, service } of appointments) {
            addAppointment.run(toText(id), toText(stylist_id), toText(service));
          }
        }
      }
    },
    *entries(grouping) {
      const key = grouping === 'stylist' || grouping === 'service' ? grouping : 'NULL';
      const select = database.prepare(
        `SELECT stylist, ${key}, at, currency, sales, refunds, tips
        FROM payment LEFT JOIN appointment ON id = appointment`,
      );
      // With arrays, not objects, it takes half the time.
      select.setReturnArrays(true);
      for (const row of select.iterate() as Iterable<unknown>) {
        const [stylistId, key, atMs, currency, sales, refunds, tips] = row as StoredEntry;
        const sums = { payments: 1, sales: toExact(sales), refunds: toExact(refunds), tips: toExact(tips) };
        yield { stylistId, key, atMs, currency, sums };
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}

type StoredAmount = number | string;

type StoredEntry = readonly [
  stylistId: string | null,
  key: string | null,
  atMs: number,
  currency: string,
  sales: StoredAmount,
  refunds: StoredAmount,
  tips: StoredAmount,
];

/** Amounts that are no safe integers are kept as text. */
function toStored(amount: Exact): StoredAmount {
  return typeof amount === 'number' ? amount : String(amount);
}

function toExact(amount: StoredAmount): Exact {
  return typeof amount === 'number' ? amount : BigInt(amount);
}
