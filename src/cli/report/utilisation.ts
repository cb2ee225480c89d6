import type { Visit } from '../../client/read-appointment.ts';
import { freesSlot } from '../../contract/appointment.ts';
import { countOf } from '../../contract/numbers.ts';
import type { LocalSpan } from '../flags/periods.ts';
import { readBookedVisits } from './booked-time.ts';
import { createSpanFinder, type TimeGroups } from './groups.ts';
import { toInstants } from './local-span.ts';
import type { OpeningTime } from './opening-time.ts';
import type { ReportQuestion } from './question.ts';
import { toChangePercent, toPercent } from './ratio.ts';
import type { ReportSource } from './read-records.ts';
import type { FigureColumn, Report } from './report.ts';
import { toReportRows } from './report-rows.ts';
import { createReportTally } from './report-tally.ts';
import type { Sums } from './tally.ts';

const names = ['appointments', 'booked_minutes'] as const;
type Name = (typeof names)[number];

const columns: readonly FigureColumn[] = [
  { key: 'appointments', heading: 'Appointments', kind: 'count', rank: 4 },
  { key: 'booked_minutes', heading: 'Booked', kind: 'minutes', rank: 1 },
  { key: 'opening_minutes', heading: 'Open', kind: 'minutes', rank: 1 },
  { key: 'utilisation_percent', heading: 'Utilisation', kind: 'percent', rank: 0 },
  { key: 'utilisation_percent_before', heading: 'Before', kind: 'percent', rank: 2 },
  { key: 'change_points', heading: 'Difference', kind: 'points', rank: 3 },
  { key: 'change_percent', heading: 'Change', kind: 'change', rank: 0 },
];

/** Booked time out of opening time. */
export async function reportUtilisation(
  question: ReportQuestion,
  source: ReportSource,
  opening: OpeningTime,
): Promise<Report> {
  const { period, grouping, stylists } = question;
  const { zone, timeZone } = source;
  const tally = createReportTally(names, question, zone);
  const { groups, whole, span } = tally;
  const wanted = stylists && new Set(stylists.map(({ id }) => id));
  const open = [...opening.stylistIds].filter((id) => wanted?.has(id) ?? true);
  const { startMs } = toInstants(period, zone);
  // Stylists without a booking have a row, too.
  const seeds = grouping === 'stylist' ? open : grouping === 'service' ? [] : [null];
  for (const key of seeds) tally.add({ key, atMs: startMs, sums: {} });
  const findInPeriod = createSpanFinder([period], zone);
  let withoutHours = 0;
  const needs = ({ status }: Visit) => (freesSlot(status) ? [] : (['duration'] as const));
  for await (const visit of readBookedVisits(question, source, { ...span, needs })) {
    const { key, startMs: atMs, status, stylistId, minutes } = visit;
    if (freesSlot(status)) continue;
    if (opening.stylistIds.has(stylistId)) {
      tally.add({ key, atMs, sums: { appointments: 1, booked_minutes: minutes } });
    } else if (findInPeriod(atMs) === 0) withoutHours += 1;
  }

  /** The opening time of one stylist, or of all for a row that is not a stylist's. */
  function openingIn(span: LocalSpan, stylistId: string | undefined): bigint {
    const ids = stylistId === undefined ? open : [stylistId];
    return ids.reduce((sum, id) => sum + opening.minutesIn(id, span), 0n);
  }
  const toFigures =
    ({ spans, befores }: TimeGroups, byStylist: boolean) =>
    (
      sums: Sums<Name>,
      before: Sums<Name>,
      { key, group }: { readonly key: string | null; readonly group: number },
    ) => {
      const stylistId = byStylist ? (key ?? '') : undefined;
      const [now, then] = [spans[group], befores[group]].map((span) =>
        span === undefined ? 0n : openingIn(span, stylistId),
      ) as [bigint, bigint];
      return toUtilisation(sums, before, { now, then });
    };
  const options = { ...source, names, measure: 'utilisation_percent', restLabel: '' };
  return {
    name: 'Utilisation',
    grouping,
    period,
    before: period.before,
    timeZone,
    columns,
    measure: 'utilisation_percent',
    rows: toReportRows(tally.rows(), {
      ...{ ...options, grouping, groups },
      toFigures: toFigures(groups, grouping === 'stylist'),
    }),
    totals: toReportRows(tally.totals(), {
      ...{ ...options, grouping: 'stylist', groups: whole },
      toFigures: toFigures(whole, false),
    }),
    notes: [
      'Utilisation is the share of opening time that is booked. Cancelled appointments and no-shows do not count; a double booking counts twice.',
      opening.note,
      withoutHours === 0
        ? ''
        : `Left out: ${countOf(withoutHours, 'appointments')} with stylists who are not active, so that they have no opening time.`,
    ],
  };
}

function toUtilisation(
  sums: Sums<Name>,
  before: Sums<Name>,
  { now, then }: { readonly now: bigint; readonly then: bigint },
) {
  const [percent, percentBefore] = [
    toPercent(sums.booked_minutes, now),
    toPercent(before.booked_minutes, then),
  ];
  return {
    ...sums,
    opening_minutes: now,
    utilisation_percent: percent,
    utilisation_percent_before: percentBefore,
    change_points:
      percent === null || percentBefore === null ? null : Math.round((percent - percentBefore) * 10) / 10,
    change_percent: toChangePercent(sums.booked_minutes * then, before.booked_minutes * now),
  };
}
