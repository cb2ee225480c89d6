import type { AppointmentFacts } from '../../client/read-appointment.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import { visitStatuses } from '../../contract/appointment.ts';
import { startOfDay } from '../../contract/local-days.ts';
import { countOf } from '../../contract/numbers.ts';
import { dayMs } from '../../contract/time.ts';
import type { LocalSpan } from '../flags/periods.ts';
import { toChangePercent, toPercent, toPoints } from './exact-numbers.ts';
import { countUp, type ReportSource, readBookedVisits, renderLeftOut } from './read-records.ts';
import type { Report, ReportColumn } from './report.ts';
import type { ReportQuestion } from './report-question.ts';
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
  question: ReportQuestion,
  source: ReportSource,
  { withinDays, isNew }: { readonly withinDays: number; readonly isNew: boolean },
): Promise<Report> {
  const { period, grouping, statuses = visitStatuses, stylists } = question;
  const { zone, now } = source;
  const [groups, whole] = [toTimeGroups(grouping, period), wholePeriod(period)];
  const all = joinSpans([groups, whole]);
  const tomorrow = startOfDay(zone.wall(now.getTime())) + dayMs;
  const read = { from: all.from, to: Math.max(all.from, Math.min(all.to + withinDays * dayMs, tomorrow)) };
  using database = openTempDatabase(schema);
  const addVisit = database.prepare('INSERT INTO visit VALUES (?, ?, ?, ?)');
  const findDay = isNew
    ? (atMs: number) => Math.floor((zone.wall(atMs) - read.from) / dayMs)
    : createSpanFinder(toDays(read), zone);
  const findInPeriod = createSpanFinder([period], zone);
  const wanted = stylists && new Set(stylists.map(({ id }) => id));
  const visits = new Set<string>(statuses);
  const leftOut = new Map<string, number>();
  // Somebody who comes back to another stylist has come back.
  const everybody = { ...question, stylists: undefined };
  const isPast = ({ clientId, startMs }: AppointmentFacts) =>
    clientId !== '' && (isNew || findDay(startMs) >= 0) && startMs <= now.getTime();
  const needs = (visit: AppointmentFacts) =>
    isPast(visit) && !visits.has(visit.status) ? (['status'] as const) : [];
  const { endMs, startMs: fromMs } = toInstants(read, zone);
  const span = { startMs: isNew ? 0 : fromMs, endMs };
  for await (const visit of readBookedVisits(everybody, source, { ...span, needs })) {
    if (!isPast(visit)) continue;
    const { startMs, key, clientId, stylistId, status } = visit;
    const isCounted = wanted?.has(stylistId) ?? true;
    if (visits.has(status)) addVisit.run(clientId, key, findDay(startMs), isCounted ? 1 : 0);
    else if (isCounted && findInPeriod(startMs) === 0) countUp(leftOut, status);
  }
  database.exec(indexes);
  const today = (tomorrow - dayMs - read.from) / dayMs;

  function countClients({ from, to }: LocalSpan, byKey: boolean): ReadonlyMap<string | null, Sums<Name>> {
    const [first, last] = [Math.round((from - read.from) / dayMs), Math.round((to - read.from) / dayMs)];
    const key = byKey ? 'key' : 'NULL';
    const rows = database
      .prepare(count(key, isNew ? firstOfAll : firstInSpan(key)))
      .all(withinDays, today, first, last);
    return new Map(
      rows.map(({ key, clients, returned, open }) => [
        key === null ? null : String(key),
        { clients: toCount(clients), returned: toCount(returned), open: toCount(open) },
      ]),
    );
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
  return toReport(outline, { rows: countRows(groups, true), totals }, { question, source });
}

function toDays({ from, to }: LocalSpan): readonly LocalSpan[] {
  const length = Math.max(0, Math.ceil((to - from) / dayMs));
  return Array.from({ length }, (_, day) => ({ from: from + day * dayMs, to: from + (day + 1) * dayMs }));
}

function toCount(value: unknown): bigint {
  return BigInt(Number(value ?? 0));
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
