import type { Observe } from '../events.ts';
import type { QueryValues } from '../http/request-path.ts';
import type { Page } from './page.ts';
import type { PagedList } from './paginate.ts';

export interface FilteredListOptions<T> {
  start(limit: number | undefined): PagedList<T>;
  readonly limit: number | undefined;
  /** Returns the filter that a row does not match; undefined for a matching row. */
  readonly check: FilterCheck;
  readonly observe: Observe;
}

/** A list whose rows are checked against the filters. Rows the server failed to filter are left out, with a warning. */
export function createFilteredList<T>({
  start,
  limit,
  check,
  observe,
}: FilteredListOptions<T>): PagedList<T> {
  let current: PagedList<T> | undefined;
  return { consistency: () => current?.consistency(), [Symbol.asyncIterator]: readPages };

  async function* readPages(): AsyncGenerator<Page<T>, void> {
    let returned = 0;
    let isIgnored = false;
    current = start(limit);
    for await (const page of current) {
      const matching = page.rows.filter((row) => check(row) === undefined);
      if (matching.length < page.rows.length && !isIgnored) {
        isIgnored = true;
        observe({ type: 'warning', message: toWarning(page.rows) });
        // The limit counted rows that do not match, so more rows are needed.
        if (limit !== undefined) break;
      }
      returned += matching.length;
      yield isIgnored ? { ...page, rows: matching, total: undefined } : page;
    }
    if (isIgnored && limit !== undefined) yield* readUpTo(limit, returned);
  }

  /** Reads the list again for the first `max` matching rows, without those already returned. */
  async function* readUpTo(max: number, returned: number): AsyncGenerator<Page<T>, void> {
    let seen = 0;
    current = start(undefined);
    for await (const page of current) {
      const matching = page.rows.filter((row) => check(row) === undefined);
      const rows = matching.slice(Math.max(0, returned - seen), max - seen);
      seen += matching.length;
      yield { ...page, rows, total: undefined };
      if (seen >= max) return;
    }
  }

  function toWarning(rows: readonly T[]): string {
    const name = rows.map(check).find((found) => found !== undefined);
    return `The server ignored the filter ${name}; filtering the rows here.`;
  }
}

type FilterCheck = (row: unknown) => string | undefined;

type Row = Readonly<Record<string, unknown>>;

/** Whether a row matches a filter; undefined if the row does not show it. */
type Matcher = (row: Row, wanted: string) => boolean | undefined;

/** The contract's filters that a row can be checked against. Not `q`: a server may search more than a row shows. */
const matchers: Readonly<Record<string, Matcher>> = {
  client_id: (row, wanted) => matchText(row['client_id'], (text) => text === wanted),
  appointment_id: (row, wanted) => matchText(row['appointment_id'], (text) => text === wanted),
  stylist_id: (row, wanted) => matchText(row['stylist_id'], (text) => text === wanted),
  status: (row, wanted) => matchText(row['status'], (text) => wanted.split(',').includes(text)),
  email: (row, wanted) => matchText(row['email'], (text) => text.toLowerCase() === wanted.toLowerCase()),
  phone: (row, wanted) => matchText(row['phone'], (text) => toDigits(text) === toDigits(wanted)),
  start_time_from: (row, wanted) => matchTime(row['start_time'], wanted, (at, from) => at >= from),
  start_time_to: (row, wanted) => matchTime(row['start_time'], wanted, (at, to) => at < to),
  created_from: (row, wanted) => matchTime(row['created_at'], wanted, (at, from) => at >= from),
  created_to: (row, wanted) => matchTime(row['created_at'], wanted, (at, to) => at < to),
  updated_since: (row, wanted) => matchTime(row['updated_at'], wanted, (at, since) => at >= since),
};

/**
 * Checks rows against the filters of a query, because servers may ignore a filter they do not know. The check returns
 * the name of a filter that the row does not match. Undefined if no filter can be checked.
 */
export function createFilterCheck(query: QueryValues): FilterCheck | undefined {
  const filters = Object.entries(query).flatMap(([name, value]) => {
    const matcher = Object.hasOwn(matchers, name) ? matchers[name] : undefined;
    return matcher === undefined || value === undefined ? [] : [{ name, matcher, wanted: String(value) }];
  });
  if (filters.length === 0) return undefined;
  return (row) => {
    if (typeof row !== 'object' || row === null) return undefined;
    return filters.find(({ matcher, wanted }) => matcher(row as Row, wanted) === false)?.name;
  };
}

function matchText(value: unknown, test: (text: string) => boolean): boolean | undefined {
  if (value === null) return false;
  return typeof value === 'string' ? test(value) : undefined;
}

function matchTime(
  value: unknown,
  bound: string,
  test: (at: number, bound: number) => boolean,
): boolean | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const limit = Date.parse(bound);
  return Number.isNaN(at) || Number.isNaN(limit) || !bound.includes('T') ? undefined : test(at, limit);
}

function toDigits(text: string): string {
  return text.replace(/\D/g, '');
}
