import { compareNames } from '../../text/search-text.ts';
import type { LocalSpan } from '../../time/periods.ts';
import type { ZoneClock } from '../../time/time.ts';
import type { ReportInput } from './read-records.ts';
import type { Report, ReportRow, ReportValue } from './report.ts';
import { isNamed } from './report-question.ts';
import {
  createSpanFinder,
  joinSpans,
  renderShortSpan,
  type TimeGroups,
  toGroupKey,
  toInstants,
  toTimeGroups,
  wholePeriod,
} from './time-groups.ts';

/** Exact sums, by name. */
export type Sums<Name extends string> = Record<Name, bigint>;

/** The sums of a group, and those of the time it is compared with. */
export interface CountedRow<Name extends string> {
  /** The stylist's ID or the service, empty if a record has none; null for records that belong to nothing. */
  readonly key: string | null;
  /** Of amounts; undefined for a report without any. */
  readonly currency: string | undefined;
  /** The index of the time group. */
  readonly group: number;
  readonly sums: Sums<Name>;
  readonly before: Sums<Name>;
}

/** What a record adds to the sums. */
export interface CountedRecord<Name extends string> {
  readonly key: string | null;
  readonly currency?: string | undefined;
  readonly atMs: number;
  readonly sums: Readonly<Partial<Record<Name, number | bigint>>>;
}

/** Adds up records by key, currency and time. Memory grows with the number of groups only. */
export function createReportCounters<Name extends string>(
  names: readonly Name[],
  { grouping, period, zone }: ReportInput,
) {
  const [groups, whole] = [toTimeGroups(grouping, period), wholePeriod(period)];
  // Days, weeks and months are not compared with the same time as the whole period.
  const [rows, totals] = [createCounters(names, groups, zone), createCounters(names, whole, zone)];
  return {
    /** All the time whose records are needed. */
    span: toInstants(joinSpans([groups, whole]), zone),
    add(record: CountedRecord<Name>) {
      rows.add(record);
      totals.add({ ...record, key: null });
    },
    count: () => ({ rows: rows.list(), totals: totals.list() }),
  };
}

function createCounters<Name extends string>(
  names: readonly Name[],
  { spans, befores }: TimeGroups,
  zone: ZoneClock,
) {
  const finders = { sums: createSpanFinder(spans, zone), before: createSpanFinder(befores, zone) };
  const rows = new Map<string, CountedRow<Name>>();
  return {
    add({ key, currency, atMs, sums: added }: CountedRecord<Name>) {
      for (const part of ['sums', 'before'] as const) {
        const group = finders[part](atMs);
        if (group < 0) continue;
        const id = JSON.stringify([key, currency, group]);
        const row = rows.get(id) ?? { key, currency, group, sums: zeros(names), before: zeros(names) };
        rows.set(id, row);
        for (const name of names) row[part][name] += BigInt(added[name] ?? 0);
      }
    },
    list: () => [...rows.values()],
  };
}

export function zeros<Name extends string>(names: readonly Name[]): Sums<Name> {
  return Object.fromEntries(names.map((name) => [name, 0n])) as Sums<Name>;
}

/** What a row is about, and the time it is compared with. */
export interface RowContext {
  readonly key: string | null;
  readonly span: LocalSpan;
  readonly spanBefore: LocalSpan;
}

interface ReportOutline<Name extends string>
  extends Omit<Report, 'grouping' | 'period' | 'timeZone' | 'rows' | 'totals'> {
  readonly names: readonly Name[];
  /** The value that rows are sorted by, largest first; the measure by default. */
  readonly sortBy?: string;
  /** The label of records without a key; an empty key is that of records without a value. */
  readonly restLabel?: string;
  readonly toValues: (
    sums: Sums<Name>,
    before: Sums<Name>,
    row: RowContext,
  ) => Readonly<Record<string, ReportValue>>;
}

/** A report with its rows in order of time, or with the largest first and the rest last. */
export function toReport<Name extends string>(
  { names, sortBy, restLabel = '', toValues, ...outline }: ReportOutline<Name>,
  counted: Readonly<Record<'rows' | 'totals', readonly CountedRow<Name>[]>>,
  { grouping, period, timeZone, names: people }: ReportInput,
): Report {
  const groups = toTimeGroups(grouping, period);
  const totals = counted.totals.map(({ currency, sums, before }) => {
    const values = toValues(sums, before, { key: null, span: period, spanBefore: period.before });
    return { label: 'Total', keys: {}, currency, values };
  });
  return {
    ...outline,
    ...{ grouping, period, timeZone },
    rows: isNamed(grouping) ? toNamedRows() : toTimeRows(),
    totals: totals.sort((a, b) => compare(a.currency ?? '', b.currency ?? '')),
  };

  /** Every day, week or month, those without records too. */
  function toTimeRows(): readonly ReportRow[] {
    const currencies = [...new Set(counted.rows.map(({ currency }) => currency))].sort();
    const shown = currencies.length === 0 ? [undefined] : currencies;
    const rows = new Map(counted.rows.map((row) => [`${row.currency} ${row.group}`, row]));
    return shown.flatMap((currency) =>
      groups.spans.map((span, group) => {
        const row = rows.get(`${currency} ${group}`);
        const [sums, before] = [row?.sums ?? zeros(names), row?.before ?? zeros(names)];
        const spanBefore = groups.befores[group] ?? span;
        const values = toValues(sums, before, { key: null, span, spanBefore });
        const keys = { [grouping]: toGroupKey(grouping, span) };
        return { label: renderShortSpan(span), keys, currency, values };
      }),
    );
  }

  function toNamedRows(): readonly ReportRow[] {
    const rows = counted.rows.map(({ key, currency, sums, before }): ReportRow => {
      const id = key === '' ? null : key;
      const name = id === null || grouping === 'service' ? id : (people.get(id) ?? null);
      const keys =
        grouping === 'service' ? { service: id } : { [`${grouping}_id`]: id, [`${grouping}_name`]: name };
      const label = name ?? id ?? (key === null ? restLabel : `No ${grouping}`);
      const values = toValues(sums, before, { key, span: period, spanBefore: period.before });
      return { label, keys, currency, isRest: id === null, values };
    });
    const size = ({ values }: ReportRow) => values[sortBy ?? outline.measure] ?? -1;
    return rows.sort(
      (a, b) =>
        compare(a.currency ?? '', b.currency ?? '') ||
        Number(a.isRest) - Number(b.isRest) ||
        compare(size(b), size(a)) ||
        compareNames(a.label, b.label),
    );
  }
}

function compare<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : Number(a > b);
}
