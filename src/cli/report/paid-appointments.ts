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
  CREATE TABLE payment (appointment TEXT, at INTEGER, currency TEXT, sales TEXT, refunds TEXT, tips TEXT);
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
  const select = database.prepare('SELECT * FROM payment LEFT JOIN appointment ON id = appointment');

  return {
    add(appointmentId, { atMs, currency = '', sums }) {
      const amounts = [sums.sales, sums.refunds, sums.tips].map(String);
      addPayment.run(appointmentId, atMs, currency, ...amounts);
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
      for (const row of select.iterate()) {
        const [sales, refunds, tips] = [row['sales'], row['refunds'], row['tips']].map((text) =>
          BigInt(String(text)),
        );
        yield {
          atMs: Number(row['at']),
          currency: String(row['currency']),
          sums: { payments: 1n, sales: sales ?? 0n, refunds: refunds ?? 0n, tips: tips ?? 0n },
          appointment:
            row['id'] === null
              ? undefined
              : { stylistId: String(row['stylist']), service: String(row['service']) },
        };
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}
