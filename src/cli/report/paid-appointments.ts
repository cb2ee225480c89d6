import { openTempDatabase } from '../../client/temp-database.ts';
import { toText } from '../people/names.ts';
import { dayMs, type InstantSpan } from './local-span.ts';
import type { RecordReader } from './read-records.ts';
import type { TallyEntry } from './tally.ts';

/** Figures of a payment. */
export type PaidEntry = Omit<TallyEntry<keyof PaidSums>, 'key'> & { readonly sums: PaidSums };

type PaidSums = Readonly<Record<'payments' | 'sales' | 'refunds' | 'tips', bigint>>;

export interface PaidAppointment {
  readonly stylistId: string;
  readonly service: string;
}

/** Joins payments with their appointments in a temporary database, so that memory does not grow with them. */
export interface PaidAppointments extends Disposable {
  add(appointmentId: string, entry: PaidEntry): void;
  /** Reads lists of appointments until each one that was paid is found, those near the payments first. */
  readAppointments(reader: RecordReader, span: InstantSpan): Promise<void>;
  /** The payments with their appointment; without it where it no longer exists. */
  entries(): IterableIterator<PaidEntry & { readonly appointment: PaidAppointment | undefined }>;
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
  const select = database.prepare(
    `SELECT id, stylist, service, at, currency, sales, refunds, tips
    FROM payment LEFT JOIN appointment ON id = appointment`,
  );
  select.setReturnArrays(true);

  return {
    add(appointmentId, { atMs, currency = '', sums }) {
      const { sales, refunds, tips } = sums;
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
    *entries() {
      // With arrays, not objects, it takes half the time.
      for (const row of select.iterate() as Iterable<unknown>) {
        const [id, stylist, service, at, currency, sales, refunds, tips] = row as Stored[];
        yield {
          atMs: Number(at),
          currency: String(currency),
          sums: {
            payments: 1n,
            sales: BigInt(sales ?? 0),
            refunds: BigInt(refunds ?? 0),
            tips: BigInt(tips ?? 0),
          },
          appointment: id === null ? undefined : { stylistId: String(stylist), service: String(service) },
        };
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}

type Stored = string | number | null;

/** SQLite's integers have 64 bits; larger amounts are kept as text. */
function toStored(amount: bigint): number | string {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : String(amount);
}
