import { foldStatus } from '../../client/appointment-status.ts';
import { toAppointmentQuery } from '../../client/read-appointment.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import type { Payment } from '../../contract/payment.ts';
import { dayMs, type TimeSpan } from '../../time/time.ts';
import { toText } from '../people/names.ts';
import { toChangePercent, toMinorUnits } from './exact-numbers.ts';
import { countUp, type RecordReader, type ReportInput, renderLeftOut } from './read-records.ts';
import type { Report, ReportColumn } from './report.ts';
import {
  type Grouping,
  isNamed,
  matchStylists,
  paidStatuses,
  type ReportQuestion,
} from './report-question.ts';
import { type CountedRecord, createReportCounters, type Sums, toReport } from './report-rows.ts';
import { createSpanFinder } from './time-groups.ts';

const names = ['payments', 'sales', 'refunds', 'tips'] as const;
type Name = (typeof names)[number];

/** Other statuses of the contract. */
const unpaidStatuses: readonly string[] = ['pending', 'failed', 'cancelled'];

const columns: readonly ReportColumn[] = [
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
export async function reportRevenue(input: ReportInput): Promise<Report> {
  const { grouping, stylistIds, reader } = input;
  const counters = createReportCounters(names, input);
  const { span } = counters;
  const leftOut = new Map<string, number>();
  const needsAppointments = grouping === 'stylist' || grouping === 'service' || stylistIds !== undefined;
  using paid = needsAppointments ? openPaidAppointments() : undefined;
  for await (const payment of readPayments(input, span, leftOut)) {
    if (paid !== undefined && payment.appointmentId !== '') paid.add(payment);
    else if (stylistIds === undefined) counters.add(payment);
  }
  const isWanted = matchStylists(stylistIds);
  await paid?.readAppointments(reader, span);
  let lost = 0;
  for (const record of paid?.records(grouping) ?? []) {
    if (record.stylistId === null) lost += 1;
    if (isWanted(record.stylistId ?? '')) counters.add(record);
  }
  const suggestion = suggestStatuses(input, leftOut);
  const omitted = renderLeftOut(leftOut, 'payments') + suggestion;
  const outline = {
    name: 'Revenue',
    names,
    columns,
    measure: 'revenue',
    restLabel: 'No appointment',
    toValues,
    notes: [
      'Revenue is sales less refunds, on the day the payment was recorded. Tips are not included.',
      omitted,
      lost === 0 ? '' : `${lost} of the payments are for an appointment that the server does not list.`,
    ],
    warning: suggestion === '' ? undefined : omitted,
  };
  const counted = counters.count();
  if (grouping === 'client') await input.loadClientNames(counted.rows.flatMap(({ key }) => key || []));
  return toReport(outline, counted, input);
}

/** Reads the payments of a span, and counts those of the period with other statuses. */
async function* readPayments(
  { clientId, period, grouping, statuses = paidStatuses, reader, zone }: ReportInput,
  span: TimeSpan,
  leftOut: Map<string, number>,
): AsyncGenerator<PaidRecord, void> {
  const counted = new Set(statuses);
  const findInPeriod = createSpanFinder([period], zone);
  const list = reader.client.payments.list({
    created_from: new Date(span.startMs).toISOString(),
    created_to: new Date(span.endMs).toISOString(),
    ...(clientId === undefined ? {} : { client_id: clientId }),
  });
  for await (const payments of reader.read(list, 'payments')) {
    for (const payment of payments) {
      const atMs = Date.parse(payment.created_at);
      const status = foldStatus(payment.status);
      if (Number.isNaN(atMs)) reader.skip('payments without a valid time (created_at)');
      else if (status === '' || counted.has(status)) {
        const appointmentId = toText(payment.appointment_id);
        const currency = toText(payment.currency);
        const key = grouping === 'client' ? toText(payment.client_id) : null;
        yield { key, appointmentId, atMs, currency, sums: toSums(payment) };
      } else if (findInPeriod(atMs) === 0) countUp(leftOut, status);
    }
  }
}

/** A refund is taken from the sale first; what is more comes from the tip. */
function toSums({ id, amount, tip_amount, refunded_amount }: Payment): PaidRecord['sums'] {
  const sales = toMinorUnits(amount, { id, field: 'amount' });
  const tips = toMinorUnits(tip_amount, { id, field: 'tip_amount' });
  const refunds = toMinorUnits(refunded_amount, { id, field: 'refunded_amount' });
  if (refunds <= sales) return { payments: 1n, sales, refunds, tips };
  return { payments: 1n, sales, refunds: sales, tips: tips - (refunds - sales) };
}

function toValues(sums: Sums<Name>, before: Sums<Name>) {
  const [revenue, revenueBefore] = [sums.sales - sums.refunds, before.sales - before.refunds];
  const change = revenue - revenueBefore;
  const change_percent = toChangePercent(revenue, revenueBefore);
  return { ...sums, revenue, revenue_before: revenueBefore, change, change_percent };
}

/** A server may have other statuses for what was paid. */
function suggestStatuses(
  { statuses = paidStatuses }: ReportQuestion,
  leftOut: ReadonlyMap<string, number>,
): string {
  const own = [...leftOut.keys()].filter((status) => ![...paidStatuses, ...unpaidStatuses].includes(status));
  return own.length === 0 ? '' : ` To count others: --status ${[...statuses, ...own].join(',')}`;
}

/** A payment with its amounts. */
interface PaidRecord extends CountedRecord<Name> {
  readonly appointmentId: string;
  readonly currency: string;
  readonly sums: Sums<Name>;
}

/** Amounts are text, because they may be larger than any integer of SQLite. */
const schema = `
  CREATE TABLE payment (appointment TEXT, client TEXT, at INTEGER, currency TEXT, sales TEXT, refunds TEXT, tips TEXT);
  CREATE TABLE appointment (id TEXT PRIMARY KEY, stylist TEXT, service TEXT) WITHOUT ROWID;
`;

/** Days before and after the payments in which their appointments are looked for, one after the other. */
const marginsInDays = [2, 60, Number.POSITIVE_INFINITY];

/** Joins payments with their appointments in a temporary database, so that memory does not grow with them. */
function openPaidAppointments() {
  const database = openTempDatabase(schema);
  const addPayment = database.prepare('INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?)');
  const addAppointment = database.prepare('INSERT OR IGNORE INTO appointment VALUES (?, ?, ?)');
  const countMissing = database.prepare(
    'SELECT count(*) AS count FROM payment LEFT JOIN appointment ON id = appointment WHERE id IS NULL',
  );
  return {
    add({ key, appointmentId, atMs, currency, sums: { sales, refunds, tips } }: PaidRecord) {
      addPayment.run(appointmentId, key, atMs, currency, String(sales), String(refunds), String(tips));
    },
    /** Reads lists of appointments until each one that was paid is found, those near the payments first. */
    async readAppointments(reader: RecordReader, { startMs, endMs }: TimeSpan) {
      for (const days of marginsInDays) {
        if (Number(countMissing.get()?.['count']) === 0) return;
        const around = { startMs: startMs - days * dayMs, endMs: endMs + days * dayMs };
        const list = reader.client.appointments.list(Number.isFinite(days) ? toAppointmentQuery(around) : {});
        for await (const appointments of reader.read(list, 'appointments')) {
          for (const { id, stylist_id, service } of appointments) {
            addAppointment.run(toText(id), toText(stylist_id), toText(service));
          }
        }
      }
    },
    *records(grouping: Grouping) {
      const key = isNamed(grouping) ? grouping : 'NULL';
      const select = database.prepare(
        `SELECT stylist AS stylistId, ${key} AS key, at AS atMs, currency, sales, refunds, tips
        FROM payment LEFT JOIN appointment ON id = appointment`,
      );
      for (const row of select.iterate() as Iterable<unknown>) {
        const { sales, refunds, tips, ...record } = row as StoredPayment;
        const amounts = { sales: BigInt(sales), refunds: BigInt(refunds), tips: BigInt(tips) };
        yield { ...record, sums: { payments: 1n, ...amounts } };
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}

interface StoredPayment extends Record<'sales' | 'refunds' | 'tips' | 'currency', string> {
  readonly stylistId: string | null;
  readonly key: string | null;
  readonly atMs: number;
}
