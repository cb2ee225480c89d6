import type { Observe } from '../events.ts';
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
