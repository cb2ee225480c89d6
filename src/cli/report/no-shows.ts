import type { AppointmentFacts } from '../../client/read-appointment.ts';
import { countOf } from '../../text/numbers.ts';
import { toChangePercent, toPercent } from './exact-numbers.ts';
import { type BookedVisit, type ReportInput, readBookedVisits } from './read-records.ts';
import type { Report, ReportColumn } from './report.ts';
import { createReportCounters, type Sums, toReport } from './report-rows.ts';
import { createSpanFinder } from './time-groups.ts';

const names = ['appointments', 'no_shows', 'cancelled', 'lost_minutes'] as const;
type Name = (typeof names)[number];

const columns: readonly ReportColumn[] = [
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

/** Appointments that have begun and whose client did not come, in rows with at least so many of them. */
export async function reportNoShows(input: ReportInput, least: number): Promise<Report> {
  const { zone, now, period, grouping } = input;
  const counters = createReportCounters(names, input);
  const findInPeriod = createSpanFinder([period], zone);
  let unmarked = 0;
  // What is still to come is neither kept nor missed.
  const isBegun = ({ startMs }: AppointmentFacts) => startMs <= now.getTime();
  const needs = (visit: AppointmentFacts) => {
    if (visit.status === 'no_show') return ['duration'] as const;
    return isBegun(visit) ? (['status'] as const) : [];
  };
  for await (const visit of readBookedVisits(input, { ...counters.span, needs })) {
    if (!isBegun(visit)) continue;
    const { startMs: atMs, key, status } = visit;
    const isUnmarked = status === 'confirmed' || status === 'pending';
    if (isUnmarked && findInPeriod(atMs) === 0) unmarked += 1;
    counters.add({ key, atMs, sums: toSums(visit) });
  }
  const outline = {
    name: 'No-shows',
    names,
    columns,
    measure: 'no_shows',
    lessIsBetter: true,
    toValues,
    notes: [
      least === 0 ? '' : `Only rows with at least ${countOf(least, 'no-shows')}; the total is of everybody.`,
      'The rate is no-shows as a share of all appointments that have started. Cancelled ones are not included.',
      unmarked === 0
        ? ''
        : `${countOf(unmarked, 'appointments')} still pending or confirmed, although begun: counted as kept.`,
    ],
  };
  const counted = counters.count();
  const rows = counted.rows.filter(({ sums }) => sums.no_shows >= BigInt(least));
  if (grouping === 'client') await input.loadClientNames(rows.flatMap(({ key }) => key || []));
  return toReport(outline, { ...counted, rows }, input);
}

function toSums({ status, minutes }: BookedVisit): Readonly<Partial<Record<Name, number>>> {
  if (status === 'cancelled') return { cancelled: 1 };
  if (status === 'no_show') return { appointments: 1, no_shows: 1, lost_minutes: minutes };
  return { appointments: 1 };
}

function toValues(sums: Sums<Name>, before: Sums<Name>) {
  return {
    ...sums,
    no_show_percent: toPercent(sums.no_shows, sums.appointments),
    no_shows_before: before.no_shows,
    no_show_percent_before: toPercent(before.no_shows, before.appointments),
    change: sums.no_shows - before.no_shows,
    change_percent: toChangePercent(sums.no_shows, before.no_shows),
  };
}
