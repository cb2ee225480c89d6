import type { Observe } from '../events.ts';
import type { QueryValues } from '../http/api-requester.ts';
import type { Page } from './page.ts';
import type { PagedList } from './paginate.ts';

export interface FilteredWalkParts<T> {
  start(limit: number | undefined): PagedList<T>;
  readonly limit: number | undefined;
  /** The filter that a row proves was ignored; undefined for a row that belongs. */
  readonly check: (row: T) => string | undefined;
  readonly observe: Observe;
}

/**
 * A walk whose rows are checked against the filters that were sent. What a server sent all the same is left out,
 * with one warning; its total then counts too much and is not passed on.
 */
export function createFilteredWalk<T>({ start, limit, check, observe }: FilteredWalkParts<T>): PagedList<T> {
  let current: PagedList<T> | undefined;
  return { consistency: () => current?.consistency(), [Symbol.asyncIterator]: readPages };

  async function* readPages(): AsyncGenerator<Page<T>, void> {
    let given = 0;
    let isIgnored = false;
    current = start(limit);
    for await (const page of current) {
      const kept = page.rows.filter((row) => check(row) === undefined);
      if (kept.length < page.rows.length && !isIgnored) {
        isIgnored = true;
        observe(ignoredWarning(page.rows, check));
        // The limit has counted rows that do not belong, so more have to be read than it allowed.
        if (limit !== undefined) break;
      }
      given += kept.length;
      yield isIgnored ? { ...page, rows: kept, total: undefined } : page;
    }
    if (isIgnored && limit !== undefined) yield* readUpTo(limit, given);
  }

  /** The whole list from its start, for the first `most` rows that belong, without those already given. */
  async function* readUpTo(most: number, given: number): AsyncGenerator<Page<T>, void> {
    let seen = 0;
    current = start(undefined);
    for await (const page of current) {
      const kept = page.rows.filter((row) => check(row) === undefined);
      const rows = kept.slice(Math.max(0, given - seen), most - seen);
      seen += kept.length;
      yield { ...page, rows, total: undefined };
      if (seen >= most) return;
    }
  }
}

function ignoredWarning<T>(rows: readonly T[], check: (row: T) => string | undefined) {
  const name = rows.map(check).find((found) => found !== undefined);
  return {
    type: 'warning',
    message: `The server ignored the filter ${name}; its rows are filtered here.`,
  } as const;
}

type Row = Readonly<Record<string, unknown>>;

/** Whether a row is what a filter asked for; undefined where that cannot be told from the row. */
type Judge = (row: Row, wanted: string) => boolean | undefined;

/** The contract's filters that can be told from a row. `q` is left out: a server may search more than we see. */
const judges: Readonly<Record<string, Judge>> = {
  client_id: (row, wanted) => isText(row['client_id'], (text) => text === wanted),
  appointment_id: (row, wanted) => isText(row['appointment_id'], (text) => text === wanted),
  stylist_id: (row, wanted) => isText(row['stylist_id'], (text) => text === wanted),
  status: (row, wanted) => isText(row['status'], (text) => wanted.split(',').includes(text)),
  email: (row, wanted) => isText(row['email'], (text) => text.toLowerCase() === wanted.toLowerCase()),
  phone: (row, wanted) => isText(row['phone'], (text) => toDigits(text) === toDigits(wanted)),
  start_time_from: (row, wanted) => isInstant(row['start_time'], wanted, (at, from) => at >= from),
  start_time_to: (row, wanted) => isInstant(row['start_time'], wanted, (at, to) => at < to),
  created_from: (row, wanted) => isInstant(row['created_at'], wanted, (at, from) => at >= from),
  created_to: (row, wanted) => isInstant(row['created_at'], wanted, (at, to) => at < to),
  updated_since: (row, wanted) => isInstant(row['updated_at'], wanted, (at, since) => at >= since),
};

/**
 * Checks rows against the filters that were sent, because a server may pass over one it does not know.
 * The check answers the name of a filter that a row proves was ignored; there is none where nothing can be checked.
 */
export function createFilterCheck(query: QueryValues): ((row: unknown) => string | undefined) | undefined {
  const asked = Object.entries(query).flatMap(([name, value]) => {
    const judge = Object.hasOwn(judges, name) ? judges[name] : undefined;
    return judge === undefined || value === undefined ? [] : [{ name, judge, wanted: String(value) }];
  });
  if (asked.length === 0) return undefined;
  return (row) => {
    if (typeof row !== 'object' || row === null) return undefined;
    return asked.find(({ judge, wanted }) => judge(row as Row, wanted) === false)?.name;
  };
}

function isText(value: unknown, test: (text: string) => boolean): boolean | undefined {
  if (value === null) return false;
  return typeof value === 'string' ? test(value) : undefined;
}

function isInstant(
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
