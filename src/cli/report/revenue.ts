import { countOf } from '../../contract/numbers.ts';
import type { Payment } from '../../contract/payment.ts';
import type { ZoneClock } from '../../contract/time.ts';
import { toText } from '../people/names.ts';
import { type Grouping, joinSpans, toTimeGroups, wholePeriod } from './groups.ts';
import { toInstants } from './local-span.ts';
import { toMinorUnits } from './money.ts';
import { openPaidAppointments } from './paid-appointments.ts';
import { createStylistFilter, type ReportQuestion } from './question.ts';
import { toChangePercent } from './ratio.ts';
import type { RecordReader } from './read-records.ts';
import type { FigureColumn, Report } from './report.ts';
import { toReportRows } from './report-rows.ts';
import { createTally, type Sums } from './tally.ts';

export interface ReportSource {
  readonly reader: RecordReader;
  readonly timeZone: string;
  readonly zone: ZoneClock;
  readonly now: Date;
  /** Names of stylists by ID. */
  readonly stylistNames: ReadonlyMap<string, string>;
}

const names = ['payments', 'sales', 'refunds', 'tips'] as const;
type Name = (typeof names)[number];

export const revenueStatuses = ['completed'] as const;
/** Statuses of the contract that are no revenue. */
const unpaid: ReadonlySet<string> = new Set(['pending', 'failed', 'cancelled']);

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
  const { period, grouping, client, statuses = revenueStatuses } = question;
  const { reader, zone } = source;
  const groups = toTimeGroups(grouping, period);
  const whole = wholePeriod(period);
  const [tally, total] = [createTally(names, groups, zone), createTally(names, whole, zone)];
  const span = toInstants(joinSpans([groups, whole]), zone);
  const periodSpan = toInstants(period, zone);
  const needsAppointment =
    grouping === 'stylist' || grouping === 'service' || question.stylists !== undefined;
  using paid = needsAppointment ? openPaidAppointments() : undefined;
  const others = new Map<string, number>();
  const query = {
    created_from: new Date(span.startMs).toISOString(),
    created_to: new Date(span.endMs).toISOString(),
    ...(client === undefined ? {} : { client_id: client.id }),
  };
  const list = reader.client.payments.list(query);
  for await (const payments of reader.read(list, 'payments')) {
    for (const payment of payments) {
      const atMs = Date.parse(payment.created_at);
      if (Number.isNaN(atMs)) {
        reader.skip('payments without a valid time (created_at)');
        continue;
      }
      if (!isCounted(payment, statuses)) {
        const isInPeriod = atMs >= periodSpan.startMs && atMs < periodSpan.endMs;
        if (isInPeriod) others.set(payment.status, (others.get(payment.status) ?? 0) + 1);
        continue;
      }
      const entry = { atMs, currency: toText(payment.currency), sums: toSums(payment) };
      const appointment = toText(payment.appointment_id);
      if (paid !== undefined) {
        if (appointment !== '') paid.add(appointment, entry);
        else if (question.stylists === undefined) addEntry({ ...entry, key: null });
        continue;
      }
      addEntry({ ...entry, key: null });
    }
  }
  if (paid !== undefined) {
    const isWanted = createStylistFilter(question);
    await paid.readAppointments(reader, span);
    for (const { appointment, ...entry } of paid.entries()) {
      if (question.stylists !== undefined && !isWanted(appointment?.stylistId ?? '')) continue;
      addEntry({ ...entry, key: toKey(appointment, grouping) });
    }
  }

  function addEntry(entry: Parameters<typeof tally.add>[0]): void {
    tally.add(entry);
    total.add({ ...entry, key: null });
  }

  const toFigures = (sums: Sums<Name>, before: Sums<Name>) => {
    const [revenue, revenueBefore] = [sums.sales - sums.refunds, before.sales - before.refunds];
    return {
      ...sums,
      revenue,
      revenue_before: revenueBefore,
      change: revenue - revenueBefore,
      change_percent: toChangePercent(revenue, revenueBefore),
    };
  };
  const options = { ...source, names, measure: 'revenue', restLabel: 'No appointment', toFigures };
  return {
    name: 'Revenue',
    grouping,
    period,
    before: period.before,
    timeZone: source.timeZone,
    columns,
    measure: 'revenue',
    rows: toReportRows(tally.rows(), { ...options, grouping, groups }),
    totals: toReportRows(total.rows(), { ...options, grouping: 'stylist', groups: whole }),
    notes: [
      `Revenue is sales less refunds, counted on the day the payment was recorded; tips are apart.`,
      ...toOtherNote(others, statuses),
    ],
  };
}

function isCounted({ status }: Payment, statuses: readonly string[]): boolean {
  return status === undefined || status === null || statuses.includes(status);
}

/** A refund is taken from the sale first; what is more comes from the tip. */
function toSums({ id, amount, tip_amount, refunded_amount }: Payment): Sums<Name> {
  const sales = toMinorUnits(amount, { id, field: 'amount' });
  const tip = toMinorUnits(tip_amount, { id, field: 'tip_amount' });
  const refunded = toMinorUnits(refunded_amount, { id, field: 'refunded_amount' });
  const refunds = refunded < sales ? refunded : sales;
  return { payments: 1n, sales, refunds, tips: tip - (refunded - refunds) };
}

function toKey(
  appointment: { readonly stylistId: string; readonly service: string } | undefined,
  grouping: Grouping,
): string | null {
  if (grouping !== 'stylist' && grouping !== 'service') return null;
  return (grouping === 'service' ? appointment?.service : appointment?.stylistId) ?? null;
}

function toOtherNote(others: ReadonlyMap<string, number>, statuses: readonly string[]): readonly string[] {
  if (others.size === 0) return [];
  const parts = [...others].sort().map(([status, count]) => `${countOf(count, 'payments')} ${status}`);
  const unknown = [...others.keys()].filter(
    (status) => !unpaid.has(status) && !revenueStatuses.includes(status as never),
  );
  const hint =
    unknown.length === 0 ? '' : ` Count them with --status ${[...statuses, ...unknown].join(',')}.`;
  return [`Not counted: ${parts.join(', ')}.${hint}`];
}
