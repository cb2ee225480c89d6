import { openTempDatabase } from '../../client/temp-database.ts';
import { foldStatus } from '../../contract/appointment.ts';
import type { Payment } from '../../contract/payment.ts';
import { dayMs, type TimeSpan } from '../../contract/time.ts';
import { toText } from '../people/names.ts';
import { type Grouping, paidStatuses } from './choices.ts';
import { createSpanFinder } from './groups.ts';
import { type Exact, subtract, toMinorUnits } from './money.ts';
import { createStylistFilter, type ReportQuestion } from './question.ts';
import { toChangePercent } from './ratio.ts';
import { countUp, type RecordReader, type ReportSource, renderLeftOut } from './read-records.ts';
import type { FigureColumn, Report } from './report.ts';
import { toReportRows } from './report-rows.ts';
import { createReportTally } from './report-tally.ts';
import type { Sums, TallyEntry } from './tally.ts';

const names = ['payments', 'sales', 'refunds', 'tips'] as const;
type Name = (typeof names)[number];

/** Other statuses of the contract. */
const unpaidStatuses: readonly string[] = ['pending', 'failed', 'cancelled'];

const columns: readonly FigureColumn[] = [
  { key: 'payments', heading: 'Payments', kind: 'count', rank: 5 },
  { key: 'sales', heading: 'Sales', kind: 'amount', rank: 2 },
  { key: 'refunds', heading: 'Refunds', kind: 'amount', rank: 1 },
  { key: 'revenue', heading: 'Revenue', kind: 'amount', rank: 0 },
  { key: 'tips', heading: 'Tips', kind: 'amount', rank: 1 },
  { key: 'revenue_before', heading: 'Before', kind: 'amount', rank: 3 },
  { key: 'change', heading: 'Difference', kind: 'amount', rank: 4 },
  { key: 'change_percent', heading: 'Change', kind: 'change', rank: 0 },
];

/** Payments recorded in a period. Those by stylist and service are found through the appointment that was paid. */
export async function reportRevenue(question: ReportQuestion, source: ReportSource): Promise<Report> {
  const { period, grouping, stylists } = question;
  const { reader, zone, timeZone } = source;
  const tally = createReportTally(names, question, zone);
  const { groups, whole, span } = tally;
  const leftOut = new Map<string, number>();
  const needsAppointments = grouping === 'stylist' || grouping === 'service' || stylists !== undefined;
  using paid = needsAppointments ? openPaidAppointments() : undefined;
  for await (const payments of readPayments(question, source, { ...span, leftOut })) {
    for (const payment of payments) {
      if (paid !== undefined && payment.appointmentId !== '') paid.add(payment);
      else if (stylists === undefined) tally.add(payment);
    }
  }
  const isWanted = createStylistFilter(question);
  await paid?.readAppointments(reader, span);
  let lost = 0;
  for (const entry of paid?.entries(grouping) ?? []) {
    if (entry.stylistId === null) lost += 1;
    if (stylists === undefined || isWanted(entry.stylistId ?? '')) tally.add(entry);
  }
  const suggestion = suggestStatuses(question, leftOut);
  const omitted = renderLeftOut(leftOut, 'payments') + suggestion;
  const options = { ...source, names, measure: 'revenue', restLabel: 'No appointment', toFigures };
  return {
    name: 'Revenue',
    grouping,
    period,
    before: period.before,
    timeZone,
    columns,
    measure: 'revenue',
    rows: toReportRows(tally.rows(), { ...options, grouping, groups }),
    totals: toReportRows(tally.totals(), { ...options, grouping: 'stylist', groups: whole }),
    notes: [
      'Revenue is sales less refunds, on the day the payment was recorded. Tips are not included.',
      omitted,
      lost === 0 ? '' : `${lost} of the payments are for an appointment that the server does not list.`,
    ],
    warning: suggestion === '' ? undefined : omitted,
  };
}

interface PaymentRange {
  readonly startMs: number;
  readonly endMs: number;
  /** Receives the statuses that are not counted. */
  readonly leftOut: Map<string, number>;
}

async function* readPayments(
  { client, period, statuses = paidStatuses }: ReportQuestion,
  { reader, zone }: ReportSource,
  { startMs, endMs, leftOut }: PaymentRange,
): AsyncGenerator<readonly PaidEntry[], void> {
  const counted = new Set(statuses);
  const findInPeriod = createSpanFinder([period], zone);
  const list = reader.client.payments.list({
    created_from: new Date(startMs).toISOString(),
    created_to: new Date(endMs).toISOString(),
    ...(client === undefined ? {} : { client_id: client.id }),
  });
  for await (const payments of reader.read(list, 'payments')) {
    const entries: PaidEntry[] = [];
    for (const payment of payments) {
      const atMs = Date.parse(payment.created_at);
      const status = foldStatus(payment.status);
      if (Number.isNaN(atMs)) reader.skip('payments without a valid time (created_at)');
      else if (status === '' || counted.has(status)) {
        const appointmentId = toText(payment.appointment_id);
        const currency = toText(payment.currency);
        entries.push({ key: null, appointmentId, atMs, currency, sums: toSums(payment) });
      } else if (findInPeriod(atMs) === 0) countUp(leftOut, status);
    }
    yield entries;
  }
}

/** A refund is taken from the sale first; what is more comes from the tip. */
function toSums({ id, amount, tip_amount, refunded_amount }: Payment): PaidEntry['sums'] {
  const sales = toMinorUnits(amount, { id, field: 'amount' });
  const tip = toMinorUnits(tip_amount, { id, field: 'tip_amount' });
  const refunded = toMinorUnits(refunded_amount, { id, field: 'refunded_amount' });
  if (refunded <= sales) return { payments: 1, sales, refunds: refunded, tips: tip };
  return { payments: 1, sales, refunds: sales, tips: subtract(tip, subtract(refunded, sales)) };
}

function toFigures(sums: Sums<Name>, before: Sums<Name>) {
  const [revenue, revenueBefore] = [sums.sales - sums.refunds, before.sales - before.refunds];
  const change = revenue - revenueBefore;
  const change_percent = toChangePercent(revenue, revenueBefore);
  return { ...sums, revenue, revenue_before: revenueBefore, change, change_percent };
}

/** A server may have statuses of its own for what was paid. */
function suggestStatuses(
  { statuses = paidStatuses }: ReportQuestion,
  leftOut: ReadonlyMap<string, number>,
): string {
  const own = [...leftOut.keys()].filter((status) => ![...paidStatuses, ...unpaidStatuses].includes(status));
  return own.length === 0 ? '' : ` To count others: --status ${[...statuses, ...own].join(',')}`;
}

type PaidSum = 'payments' | 'sales' | 'refunds' | 'tips';

/** A payment with its figures. */
interface PaidEntry extends TallyEntry<PaidSum> {
  readonly appointmentId: string;
  readonly sums: Readonly<Record<PaidSum, Exact>>;
}

/** A payment under the stylist or service of its appointment. */
interface JoinedEntry extends TallyEntry<PaidSum> {
  /** Null if the appointment was not found. */
  readonly stylistId: string | null;
}

/** Joins payments with their appointments in a temporary database, so that memory does not grow with them. */
interface PaidAppointments extends Disposable {
  add(payment: PaidEntry): void;
  /** Reads lists of appointments until each one that was paid is found, those near the payments first. */
  readAppointments(reader: RecordReader, span: TimeSpan): Promise<void>;
  entries(grouping: Grouping): IterableIterator<JoinedEntry>;
}

const schema = `
  CREATE TABLE payment (appointment TEXT, at, currency TEXT, sales, refunds, tips);
  CREATE TABLE appointment (id TEXT PRIMARY KEY, stylist TEXT, service TEXT) WITHOUT ROWID;
`;

/** Days before and after the payments in which their appointments are looked for, one after the other. */
const marginsInDays = [2, 60, Number.POSITIVE_INFINITY];

function openPaidAppointments(): PaidAppointments {
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
