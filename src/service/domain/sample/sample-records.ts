import type { Appointment } from '../../../contract/appointment.ts';
import { SalonError } from '../../../contract/errors.ts';
import { toPaidAmount } from '../../../contract/payment.ts';
import { startOfDay } from '../../../time/local-days.ts';
import { createZoneClock, dayMs, toUtcText } from '../../../time/time.ts';
import type { NewRow } from '../../db/record-rows.ts';
import type { readLastPositions } from '../../db/records/records.ts';
import { type RecordTypes, toStoredRow } from '../records.ts';
import { createRegulars, planVisits, toSampleAppointment, toSampleBooking } from './sample-calendar.ts';
import { planShifts, planSpecialDays } from './sample-hours.ts';
import {
  createCheckout,
  type PaidVisit,
  toPaidVisit,
  toSamplePayment,
  toSamplePrice,
} from './sample-payments.ts';
import { createSampleClients, createSampleStylist } from './sample-people.ts';
import { createSeededRandom, toRecordTimes } from './sample-random.ts';
import sample from './sample-salon.json' with { type: 'json' };

/** What decides on the records, kept in the database until all of them are there. */
export interface SamplePlan {
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
  /** Existing records change the source, so that the same seed never creates the same IDs twice. */
  readonly last: Awaited<ReturnType<typeof readLastPositions>>;
}

type SampleList =
  | 'stylists'
  | 'clients'
  | 'appointments'
  | 'payments'
  | 'services'
  | 'blocked_times'
  | 'waitlist_entries';

const defaultStylists = 12;
/** Six visits on 5 days of 52 weeks. */
const visitsPerStylistInTenYears = 10 * 52 * 5 * 6;
/** The first client is this much older than the first day of the calendar. */
const headStartMs = 40 * dayMs;

/** The rows of a sample salon, list after list: each is read before the next is asked for. Throws `usage`. */
export function* createSampleRecords(
  accountId: string,
  plan: SamplePlan,
): Generator<{ readonly collection: SampleList; readonly rows: Iterable<NewRow<SampleList>> }> {
  const { clients, appointments, seed, today, timeZone = 'UTC', last } = plan;
  const needed = Math.ceil(appointments / visitsPerStylistInTenYears);
  const stylists = plan.stylists ?? Math.max(defaultStylists, needed);
  if (appointments > 0 && (clients === 0 || stylists === 0)) {
    const message = 'Sample appointments need sample clients and stylists.';
    throw new SalonError('usage', message, { hint: 'Choose at least one of each.' });
  }
  const special = plan.extras ? planSpecialDays(today, timeZone, stylists) : undefined;
  const shifts =
    appointments > 0 ? planShifts({ visits: appointments, stylists, today, timeZone, special }) : [];
  const todayMs = today.getTime();
  const openedMs = (shifts[0]?.openingMs ?? todayMs - 365 * dayMs) - headStartMs;
  if (openedMs < 0) {
    const message = `${appointments} appointments for ${stylists} stylists would start before 1970.`;
    throw new SalonError('usage', message, { hint: 'Choose more stylists.' });
  }

  const source = [seed, { clients: last.clients, appointments: last.appointments, stylists: last.stylists }];
  const random = createSeededRandom(JSON.stringify(source));
  // Separate sources, so that payments and extras do not change the other records.
  const paymentRandom = createSeededRandom(JSON.stringify([...source, 'payments']));
  const extraRandom = createSeededRandom(JSON.stringify([...source, 'extras']));
  const regulars = createRegulars({ clients, stylists, openedMs, todayMs });
  const stylistIds: string[] = [];
  const clientIds: string[] = [];
  const paidVisits: PaidVisit[] = [];

  yield list('stylists', createStylists());
  yield list('clients', createClients());
  yield list('appointments', createAppointments());
  // Payments are created as visits end, which is not the order of booking.
  paidVisits.sort((a, b) => a.paidMs - b.paidMs);
  const payments = Iterator.from(paidVisits).map((visit) => ({
    ...toStoredRow(accountId, 'payments', toSamplePayment(visit, todayMs)),
    stylist_id: visit.stylistId,
  }));
  yield { collection: 'payments', rows: payments };
  if (special === undefined) return;
  const services = sample.services.map(({ name, duration, price }) => {
    const id = extraRandom.id('service', openedMs);
    return { id, name, duration, price, active: true, ...toRecordTimes(openedMs) };
  });
  yield list('services', services);
  const zone = createZoneClock(timeZone);
  const midnight = startOfDay(zone.wall(todayMs));
  const toDay = (day: number) => toUtcText(zone.earliest(midnight + day * dayMs));
  const blocks = special.map(({ stylist, from, to, reason, note }) => ({
    id: extraRandom.id('blocked_time', todayMs),
    stylist_id: stylist === null ? null : (stylistIds[stylist] ?? null),
    ...{ start_time: toDay(from), end_time: toDay(to), reason, note, ...toRecordTimes(todayMs) },
  }));
  yield list('blocked_times', blocks);
  const waiting = sample.waiting.map(({ client, service, days, note }) => ({
    id: extraRandom.id('waitlist_entry', todayMs),
    ...{ client_id: clientIds[client % clients] ?? '', service, stylist_id: null },
    ...{ from: toDay(days[0] ?? 0), to: toDay(days[1] ?? 0), note, status: 'waiting' as const },
    ...toRecordTimes(todayMs),
  }));
  if (clients > 0) yield list('waitlist_entries', waiting);

  function list<Name extends SampleList>(collection: Name, records: Iterable<RecordTypes[Name]>) {
    const rows = Iterator.from(records).map((record) => toStoredRow(accountId, collection, record));
    return { collection, rows };
  }

  function* createStylists() {
    for (let index = 0; index < stylists; index++) {
      const options = { createdMs: openedMs, hasLunch: special !== undefined };
      const stylist = createSampleStylist(random, index, options);
      stylistIds.push(stylist.id);
      yield stylist;
    }
  }

  function* createClients() {
    const options = { count: clients, joinedMs: regulars.joinedMs, stylistIds };
    for (const client of createSampleClients(random, options)) {
      clientIds.push(client.id);
      yield client;
    }
  }

  function* createAppointments(): Generator<Appointment> {
    const bookings = planVisits(random, shifts, appointments)
      .map((visit) => toSampleBooking(random, visit, todayMs))
      .toArray();
    bookings.sort((a, b) => a.createdMs - b.createdMs);
    const checkOut = special === undefined ? (visit: PaidVisit) => [visit] : createCheckout(todayMs);
    for (const booking of bookings) {
      const clientId = clientIds[regulars.pick(random, booking)] ?? '';
      const stylistId = stylistIds[booking.stylist] ?? '';
      const appointment = toSampleAppointment(random, booking, { clientId, stylistId });
      const paidVisit = toPaidVisit(paymentRandom, appointment, todayMs);
      const visits = paidVisit === undefined ? [] : checkOut(paidVisit);
      paidVisits.push(...visits);
      const received = visits.map((visit) => toSamplePayment(visit, todayMs));
      appointment.paid_amount = toPaidAmount(received, null);
      if (special !== undefined) appointment.price = toSamplePrice(appointment, received, todayMs);
      yield appointment;
    }
  }
}
