import type { Client } from '../../../contract/client.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { toPaidAmount } from '../../../contract/payment.ts';
import { dayMs } from '../../../time/time.ts';
import type { Reader, Writer } from '../../db/engine.ts';
import { readSalon, saveSalonSettings } from '../../db/identity/accounts.ts';
import type { CollectionName, NewRow } from '../../db/record-rows.ts';
import { hasRecord, insertRecords, readLastPositions } from '../../db/records/records.ts';
import { findAccount, type OperatorServices } from '../accounts.ts';
import { recordByOperator } from '../audit.ts';
import { type RecordTypes, toStoredRow } from '../records.ts';
import { toBatches } from './load-records.ts';
import { createSampleClient, createSampleStylist, duplicateDistance } from './people.ts';
import { createSeededRandom, type SeededRandom } from './random.ts';
import {
  createCheckout,
  type PaidVisit,
  toPaidVisit,
  toSamplePayment,
  toSamplePrice,
} from './sample-payments.ts';
import { createSampleBlocks, createSampleServices, planSpecialDays, sampleSettings } from './special-days.ts';
import { planShifts, type SpecialDays, toLunch } from './stylist-work.ts';
import {
  createRegulars,
  planVisits,
  type Regulars,
  type SampleBooking,
  toSampleAppointment,
  toSampleBooking,
} from './visits.ts';

export interface SeedOptions {
  /** Optional when the database has one account. */
  readonly accountId?: string | undefined;
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
  /** Also prices, lunches, the salon's settings and blocked time. For an account that has none of these. */
  readonly extras?: boolean;
  /** Stops between two transactions. */
  readonly signal?: AbortSignal;
}

/** What decides on the records, kept in the database until all of them are there. */
interface SamplePlan extends Omit<SeedOptions, 'accountId' | 'signal'> {
  /** Existing records change the source, so that the same seed never creates the same IDs twice. */
  readonly last: Awaited<ReturnType<typeof readLastPositions>>;
}

/** Adds records with the same columns, some thousands in a transaction. */
type Add = <Name extends CollectionName>(collection: Name, rows: Iterable<NewRow<Name>>) => Promise<void>;

interface Salon {
  readonly add: Add;
  readonly accountId: string;
  readonly random: SeededRandom;
  readonly openedMs: number;
  readonly todayMs: number;
  readonly regulars: Regulars;
  /** Undefined without extras. */
  readonly special: SpecialDays | undefined;
}

const defaultStylists = 12;
/** Six visits on 5 days of 52 weeks. */
const visitsPerStylistInTenYears = 10 * 52 * 5 * 6;
/** The first client is this much older than the first day of the calendar. */
const headStartMs = 40 * dayMs;

const savePlan = `insert into database_settings (name, value) values ('sample plan of ' || ?, ?)
  on conflict (name) do nothing`;

/**
 * Adds sample records to an account, in many transactions. After an interruption, the same call adds those that are
 * missing. Returns how many there are then. Throws `usage`, then also for another call, and `not_found`.
 */
export async function seedAccount(
  { database, environment }: OperatorServices,
  { signal, ...options }: SeedOptions,
) {
  const { id: accountId } = await findAccount(database.reader, options.accountId);
  const last = await readLastPositions(database.reader, accountId);
  const plan = (await readSamplePlan(database.reader, accountId)) ?? { ...options, last };
  const { clients, appointments, seed } = plan;
  if (clients !== options.clients || appointments !== options.appointments || seed !== options.seed) {
    throw new SalonError('usage', 'The account has an unfinished set of sample data.', {
      hint: `Finish it first: --clients ${clients} --appointments ${appointments} --seed ${seed}`,
    });
  }
  // Rows are created outside of transactions, which therefore never wait for that.
  const add: Add = async (collection, rows) => {
    for await (const batch of toBatches(rows)) {
      const adding = database.transaction({ accountId }, async (tx) => {
        if (signal?.aborted) throw new SalonError('interrupted', 'Interrupted.');
        // The same plan has the same batches, each of which is there as a whole or not at all.
        if (await hasRecord(tx, collection, { accountId, id: batch[0]?.id ?? '' })) return;
        await tx.run(savePlan, [accountId, JSON.stringify(plan)]);
        await insertRecords(tx, { accountId, collection }, { count: batch.length, rows: batch });
      });
      await adding.catch((error: unknown) => {
        const hint = 'Some sample data was added. Run the same command again to add the rest.';
        throw error instanceof SalonError ? withContext(error, { hint }) : error;
      });
    }
  };
  const counts = await addSalon(add, accountId, plan);
  return database.transaction({ accountId }, async (tx) => {
    if (plan.extras) await saveSettings(tx, accountId, plan);
    await tx.run("delete from database_settings where name = 'sample plan of ' || ?", [accountId]);
    const event = { accountId, action: 'account.seeded', id: accountId } as const;
    await recordByOperator(tx, environment, { ...event, details: counts });
    return counts;
  });
}

/** The plan of an interrupted call. */
export async function readSamplePlan(reader: Reader, accountId: string): Promise<SamplePlan | undefined> {
  const text = "select value from database_settings where name = 'sample plan of ' || ?";
  const [row] = await reader.run<{ value: string }>(text, [accountId]);
  const plan: SamplePlan | undefined = row && JSON.parse(row.value);
  return plan && { ...plan, today: new Date(plan.today) };
}

async function addSalon(add: Add, accountId: string, plan: SamplePlan) {
  const { clients, appointments, seed, today, timeZone = 'UTC', last } = plan;
  const needed = Math.ceil(appointments / visitsPerStylistInTenYears);
  const stylists = plan.stylists ?? Math.max(defaultStylists, needed);
  if (appointments > 0 && (clients === 0 || stylists === 0)) {
    const message = 'Sample appointments need sample clients and stylists.';
    throw new SalonError('usage', message, { hint: 'Choose at least one of each.' });
  }
  const source = [seed, { clients: last.clients, appointments: last.appointments, stylists: last.stylists }];
  const random = createSeededRandom(JSON.stringify(source));
  const special = plan.extras ? planSpecialDays(today, timeZone, stylists) : undefined;
  const shifts =
    appointments > 0 ? planShifts({ visits: appointments, stylists, today, timeZone, special }) : [];
  const openedMs = (shifts[0]?.openingMs ?? today.getTime() - 365 * dayMs) - headStartMs;
  if (openedMs < 0) {
    const message = `${appointments} appointments for ${stylists} stylists would start before 1970.`;
    throw new SalonError('usage', message, { hint: 'Choose more stylists.' });
  }
  const todayMs = today.getTime();
  const regulars = createRegulars({ clients, stylists, openedMs, todayMs });
  const salon = { add, accountId, random, openedMs, todayMs, regulars, special };

  const stylistIds = await addStylists(salon, stylists);
  const clientIds = await addClients(salon, clients, stylistIds);
  const bookings = planVisits(random, shifts, appointments)
    .map((visit) => toSampleBooking(random, visit, todayMs))
    .toArray();
  bookings.sort((a, b) => a.createdMs - b.createdMs);
  // A separate source, so that payments do not change the other records.
  const paymentRandom = createSeededRandom(JSON.stringify([...source, 'payments']));
  const people = { clientIds, stylistIds, payments: paymentRandom };
  const paidVisits = await addAppointments(salon, bookings, people);
  await addPayments(salon, paidVisits);
  if (special !== undefined) {
    const extraRandom = createSeededRandom(JSON.stringify([...source, 'extras']));
    const services = createSampleServices(extraRandom, openedMs);
    await addAll(salon, 'services', services);
    const blocks = createSampleBlocks(extraRandom, special, { today, timeZone, stylistIds });
    await addAll(salon, 'blocked_times', blocks);
  }
  // A payment for each appointment completed in the last 90 days.
  return { clients, appointments, stylists, payments: paidVisits.length };
}

/** Settings that somebody has changed stay. */
async function saveSettings(tx: Writer, accountId: string, { timeZone, today }: SamplePlan): Promise<void> {
  const { name, settings } = (await readSalon(tx, accountId)) ?? {};
  if (settings !== null) return;
  const salon = { name, time_zone: timeZone ?? 'UTC', ...sampleSettings, updated_at: today.toISOString() };
  await saveSalonSettings(tx, accountId, JSON.stringify(salon));
}

async function addAll(
  { add, accountId }: Salon,
  collection: 'stylists' | 'services' | 'blocked_times',
  records: readonly RecordTypes[typeof collection][],
): Promise<void> {
  await add(
    collection,
    records.map((record) => toStoredRow(accountId, collection, record)),
  );
}

async function addStylists(salon: Salon, count: number): Promise<string[]> {
  const { random, openedMs: createdMs, special } = salon;
  const stylists = Array.from({ length: count }, (_, index) =>
    createSampleStylist(random, index, { createdMs, lunchMinute: special && toLunch(index) }),
  );
  await addAll(salon, 'stylists', stylists);
  return stylists.map(({ id }) => id);
}

/** Clients are created in the order of time. */
async function addClients(
  { add, accountId, random, regulars }: Salon,
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
      yield toStoredRow(accountId, 'clients', client);
    }
  }
  await add('clients', rows());
  return ids;
}

async function addAppointments(
  { add, accountId, random, todayMs, regulars, special }: Salon,
  bookings: readonly SampleBooking[],
  people: { clientIds: readonly string[]; stylistIds: readonly string[]; payments: SeededRandom },
): Promise<PaidVisit[]> {
  const paidVisits: PaidVisit[] = [];
  const checkOut = special === undefined ? (visit: PaidVisit) => [visit] : createCheckout(todayMs);
  function* rows() {
    for (const booking of bookings) {
      const clientId = people.clientIds[regulars.pick(random, booking)] ?? '';
      const stylistId = people.stylistIds[booking.stylist] ?? '';
      const appointment = toSampleAppointment(random, booking, { clientId, stylistId });
      const paidVisit = toPaidVisit(people.payments, appointment, todayMs);
      const visits = paidVisit === undefined ? [] : checkOut(paidVisit);
      paidVisits.push(...visits);
      const received = visits.map((visit) => toSamplePayment(visit, todayMs));
      appointment.paid_amount = toPaidAmount(received, null);
      if (special !== undefined) appointment.price = toSamplePrice(appointment, received, todayMs);
      yield toStoredRow(accountId, 'appointments', appointment);
    }
  }
  await add('appointments', rows());
  return paidVisits;
}

/** Payments are created as visits end, which is not the order of booking. */
async function addPayments({ add, accountId, todayMs }: Salon, visits: PaidVisit[]): Promise<void> {
  visits.sort((a, b) => a.paidMs - b.paidMs);
  function* rows() {
    for (const visit of visits) {
      const payment = toSamplePayment(visit, todayMs);
      yield { ...toStoredRow(accountId, 'payments', payment), stylist_id: visit.stylistId };
    }
  }
  await add('payments', rows());
}
