import { readStatus } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Observe } from '../events.ts';
import { isFields } from '../fields.ts';
import { quote } from '../http/quote.ts';
import { withUnverified } from './consistency.ts';
import type { FilterCheck } from './filter-check.ts';
import type { Page } from './page.ts';
import type { PagedList } from './paginate.ts';

export interface FilteredListOptions<T> {
  start(limit: number | undefined, without?: string): PagedList<T>;
  /** Reads the first page with another value of one filter, or without it. */
  readFirst(filter: string, value: string | undefined): Promise<readonly T[]>;
  readonly limit: number | undefined;
  readonly checks: readonly FilterCheck[];
  /** Whether the server has a filter. If not, only the check here filters. */
  readonly isSent: (filter: string) => boolean;
  readonly observe: Observe;
}

/** Who filters: the server; it ignores the filter, so rows are left out here; or nobody can tell. */
type Filterer = 'server' | 'here' | 'unknown';

/**
 * A list whose rows are checked against the filters, because servers may ignore a filter they do not know. Rows that do
 * not match are left out, with a warning. Where rows do not show whether they match, the server is asked for an
 * impossible value: if it returns rows for that, too, the filter cannot be checked, which is reported, and
 * unverified. Pages with a version are from the contract's own service, which reads every filter.
 */
export function createFilteredList<T>(options: FilteredListOptions<T>): PagedList<T> {
  const { start, limit, checks, isSent, observe } = options;
  const filterers = new Map<FilterCheck, Filterer>();
  /** Filters whose field some row has had, so that a row without it has no value there. */
  const shown = new Set<FilterCheck>();
  let current: PagedList<T> | undefined;
  return {
    consistency: () => {
      const unverified = checks.filter((one) => filterers.get(one) === 'unknown');
      return withUnverified(
        current?.consistency(),
        unverified.map(({ name }) => name),
      );
    },
    [Symbol.asyncIterator]: readPages,
  };

  async function* readPages(): AsyncGenerator<Page<T>, void> {
    let returned = 0;
    // A limit counts rows that match.
    if (limit !== undefined && !checks.every(({ name }) => isSent(name))) return yield* readUpTo(limit, 0);
    current = start(limit);
    for await (const page of current) {
      if (page.rows.length === 0 && page.version === undefined && (await spellsOtherwise()))
        return yield* readUpTo(limit, 0, 'status');
      const rows = await filter(page);
      if (rows.length < page.rows.length && limit !== undefined) {
        returned += rows.length;
        yield { ...page, rows, total: undefined };
        // The limit counted rows that do not match, so more rows are needed.
        return yield* readUpTo(limit, returned);
      }
      returned += rows.length;
      yield rows.length < page.rows.length || isFilteredHere() ? { ...page, rows, total: undefined } : page;
    }
  }

  /** Reads the list again for the first `max` matching rows, without those already returned. */
  async function* readUpTo(
    max = Number.POSITIVE_INFINITY,
    returned = 0,
    without?: string,
  ): AsyncGenerator<Page<T>, void> {
    let seen = 0;
    current = start(undefined, without);
    for await (const page of current) {
      const matching = await filter(page);
      const rows = matching.slice(Math.max(0, returned - seen), max - seen);
      seen += matching.length;
      yield { ...page, rows, total: undefined };
      if (seen >= max) return;
    }
  }

  /** Whether a server that finds nothing writes statuses in other words or letters, so that it cannot find them. */
  async function spellsOtherwise(): Promise<boolean> {
    const check = checks.find(({ name }) => name === 'status');
    if (check === undefined || !isSent('status')) return false;
    const rows = await options.readFirst('status', undefined).catch(() => []);
    const words = rows.map((row) => (isFields(row) ? row['status'] : undefined));
    const other = words.find((word) => typeof word === 'string' && readStatus(word) !== word);
    if (other === undefined) return false;
    filterers.set(check, 'here');
    const message = `The server has statuses of its own, such as ${quote(String(other), 40)}; filtering the rows here.`;
    observe({ type: 'warning', message });
    return true;
  }

  function isFilteredHere(): boolean {
    return [...filterers.values()].includes('here');
  }

  /** The rows of a page that match, or may match. */
  async function filter(page: Page<T>): Promise<readonly T[]> {
    if (page.version !== undefined) return page.rows;
    let rows = page.rows;
    for (const check of checks) {
      const results = rows.map(check.matches);
      if (check.isConclusive || results.some((result) => result !== undefined)) shown.add(check);
      if (results.includes(false)) assignFilterer(check, 'here');
      if (results.includes(undefined) && !filterers.has(check))
        assignFilterer(check, await findFilterer(check));
      const keepsOthers = filterers.get(check) !== 'here';
      rows = rows.filter((_row, index) => results[index] ?? keepsOthers);
    }
    return rows;
  }

  async function findFilterer(check: FilterCheck): Promise<Filterer> {
    const isIgnored = !isSent(check.name) || !(await isRead(check));
    if (!isIgnored) return 'server';
    return shown.has(check) ? 'here' : 'unknown';
  }

  /** Whether the server reads a filter: it finds nothing for an impossible value, or rejects it. */
  async function isRead({ name, impossible }: FilterCheck): Promise<boolean> {
    try {
      return (await options.readFirst(name, impossible)).length === 0;
    } catch (thrown) {
      const isRejected = thrown instanceof SalonError && [400, 404, 422, 500].includes(thrown.status ?? 0);
      if (isRejected) return true;
      throw thrown;
    }
  }

  function assignFilterer(check: FilterCheck, filterer: Filterer): void {
    const { name } = check;
    const before = filterers.get(check);
    if (before === filterer || before === 'unknown') return;
    filterers.set(check, filterer);
    if (filterer === 'here' && isSent(name)) {
      observe({
        type: 'warning',
        message: `The server ignored the filter ${name}; filtering the rows here.`,
      });
    }
    if (filterer !== 'unknown') return;
    const message = isSent(name)
      ? `The server ignored the filter ${name}, and the rows do not show whether they match it: they are not filtered.`
      : `The server has no filter ${name}, and the rows do not show whether they match it: they are not filtered.`;
    observe({ type: 'warning', message });
  }
}
