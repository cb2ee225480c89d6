import type { Client } from '../../../contract/client.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Writer } from '../../db/engine.ts';
import { appendRows } from '../../db/lists/append-rows.ts';
import { readLastPositions, reservePositions } from '../../db/lists/collections.ts';
import { insertRows } from '../../db/lists/insert-rows.ts';
import { findAccount } from '../accounts.ts';
import { toAppointmentRow } from '../booking.ts';
import { toClientRow } from '../client-record.ts';
import type { Environment } from '../context.ts';
import { toPaymentRow } from '../payment-record.ts';
import { toStylistRow } from '../stylists.ts';
import { dayMs } from '../validation.ts';
import {
  planVisits,
  type SampleBooking,
  toSampleAppointment,
  toSampleBooking,
  toWorkingDays,
} from './appointments.ts';
import { type PaidVisit, toPaidVisit, toSamplePayment } from './payments.ts';
import { createSampleClient, createSampleStylist } from './people.ts';
import { createSeededRandom, type SeededRandom } from './random.ts';

export interface SeedOptions {
  /** Not needed while the database has one account. */
  readonly accountId?: string;
  readonly clients: number;
  readonly appointments: number;
  /** When left out 12, or what it takes to keep the calendar within ten years. */
  readonly stylists?: number;
  /** The same seed gives an empty account the same salon, identifiers included. */
  readonly seed: number;
  /** The moment the calendar is laid around. */
  readonly today: Date;
}

/** How many of each were added. */
export interface SeededCounts {
  readonly clients: number;
  readonly appointments: number;
  readonly stylists: number;
  /** One for each appointment that took place of late. */
  readonly payments: number;
}

const usualStylists = 12;
/** What one stylist can have: 6 visits on 5 days of 52 weeks. */
const visitsOfTenYears = 10 * 52 * 5 * 6;
/** A client is known this long before the first day of the calendar. */
const headStartMs = 40 * dayMs;

/** Adds a believable salon to what an account has, all of it or nothing. Throws `usage` and `not_found`. */
export function seedAccount(
  database: Database,
  _outside: Environment,
  options: SeedOptions,
): Promise<SeededCounts> {
  return database.transaction(async (tx) => {
    const account = await findAccount(tx, options.accountId);
    return addSalon(tx, account.id, options);
  });
}

async function addSalon(tx: Writer, accountId: string, options: SeedOptions): Promise<SeededCounts> {
  const { clients, appointments, seed, today } = options;
  const stylists = options.stylists ?? Math.max(usualStylists, Math.ceil(appointments / visitsOfTenYears));
  if (appointments > 0 && (clients === 0 || stylists === 0)) {
    throw new SalonError('usage', 'Sample appointments need sample clients and stylists to belong to.', {
      hint: 'Ask for at least one of each.',
    });
  }
  // What was there before takes part, so that a second salon from the same seed has other identifiers.
  const { clients: known, appointments: booked, stylists: hired } = await readLastPositions(tx, accountId);
  const source = [seed, { clients: known, appointments: booked, stylists: hired }];
  const draw = createSeededRandom(JSON.stringify(source));
  const amount = { visits: appointments, stylists };
  const days = appointments > 0 ? toWorkingDays(today, amount) : [];
  const openedMs = (days[0] ?? today.getTime() - 365 * dayMs) - headStartMs;
  if (openedMs < 0) {
    throw new SalonError(
      'usage',
      `${stylists} stylists cannot have had ${appointments} appointments since 1970.`,
      {
        hint: 'Ask for more stylists.',
      },
    );
  }
  const salon = { tx, accountId, draw, openedMs, todayMs: today.getTime() };

  const stylistIds = await addStylists(salon, stylists);
  const clientIds = await addClients(salon, clients, stylistIds);
  const bookings: SampleBooking[] = [];
  for (const slot of planVisits(draw, days, amount)) {
    bookings.push(toSampleBooking(draw, slot, salon.todayMs));
  }
  bookings.sort((a, b) => a.createdMs - b.createdMs);
  // From a source of their own, so that all the rest is the same with and without them.
  const till = createSeededRandom(JSON.stringify([...source, 'payments']));
  const purchases = await addAppointments(salon, bookings, { clientIds, stylistIds, till });
  await addPayments({ ...salon, draw: till }, purchases);
  return { clients, appointments, stylists, payments: purchases.length };
}

interface Salon {
  readonly tx: Writer;
  readonly accountId: string;
  readonly draw: SeededRandom;
  readonly openedMs: number;
  readonly todayMs: number;
}

async function addStylists({ tx, accountId, draw, openedMs }: Salon, count: number): Promise<string[]> {
  const stylists = Array.from({ length: count }, () => createSampleStylist(draw, openedMs));
  const rows = stylists.map((stylist) => toStylistRow(accountId, stylist));
  await appendRows(tx, accountId, { collection: 'stylists', rows });
  return stylists.map(({ id }) => id);
}

/** Clients come one by one over the years, so that the order of creation is that of time. */
async function addClients(salon: Salon, count: number, stylistIds: readonly string[]): Promise<string[]> {
  const { tx, accountId, draw, openedMs, todayMs } = salon;
  const ids: string[] = [];
  let seq = await reservePositions(tx, { accountId, collection: 'clients' }, count);
  function* rows() {
    for (let index = 0; index < count; index++) {
      const createdMs = Math.floor(openedMs + ((todayMs - openedMs) * index) / count);
      const client: Client = createSampleClient({ draw, createdMs, stylistIds });
      ids.push(client.id);
      yield { ...toClientRow(accountId, client), seq: seq++ };
    }
  }
  await insertRows(tx, 'clients', rows());
  return ids;
}

interface Visitors {
  readonly clientIds: readonly string[];
  readonly stylistIds: readonly string[];
  /** What decides when a visit was paid. */
  readonly till: SeededRandom;
}

async function addAppointments(
  { tx, accountId, draw, openedMs, todayMs }: Salon,
  bookings: readonly SampleBooking[],
  { clientIds, stylistIds, till }: Visitors,
): Promise<PaidVisit[]> {
  const purchases: PaidVisit[] = [];
  let seq = await reservePositions(tx, { accountId, collection: 'appointments' }, bookings.length);
  function* rows() {
    for (const booking of bookings) {
      // Only somebody who was a client by then.
      const known = Math.ceil((clientIds.length * (booking.createdMs - openedMs)) / (todayMs - openedMs));
      const clientId = clientIds[draw.below(Math.max(1, Math.min(known, clientIds.length)))] ?? '';
      const stylistId = stylistIds[booking.stylist] ?? '';
      const appointment = toSampleAppointment(draw, booking, { clientId, stylistId });
      const purchase = toPaidVisit(till, appointment, todayMs);
      if (purchase !== undefined) {
        purchases.push(purchase);
      }
      yield { ...toAppointmentRow(accountId, appointment), seq: seq++ };
    }
  }
  await insertRows(tx, 'appointments', rows());
  return purchases;
}

/** Payments come as visits end, which is not the order they were booked in. */
async function addPayments({ tx, accountId, draw, todayMs }: Salon, purchases: PaidVisit[]): Promise<void> {
  if (purchases.length === 0) {
    return;
  }
  purchases.sort((a, b) => a.paidMs - b.paidMs);
  let seq = await reservePositions(tx, { accountId, collection: 'payments' }, purchases.length);
  function* rows() {
    for (const purchase of purchases) {
      const payment = toSamplePayment(draw, purchase, todayMs);
      yield { ...toPaymentRow(accountId, payment, purchase.stylistId), seq: seq++ };
    }
  }
  await insertRows(tx, 'payments', rows());
}
