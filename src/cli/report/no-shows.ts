import type { Visit } from '../../client/read-appointment.ts';
import { countOf } from '../../contract/numbers.ts';
import { type BookedVisit, readBookedVisits } from './booked-time.ts';
import { createSpanFinder } from './groups.ts';
import type { ReportQuestion } from './question.ts';
import { toChangePercent, toPercent } from './ratio.ts';
import type { ReportSource } from './read-records.ts';
import type { FigureColumn, Report } from './report.ts';
import { toReportRows } from './report-rows.ts';
import { createReportTally } from './report-tally.ts';
import type { Sums } from './tally.ts';

const names = ['appointments', 'no_shows', 'cancelled', 'lost_minutes'] as const;
type Name = (typeof names)[number];

const columns: readonly FigureColumn[] = [
  { key: 'appointments', heading: 'Appointments', kind: 'count', rank: 2 },
  { key: 'no_shows', heading: 'No-shows', kind: 'count', rank: 0 },
  { key: 'no_show_percent', heading: 'Rate', kind: 'percent', rank: 0 },
  { key: 'no_shows_before', heading: 'Before', kind: 'count', rank: 3 },
  { key: 'no_show_percent_before', heading: 'Rate before', kind: 'percent', rank: 5 },
  { key: 'change', heading: 'Difference', kind: 'count', rank: 4 },
  { key: 'change_percent', heading: 'Change', kind: 'change', rank: 0 },
  { key: 'lost_minutes', heading: 'Lost time', kind: 'minutes', rank: 1 },
  { key: 'cancelled', heading: 'Cancelled', kind: 'count', rank: 2 },
];

/** Appointments that have begun and whose client did not come. */
export async function reportNoShows(question: ReportQuestion, source: ReportSource): Promise<Report> {
  const { period, grouping } = question;
  const { zone, timeZone, now } = source;
  const tally = createReportTally(names, question, zone);
  const { groups, whole, span } = tally;
  const findInPeriod = createSpanFinder([period], zone);
  let unmarked = 0;
  // What is still to come is neither kept nor missed.
  const isBegun = ({ startMs }: Visit) => startMs <= now.getTime();
  const needs = (visit: Visit) => {
    if (visit.status === 'no_show') return ['duration'] as const;
    return isBegun(visit) ? (['status'] as const) : [];
  };
  for await (const visit of readBookedVisits(question, source, { ...span, needs })) {
    if (!isBegun(visit)) continue;
    const { startMs: atMs, key, status } = visit;
    if (isUnmarked(status) && findInPeriod(atMs) === 0) unmarked += 1;
    tally.add({ key, atMs, sums: toSums(visit) });
  }
  const options = { ...source, names, measure: 'no_shows', restLabel: '', toFigures };
  return {
    name: 'No-shows',
    grouping,
    period,
    before: period.before,
    timeZone,
    columns,
    measure: 'no_shows',
    lessIsBetter: true,
    rows: toReportRows(tally.rows(), { ...options, grouping, groups }),
    totals: toReportRows(tally.totals(), { ...options, grouping: 'stylist', groups: whole }),
    notes: [
      'The rate is no-shows as a share of all appointments that have started. Cancelled ones are not included.',
      unmarked === 0
        ? ''
        : `${countOf(unmarked, 'appointments')} still pending or confirmed, although begun: counted as kept.`,
    ],
  };
}

function isUnmarked(status: string): boolean {
  return status === 'confirmed' || status === 'pending';
}

const kept = { appointments: 1 };
const cancelled = { cancelled: 1 };

function toSums({ status, minutes }: BookedVisit): Readonly<Partial<Record<Name, number>>> {
  if (status === 'cancelled') return cancelled;
  return status === 'no_show' ? { appointments: 1, no_shows: 1, lost_minutes: minutes } : kept;
}

function toFigures(sums: Sums<Name>, before: Sums<Name>) {
  return {
    ...sums,
    no_show_percent: toPercent(sums.no_shows, sums.appointments),
    no_shows_before: before.no_shows,
    no_show_percent_before: toPercent(before.no_shows, before.appointments),
    change: sums.no_shows - before.no_shows,
    change_percent: toChangePercent(sums.no_shows, before.no_shows),
  };
}
