import type { Payment } from '../../contract/payment.ts';
import { toText } from '../people/names.ts';
import { type Grouping, paidStatuses } from './choices.ts';
import { createSpanFinder, joinSpans, toTimeGroups, wholePeriod } from './groups.ts';
import { toInstants } from './local-span.ts';
import { toMinorUnits } from './money.ts';
import { openPaidAppointments, type PaidEntry } from './paid-appointments.ts';
import { createStylistFilter, type ReportQuestion } from './question.ts';
import { toChangePercent } from './ratio.ts';
import type { FigureColumn, Report } from './report.ts';
import { toReportRows } from './report-rows.ts';
import { countUp, type ReportSource, renderLeftOut, toStatus } from './report-source.ts';
import { createTally, type Sums } from './tally.ts';

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
  const [groups, whole] = [toTimeGroups(grouping, period), wholePeriod(period)];
  const [tally, total] = [createTally(names, groups, zone), createTally(names, whole, zone)];
  const add = (entry: Parameters<typeof tally.add>[0]) => {
    tally.add(entry);
    total.add({ ...entry, key: null });
  };
  const span = toInstants(joinSpans([groups, whole]), zone);
  const leftOut = new Map<string, number>();
  const needsAppointments = grouping === 'stylist' || grouping === 'service' || stylists !== undefined;
  using paid = needsAppointments ? openPaidAppointments() : undefined;
  for await (const { appointmentId, ...entry } of readPayments(question, source, { ...span, leftOut })) {
    if (paid !== undefined && appointmentId !== '') paid.add(appointmentId, entry);
    else if (stylists === undefined) add({ ...entry, key: null });
  }
  const isWanted = createStylistFilter(question);
  await paid?.readAppointments(reader, span);
  let lost = 0;
  for (const { appointment, ...entry } of paid?.entries() ?? []) {
    if (appointment === undefined) lost += 1;
    if (stylists !== undefined && !isWanted(appointment?.stylistId ?? '')) continue;
    add({ ...entry, key: toKey(appointment, grouping) });
  }
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
    totals: toReportRows(total.rows(), { ...options, grouping: 'stylist', groups: whole }),
    notes: [
      'Revenue is sales less refunds, on the day the payment was recorded; tips are apart.',
      renderLeftOut(leftOut, 'payments') + suggestStatuses(question, leftOut),
      lost === 0 ? '' : `${lost} of the payments are for an appointment that the server does not list.`,
    ],
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
): AsyncGenerator<PaidEntry & { readonly appointmentId: string }, void> {
  const counted = new Set(statuses);
  const findInPeriod = createSpanFinder([period], zone);
  const list = reader.client.payments.list({
    created_from: new Date(startMs).toISOString(),
    created_to: new Date(endMs).toISOString(),
    ...(client === undefined ? {} : { client_id: client.id }),
  });
  for await (const payments of reader.read(list, 'payments')) {
    for (const payment of payments) {
      const atMs = Date.parse(payment.created_at);
      const status = toStatus(payment.status);
      if (Number.isNaN(atMs)) reader.skip('payments without a valid time (created_at)');
      else if (status === '' || counted.has(status)) {
        const appointmentId = toText(payment.appointment_id);
        yield { appointmentId, atMs, currency: toText(payment.currency), sums: toSums(payment) };
      } else if (findInPeriod(atMs) === 0) countUp(leftOut, status);
    }
  }
}

/** A refund is taken from the sale first; what is more comes from the tip. */
function toSums({ id, amount, tip_amount, refunded_amount }: Payment): Sums<Name> {
  const sales = toMinorUnits(amount, { id, field: 'amount' });
  const tip = toMinorUnits(tip_amount, { id, field: 'tip_amount' });
  const refunded = toMinorUnits(refunded_amount, { id, field: 'refunded_amount' });
  const fromTip = refunded > sales ? refunded - sales : 0n;
  return { payments: 1n, sales, refunds: refunded - fromTip, tips: tip - fromTip };
}

function toKey(
  appointment: { readonly stylistId: string; readonly service: string } | undefined,
  grouping: Grouping,
): string | null {
  if (grouping !== 'stylist' && grouping !== 'service') return null;
  return (grouping === 'service' ? appointment?.service : appointment?.stylistId) ?? null;
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
