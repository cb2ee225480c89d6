import { SalonError } from '../../contract/errors.ts';
import { quote } from '../../text/quote.ts';
import { foldStatus, readStatus } from '../appointment-status.ts';
import type { ResourceDialect } from '../dialect/dialect.ts';
import type { Observe } from '../events.ts';
import type { QueryValues } from '../http/request-path.ts';
import { isFields } from '../json-object.ts';
import { withUnverified } from './consistency.ts';
import { createFilterChecks, type FilterCheck } from './filter-check.ts';
import { hasFilter, rangeFilters } from './list-query.ts';
import type { Page } from './page.ts';
import type { PagedList } from './paginate.ts';

interface FilteredListOptions<T> {
  start(change: { readonly query: QueryValues; readonly limit: number | undefined }): PagedList<T>;
  readonly query: QueryValues;
  /** Reads the first page with another query. */
  readFirst(query: QueryValues): Promise<readonly T[]>;
  /** Forms of filters that have found something on this server; more are added. */
  readonly confirmed: Set<string>;
  /** A list that is resumed has found something before. */
  readonly from?: unknown;
  readonly limit?: number | undefined;
  /** A filter that the server does not have is only checked here. */
  readonly dialect: Pick<ResourceDialect, 'filterNames' | 'mostDays'>;
  readonly isForeign: boolean;
  readonly timeZone: () => string;
  readonly observe: Observe;
}

/** Who filters: the server; it ignores the filter, so rows are left out here; or that is unknown. */
type FilteredBy = 'server' | 'here' | 'unknown';

/**
 * A list whose rows are checked against the filters, because servers may ignore a filter they do not know. Rows that do
 * not match are left out, with a warning. Where rows do not show whether they match, the server is asked for an
 * impossible value: if it returns rows for that, too, the filter cannot be checked, which is reported, and unverified.
 * Nothing found is believed if the filter finds a record by its own value, written like the wanted one: a server may
 * compare exactly, or with a field that no record has. Else the whole list is filtered here. Pages with a version are
 * from the contract's own service, which reads every filter.
 */
export function createFilteredList<T>(options: FilteredListOptions<T>): PagedList<T> {
  const { limit, observe, query, dialect, confirmed } = options;
  const checks = createFilterChecks(query, options.timeZone, options.isForeign);
  // What every list needs is read by the server.
  const needed = dialect.mostDays === null ? [] : rangeFilters;
  const range = Object.fromEntries(needed.map((name) => [name, query[name]]));
  let distrusted: readonly string[] = [];
  const isSent = (name: string) => hasFilter(name, dialect) && !distrusted.includes(name);
  const filteredBy = new Map<FilterCheck, FilteredBy>();
  /** Filters whose field some row has had, so that a row without it has no value there. */
  const shown = new Set<FilterCheck>();
  let current: PagedList<T> | undefined;
  return {
    consistency() {
      const unverified = checks.filter((one) => filteredBy.get(one) === 'unknown').map(({ name }) => name);
      return withUnverified(current?.consistency(), unverified);
    },
    [Symbol.asyncIterator]: readPages,
  };

  async function* readPages(): AsyncGenerator<Page<T>, void> {
    let returned = 0;
    // A limit counts rows that match.
    if (limit !== undefined && !checks.every(({ name }) => isSent(name))) return yield* readUpTo(limit, 0);
    current = start(limit);
    let nothing: Page<T>[] = [];
    for await (const page of current) {
      if (page.rows.length === 0 && page.version === undefined && returned === 0) {
        nothing = [page];
        continue;
      }
      nothing = [];
      for (const { form } of checks) confirmed.add(form);
      const rows = await filter(page);
      if (rows.length < page.rows.length && limit !== undefined) {
        returned += rows.length;
        yield { ...page, rows, total: undefined };
        // The limit counted rows that do not match, so more rows are needed.
        return yield* readUpTo(limit, returned);
      }
      returned += rows.length;
      const isFiltered = rows.length < page.rows.length || [...filteredBy.values()].includes('here');
      yield isFiltered ? { ...page, rows, total: undefined } : page;
    }
    if (nothing.length > 0 && options.from === undefined) distrusted = await findDistrusted();
    if (distrusted.length === 0) yield* nothing;
    else yield* readUpTo(limit ?? Number.POSITIVE_INFINITY, 0);
  }

  function start(most: number | undefined): PagedList<T> {
    const sent = Object.fromEntries(checks.map((check) => [check.name, check.sent]));
    const all = Object.entries({ ...query, ...sent });
    return options.start({
      query: Object.fromEntries(all.filter(([name]) => !distrusted.includes(name))),
      limit: most,
    });
  }

  /** The filters that do not even find a record that the list has. */
  async function findDistrusted(): Promise<readonly string[]> {
    const open = checks.filter(
      ({ name, form }) => isSent(name) && !needed.includes(name) && !confirmed.has(form),
    );
    const rows = open.length === 0 ? [] : await options.readFirst(range);
    if (rows.length === 0) return [];
    const text = JSON.stringify(rows);
    const wrong: string[] = [];
    for (const check of open) {
      const { name, form, toFind } = check;
      const values = rows.map(toFind).filter((one) => one !== undefined);
      // Finding a value in another form than it is stored in shows more.
      const value = values.find((one) => !text.includes(JSON.stringify(one))) ?? values[0];
      const other = name === 'status' ? findOtherStatus(rows) : undefined;
      if (other !== undefined) {
        const fact = `The server has statuses of its own, such as ${quote(other, 40)}`;
        wrong.push(name);
        setFilteredBy(check, 'here', `${fact}; filtering the rows here.`);
      } else if (value === undefined) {
        setFilteredBy(check, 'unknown', `Nothing shows whether this server has the filter ${name}.`);
      } else if ((await countFirst({ [name]: value })) !== 0) {
        confirmed.add(form);
      } else {
        const fact = `The server finds nothing by ${name}, not even what it has`;
        wrong.push(name);
        // What no row shows cannot be filtered here either.
        if (check.isConclusive || rows.some((row) => check.matches(row) !== undefined))
          setFilteredBy(check, 'here', `${fact}; filtering here.`);
        else
          setFilteredBy(check, 'unknown', `${fact}, and no row shows it: the rows are not filtered by it.`);
      }
    }
    return wrong;
  }

  /** Reads the list again for the first `max` matching rows, without those already returned. */
  async function* readUpTo(max: number, returned: number): AsyncGenerator<Page<T>, void> {
    let seen = 0;
    current = start(undefined);
    for await (const page of current) {
      const matching = await filter(page);
      const rows = matching.slice(Math.max(0, returned - seen), max - seen);
      seen += matching.length;
      yield { ...page, rows, total: undefined };
      if (seen >= max) return;
    }
  }

  /** The rows of a page that match, or may match. */
  async function filter(page: Page<T>): Promise<readonly T[]> {
    if (page.version !== undefined) return page.rows;
    let rows = page.rows;
    for (const check of checks) {
      const results = rows.map(check.matches);
      if (check.isConclusive || results.some((result) => result !== undefined)) shown.add(check);
      if (rows.some(check.contradicts)) setFilteredBy(check, 'here');
      if (results.includes(undefined) && !filteredBy.has(check))
        setFilteredBy(check, await findFilteredBy(check));
      // An appointment that cannot be read must not get lost.
      const keepsOthers = check.name.startsWith('start_time') || filteredBy.get(check) !== 'here';
      rows = rows.filter((_row, index) => results[index] ?? keepsOthers);
    }
    return rows;
  }

  /** A server that reads a filter finds nothing for an impossible value, or rejects it. */
  async function findFilteredBy(check: FilterCheck): Promise<FilteredBy> {
    const { name, impossible } = check;
    if (isSent(name) && !(await countFirst({ ...query, [name]: impossible }))) return 'server';
    return shown.has(check) ? 'here' : 'unknown';
  }

  /** Rows on the first page; undefined if the server rejects the query. */
  async function countFirst(of: QueryValues): Promise<number | undefined> {
    try {
      return (await options.readFirst({ ...range, ...of })).length;
    } catch (thrown) {
      const isRejected = thrown instanceof SalonError && [400, 404, 422, 500].includes(thrown.status ?? 0);
      if (isRejected) return undefined;
      throw thrown;
    }
  }

  function setFilteredBy(check: FilterCheck, by: FilteredBy, reason?: string): void {
    const { name } = check;
    const before = filteredBy.get(check);
    if (before === by || before === 'unknown') return;
    filteredBy.set(check, by);
    if (by === 'here' && isSent(name)) {
      const message = reason ?? `The server ignored the filter ${name}; filtering the rows here.`;
      observe({ type: 'warning', message });
    }
    if (by !== 'unknown') return;
    const fact = isSent(name) ? 'ignored the' : 'has no';
    const rows = 'the rows do not show whether they match it: they are not filtered.';
    observe({ type: 'warning', message: reason ?? `The server ${fact} filter ${name}, and ${rows}` });
  }
}

/** A status that a server writes in another word or other letters than the contract, so that it cannot find it. */
function findOtherStatus(rows: readonly unknown[]): string | undefined {
  const words = rows.map((row) => (isFields(row) ? row['status'] : undefined));
  return words.find(
    (word): word is string => typeof word === 'string' && (readStatus(word) ?? foldStatus(word)) !== word,
  );
}
