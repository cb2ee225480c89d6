import type { AppointmentFacts } from '../../client/read-appointment.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import { visitStatuses } from '../../contract/appointment.ts';
import { countOf } from '../../text/numbers.ts';
import { startOfDay } from '../../time/local-days.ts';
import type { LocalSpan } from '../../time/periods.ts';
import { dayMs } from '../../time/time.ts';
import { toChangePercent, toPercent, toPoints } from './exact-numbers.ts';
import { countUp, type ReportInput, readBookedVisits, renderLeftOut } from './read-records.ts';
import type { Report, ReportColumn } from './report.ts';
import { matchStylists } from './report-question.ts';
import { type CountedRow, type Sums, toReport, zeros } from './report-rows.ts';
import {
  createSpanFinder,
  joinSpans,
  type TimeGroups,
  toInstants,
  toTimeGroups,
  wholePeriod,
} from './time-groups.ts';

const names = ['clients', 'returned', 'open'] as const;
type Name = (typeof names)[number];

const columns: readonly ReportColumn[] = [
  { key: 'clients', heading: 'Clients', kind: 'count', rank: 0 },
  { key: 'returned', heading: 'Came back', kind: 'count', rank: 1 },
  { key: 'open', heading: 'Open', kind: 'count', rank: 2 },
  { key: 'retention_percent', heading: 'Retention', kind: 'percent', rank: 0 },
  { key: 'retention_percent_before', heading: 'Before', kind: 'percent', rank: 2 },
  { key: 'change_points', heading: 'Difference', kind: 'points', rank: 1 },
  { key: 'change_percent', heading: 'Change', kind: 'change', rank: 0 },
];

/** Clients by their first visit of all. */
const firstOfAll = `SELECT client, key, day FROM (SELECT client, key, counts, min(day) AS day FROM visit GROUP BY client)
  WHERE counts = 1 AND day >= ?3 AND day < ?4`;
const firstInSpan = (key: string) => `SELECT client, ${key} AS key, min(day) AS day FROM visit
  WHERE counts = 1 AND day >= ?3 AND day < ?4 GROUP BY client, ${key}`;

const schema = 'CREATE TABLE visit (client TEXT, key TEXT, day INTEGER, counts INTEGER)';
const indexes = 'CREATE INDEX visit_client ON visit (client, day); CREATE INDEX visit_day ON visit (day)';
const newClientColumns = columns.map((column) =>
  column.key === 'clients' ? { ...column, heading: 'New clients' } : column,
);

/** Clients by what they came for, with their first visit in a span and whether they came back in time. */
const count = (key: string, first: string) => `
  SELECT ${key} AS key, count(*) AS clients, sum(isBack) AS returned, sum(NOT isBack AND day + ?1 >= ?2) AS open
  FROM (
    SELECT ${key} AS key, first.day AS day,
      EXISTS (SELECT 1 FROM visit AS next WHERE next.client = first.client AND next.day > first.day
        AND next.day <= first.day + ?1) AS isBack
    FROM (${first}) AS first
  )
  GROUP BY ${key}`;

/** Clients who visited in a period, and those of them who came back on a later day, within some days. */
export async function reportRetention(
  input: ReportInput,
  { withinDays, isNew }: { readonly withinDays: number; readonly isNew: boolean },
): Promise<Report> {
  const { period, grouping, statuses = visitStatuses, zone } = input;
  const nowMs = input.now.getTime();
  const [groups, whole] = [toTimeGroups(grouping, period), wholePeriod(period)];
  const all = joinSpans([groups, whole]);
  const today = startOfDay(zone.wall(nowMs));
  const readTo = Math.max(all.from, Math.min(all.to + withinDays * dayMs, today + dayMs));
  using database = openTempDatabase(schema);
  const addVisit = database.prepare('INSERT INTO visit VALUES (?, ?, ?, ?)');
  const toDay = (wallMs: number) => Math.floor((wallMs - all.from) / dayMs);
  const findInPeriod = createSpanFinder([period], zone);
  const isCounted = matchStylists(input.stylistIds);
  const visits = new Set<string>(statuses);
  const leftOut = new Map<string, number>();
  // Somebody who comes back to another stylist has come back.
  const everybody = { ...input, stylistIds: undefined };
  const span = toInstants({ from: all.from, to: readTo }, zone);
  const read = isNew ? { ...span, startMs: 0 } : span;
  const isPast = ({ clientId, startMs }: AppointmentFacts) =>
    clientId !== '' && startMs <= nowMs && (isNew || (startMs >= span.startMs && startMs < span.endMs));
  const needs = (visit: AppointmentFacts) =>
    isPast(visit) && !visits.has(visit.status) ? (['status'] as const) : [];
  for await (const visit of readBookedVisits(everybody, { ...read, needs })) {
    if (!isPast(visit)) continue;
    const { startMs, key, clientId, stylistId, status } = visit;
    if (visits.has(status))
      addVisit.run(clientId, key, toDay(zone.wall(startMs)), Number(isCounted(stylistId)));
    else if (isCounted(stylistId) && findInPeriod(startMs) === 0) countUp(leftOut, status);
  }
  database.exec(indexes);

  function countClients({ from, to }: LocalSpan, byKey: boolean): ReadonlyMap<string | null, Sums<Name>> {
    const [first, last] = [Math.round((from - all.from) / dayMs), Math.round((to - all.from) / dayMs)];
    const key = byKey ? 'key' : 'NULL';
    const select = database.prepare(count(key, isNew ? firstOfAll : firstInSpan(key)));
    select.setReadBigInts(true);
    const rows = select.all(withinDays, (today - all.from) / dayMs, first, last) as unknown as (Sums<Name> & {
      readonly key: string | null;
    })[];
    return new Map(rows.map(({ key, ...sums }) => [key, sums]));
  }
  const countRows = ({ spans, befores }: TimeGroups, byKey: boolean) =>
    spans.flatMap((span, group): CountedRow<Name>[] => {
      const [now, then] = [countClients(span, byKey), countClients(befores[group] ?? span, byKey)];
      return [...new Set([...now.keys(), ...then.keys()])].map((key) => ({
        ...{ key, currency: undefined, group },
        sums: now.get(key) ?? zeros(names),
        before: then.get(key) ?? zeros(names),
      }));
    });
  const totals = countRows(whole, false);
  const open = Number(totals[0]?.sums.open ?? 0);
  const outline = {
    name: isNew ? 'First visits' : `Retention within ${countOf(withinDays, 'days')}`,
    names,
    columns: isNew ? newClientColumns : columns,
    measure: isNew ? 'clients' : 'retention_percent',
    sortBy: 'clients',
    toValues,
    notes: [
      isNew ? 'Clients who had never visited before, under the stylist or service of that visit.' : '',
      `Retention is the share of clients who came back on a later day, within ${countOf(withinDays, 'days')} of their first visit in the period, to any stylist.`,
      'The total counts each client once.',
      open === 0 ? '' : `${countOf(open, 'clients')} may still come back in time: the rate can only rise.`,
      renderLeftOut(leftOut, 'appointments'),
    ],
  };
  return toReport(outline, { rows: countRows(groups, true), totals }, input);
}

function toValues(sums: Sums<Name>, before: Sums<Name>) {
  const [now, then] = [toPercent(sums.returned, sums.clients), toPercent(before.returned, before.clients)];
  return {
    ...sums,
    retention_percent: now,
    retention_percent_before: then,
    change_points: toPoints(now, then),
    // The ratio of two ratios, without rounding in between.
    change_percent: toChangePercent(sums.returned * before.clients, before.returned * sums.clients),
  };
}
