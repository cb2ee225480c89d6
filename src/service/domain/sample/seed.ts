import type { Client } from '../../../contract/client.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Writer } from '../../db/engine.ts';
import { insertRecords, readLastPositions } from '../../db/records.ts';
import { findAccount } from '../accounts.ts';
import { recordByOperator } from '../audit.ts';
import { toAppointmentRow } from '../booking.ts';
import { toClientRow } from '../client-record.ts';
import type { Environment } from '../context.ts';
import { toPaymentRow } from '../payment-record.ts';
import { toStylistRow } from '../stylists.ts';
import { dayMs } from '../validation.ts';
import { planVisits, type SampleBooking, toSampleAppointment, toSampleBooking } from './appointments.ts';
import { duplicateDistance } from './duplicates.ts';
import { type PaidVisit, toPaidVisit, toSamplePayment } from './payments.ts';
import { createSampleClient, createSampleStylist } from './people.ts';
import { createSeededRandom, type SeededRandom } from './random.ts';
import { createRegulars, type Regulars } from './regulars.ts';
import { planShifts } from './shifts.ts';

export interface SeedOptions {
  /** Optional when the database has one account. */
  readonly accountId?: string;
  readonly clients: number;
  readonly appointments: number;
  /** Default: 12, or as many as keep the calendar within ten years. */
  readonly stylists?: number;
  /** The same seed creates the same salon in an empty account, IDs included. */
  readonly seed: number;
  /** The center of the calendar. */
  readonly today: Date;
  /** IANA name of the salon's zone; UTC by default. */
  readonly timeZone?: string;
}

/** How many records were added. */
export interface SeededCounts {
  readonly clients: number;
  readonly appointments: number;
  readonly stylists: number;
  /** One for each appointment completed in the last 90 days. */
  readonly payments: number;
}

interface Salon {
  readonly tx: Writer;
  readonly accountId: string;
  readonly random: SeededRandom;
  readonly openedMs: number;
  readonly todayMs: number;
  readonly regulars: Regulars;
}

interface People {
  readonly clientIds: readonly string[];
  readonly stylistIds: readonly string[];
}

const defaultStylists = 12;
/** Six visits on 5 days of 52 weeks. */
const visitsPerStylistInTenYears = 10 * 52 * 5 * 6;
/** The first client is this much older than the first day of the calendar. */
const headStartMs = 40 * dayMs;

/** Adds sample records to an account in one transaction. Throws `usage` and `not_found`. */
export async function seedAccount(
  database: Database,
  environment: Environment,
  options: SeedOptions,
): Promise<SeededCounts> {
  const account = await findAccount(database.reader, options.accountId);
  return database.transaction({ accountId: account.id }, async (tx) => {
    const counts = await addSalon(tx, account.id, options);
    const event = { accountId: account.id, action: 'account.seeded', id: account.id } as const;
    await recordByOperator(tx, environment, { ...event, details: counts });
    return counts;
  });
}

async function addSalon(tx: Writer, accountId: string, options: SeedOptions): Promise<SeededCounts> {
  const { clients, appointments, seed, today } = options;
  const needed = Math.ceil(appointments / visitsPerStylistInTenYears);
  const stylists = options.stylists ?? Math.max(defaultStylists, needed);
  if (appointments > 0 && (clients === 0 || stylists === 0)) {
    throw new SalonError('usage', 'Sample appointments need sample clients and stylists.', {
      hint: 'Choose at least one of each.',
    });
  }
  // Existing records change the source, so that the same seed never creates the same IDs twice.
  const last = await readLastPositions(tx, accountId);
  const source = [seed, { clients: last.clients, appointments: last.appointments, stylists: last.stylists }];
  const random = createSeededRandom(JSON.stringify(source));
  const { timeZone = 'UTC' } = options;
  const shifts = appointments > 0 ? planShifts({ visits: appointments, stylists, today, timeZone }) : [];
  const openedMs = (shifts[0]?.openingMs ?? today.getTime() - 365 * dayMs) - headStartMs;
  if (openedMs < 0) {
    throw new SalonError(
      'usage',
      `${appointments} appointments for ${stylists} stylists would start before 1970.`,
      {
        hint: 'Choose more stylists.',
      },
    );
  }
  const todayMs = today.getTime();
  const regulars = createRegulars({ clients, stylists, openedMs, todayMs });
  const salon = { tx, accountId, random, openedMs, todayMs, regulars };

  const stylistIds = await addStylists(salon, stylists);
  const clientIds = await addClients(salon, clients, stylistIds);
  const bookings: SampleBooking[] = [];
  for (const visit of planVisits(random, shifts, appointments)) {
    bookings.push(toSampleBooking(random, visit, salon.todayMs));
  }
  bookings.sort((a, b) => a.createdMs - b.createdMs);
  // A separate source, so that payments do not change the other records.
  const paymentRandom = createSeededRandom(JSON.stringify([...source, 'payments']));
  const people = { clientIds, stylistIds, payments: paymentRandom };
  const paidVisits = await addAppointments(salon, bookings, people);
  await addPayments({ ...salon, random: paymentRandom }, paidVisits);
  return { clients, appointments, stylists, payments: paidVisits.length };
}

async function addStylists({ tx, accountId, random, openedMs }: Salon, count: number): Promise<string[]> {
  const stylists = Array.from({ length: count }, (_, index) => createSampleStylist(random, index, openedMs));
  const rows = stylists.map((stylist) => toStylistRow(accountId, stylist));
  await insertRecords(tx, { accountId, collection: 'stylists' }, { count, rows });
  return stylists.map(({ id }) => id);
}

/** Clients are created in the order of time. */
async function addClients(
  { tx, accountId, random, regulars }: Salon,
  count: number,
  stylistIds: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  const earlier: Client[] = [];
  function* rows() {
    for (let index = 0; index < count; index++) {
      const createdMs = regulars.joinedMs(index);
      const client = createSampleClient({ random, index, createdMs, stylistIds, earlier });
      ids.push(client.id);
      earlier.push(client);
      if (earlier.length > duplicateDistance) earlier.shift();
      yield toClientRow(accountId, client);
    }
  }
  await insertRecords(tx, { accountId, collection: 'clients' }, { count, rows: rows() });
  return ids;
}

async function addAppointments(
  { tx, accountId, random, todayMs, regulars }: Salon,
  bookings: readonly SampleBooking[],
  { clientIds, stylistIds, payments }: People & { payments: SeededRandom },
): Promise<PaidVisit[]> {
  const paidVisits: PaidVisit[] = [];
  function* rows() {
    for (const booking of bookings) {
      const clientId = clientIds[regulars.pick(random, booking)] ?? '';
      const stylistId = stylistIds[booking.stylist] ?? '';
      const appointment = toSampleAppointment(random, booking, { clientId, stylistId });
      const paidVisit = toPaidVisit(payments, appointment, todayMs);
      if (paidVisit !== undefined) {
        paidVisits.push(paidVisit);
      }
      yield toAppointmentRow(accountId, appointment);
    }
  }
  const added = { count: bookings.length, rows: rows() };
  await insertRecords(tx, { accountId, collection: 'appointments' }, added);
  return paidVisits;
}

/** Payments are created as visits end, which is not the order of booking. */
async function addPayments({ tx, accountId, random, todayMs }: Salon, visits: PaidVisit[]): Promise<void> {
  visits.sort((a, b) => a.paidMs - b.paidMs);
  function* rows() {
    for (const visit of visits) {
      yield toPaymentRow(accountId, toSamplePayment(random, visit, todayMs), visit.stylistId);
    }
  }
  await insertRecords(tx, { accountId, collection: 'payments' }, { count: visits.length, rows: rows() });
}
