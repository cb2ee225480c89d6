import { freesSlot } from '../../client/appointment-status.ts';
import type { AppointmentFacts } from '../../client/read-appointment.ts';
import { countOf } from '../../text/numbers.ts';
import { startOfDay } from '../../time/local-days.ts';
import type { LocalSpan } from '../../time/periods.ts';
import { subtractSpans } from '../../time/spans.ts';
import { dayMs, minuteMs, type TimeSpan, type ZoneClock } from '../../time/time.ts';
import type { WeekHours } from '../../time/week-hours.ts';
import { readOpeningHours, type StylistHours } from '../availability/opening-hours.ts';
import { readBlockedSpans, salonFacts } from '../availability/salon-facts.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toChangePercent, toPercent, toPoints } from './exact-numbers.ts';
import { type ReportInput, readBookedVisits } from './read-records.ts';
import type { Report, ReportColumn } from './report.ts';
import { matchStylists } from './report-question.ts';
import { createReportCounters, type RowContext, type Sums, toReport } from './report-rows.ts';
import { createSpanFinder, toInstants } from './time-groups.ts';

const names = ['appointments', 'booked_minutes'] as const;
type Name = (typeof names)[number];

const columns: readonly ReportColumn[] = [
  { key: 'appointments', heading: 'Appointments', kind: 'count', rank: 4 },
  { key: 'booked_minutes', heading: 'Booked', kind: 'minutes', rank: 1 },
  { key: 'opening_minutes', heading: 'Open', kind: 'minutes', rank: 1 },
  { key: 'utilisation_percent', heading: 'Utilisation', kind: 'percent', rank: 0 },
  { key: 'utilisation_percent_before', heading: 'Before', kind: 'percent', rank: 2 },
  { key: 'change_points', heading: 'Difference', kind: 'points', rank: 3 },
  { key: 'change_percent', heading: 'Change', kind: 'change', rank: 0 },
];

/** Booked time out of opening time. */
export async function reportUtilisation(input: ReportInput, context: CommandContext): Promise<Report> {
  const { period, grouping, stylistIds, zone } = input;
  const counters = createReportCounters(names, input);
  const opening = await readOpeningTime(context, counters.span, zone);
  const open = [...opening.stylistIds].filter(matchStylists(stylistIds));
  const { startMs } = toInstants(period, zone);
  // Stylists without a booking have a row, too.
  const seeds = grouping === 'stylist' ? open : grouping === 'service' ? [] : [null];
  for (const key of seeds) counters.add({ key, atMs: startMs, sums: {} });
  const findInPeriod = createSpanFinder([period], zone);
  let withoutHours = 0;
  const needs = ({ status }: AppointmentFacts) => (freesSlot(status) ? [] : (['duration'] as const));
  for await (const visit of readBookedVisits(input, { ...counters.span, needs })) {
    const { key, startMs: atMs, status, stylistId, minutes } = visit;
    if (freesSlot(status)) continue;
    if (opening.stylistIds.has(stylistId)) {
      counters.add({ key, atMs, sums: { appointments: 1, booked_minutes: minutes } });
    } else if (findInPeriod(atMs) === 0) withoutHours += 1;
  }
  const outline = {
    name: 'Utilisation',
    names,
    columns,
    measure: 'utilisation_percent',
    toValues(sums: Sums<Name>, before: Sums<Name>, { key, span, spanBefore }: RowContext) {
      // The opening time of one stylist, or of all for a row that is not a stylist's.
      const ids = grouping === 'stylist' && key !== null ? [key] : open;
      const [minutes, minutesBefore] = [opening.minutesIn(ids, span), opening.minutesIn(ids, spanBefore)];
      const percent = toPercent(sums.booked_minutes, minutes);
      const percentBefore = toPercent(before.booked_minutes, minutesBefore);
      return {
        ...sums,
        opening_minutes: minutes,
        utilisation_percent: percent,
        utilisation_percent_before: percentBefore,
        change_points: toPoints(percent, percentBefore),
        // The ratio of two ratios, without rounding in between.
        change_percent: toChangePercent(sums.booked_minutes * minutesBefore, before.booked_minutes * minutes),
      };
    },
    notes: [
      'Utilisation is the share of opening time that is booked; blocked time is not open. Cancelled appointments and no-shows do not count; a double booking counts twice.',
      opening.note,
      withoutHours === 0
        ? ''
        : `Left out: ${countOf(withoutHours, 'appointments')} with stylists who are not active, so that they have no opening time.`,
    ],
  };
  return toReport(outline, counters.count(), input);
}

/** Reads the opening hours of all active stylists; without a list of stylists, of those with recent appointments. */
async function readOpeningTime(context: CommandContext, period: TimeSpan, { wall }: ZoneClock) {
  const facts = salonFacts(context);
  const own = await facts.ownStylist().catch(() => undefined);
  const listed = (await facts.stylists())?.filter(({ active }) => active);
  const found = listed ?? (await findInVisits(facts));
  const stylists = found.filter(({ id }) => own === undefined || id === own);
  const hours = await readOpeningHours(context, stylists);
  const blocks = (await readBlockedSpans(context, period)).map(({ stylistId, startMs, endMs }) => {
    return { stylistId, startMs: wall(startMs), endMs: wall(endMs) };
  });
  const count = (id: string, span: LocalSpan) => {
    const blocked = blocks.filter(({ stylistId }) => stylistId === null || stylistId === id);
    return countMinutes(hours.get(id)?.week ?? [], span, blocked);
  };
  return {
    /** Stylists with opening hours: the active ones. */
    stylistIds: new Set(hours.keys()),
    /** Minutes by the clock on the wall. */
    minutesIn: (stylistIds: readonly string[], span: LocalSpan) =>
      BigInt(stylistIds.reduce((sum, id) => sum + count(id, span), 0)),
    /** Where the hours come from. */
    note: describeSources([...hours.values()]),
  };
}

async function findInVisits({ pastVisits }: ReturnType<typeof salonFacts>) {
  const ids = new Set((await pastVisits()).map(({ stylistId }) => stylistId));
  return Array.from(ids, (id) => ({ id }));
}

/** Minutes of opening hours that are not blocked. */
function countMinutes(week: WeekHours, { from, to }: LocalSpan, blocked: readonly TimeSpan[]): number {
  let minutes = 0;
  for (let day = startOfDay(from); day < to; day += dayMs) {
    const hours = week[new Date(day).getUTCDay()] ?? [];
    const open = hours.map(({ startMs, endMs }) => ({
      startMs: Math.max(from, day + startMs),
      endMs: Math.min(to, day + endMs),
    }));
    for (const { startMs, endMs } of subtractSpans(open, blocked))
      minutes += Math.round((endMs - startMs) / minuteMs);
  }
  return minutes;
}

const sources: Readonly<Record<StylistHours['source'], string>> = {
  stylist: "each stylist's own",
  salon: "the salon's (opening_hours)",
  learnt: 'learnt from the appointments of the past six weeks',
  assumed: 'assumed, since none are set and there are no recent appointments',
};

function describeSources(hours: readonly StylistHours[]): string {
  const bySource = Object.entries(Object.groupBy(hours, ({ source }) => source));
  if (bySource.length === 0) return 'No stylist has opening hours.';
  const parts = bySource.map(([source, some]) => {
    const text = sources[source as StylistHours['source']];
    return bySource.length === 1 ? text : `${text} (${some?.length} of ${hours.length} stylists)`;
  });
  return `Opening hours: ${parts.join('; ')}.`;
}
