import type { QueryValues } from '../http/api-requester.ts';
import { createFilterCheck, createFilteredWalk } from '../pagination/filtered-list.ts';
import type { ResumePoint } from '../pagination/page.ts';
import type { ListResource } from '../pagination/page-fetcher.ts';
import { createPageReader, type ListParts } from '../pagination/page-fetcher.ts';
import { type PagedList, paginate } from '../pagination/paginate.ts';
import { createSortedWalk } from '../pagination/sorted-list.ts';

export interface ListOptions {
  readonly limit?: number | undefined;
  /** Further query parameters, sent as they are. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Read again until two passes agree on the rows, five times at most; left aside with a limit or a `from`. */
  readonly consistent?: boolean | undefined;
  /** Where to go on: the `resume` of a page, or what the error of a failed walk has as its member `resume_at`. */
  readonly from?: ResumePoint | undefined;
  /** Pages read side by side; as many as the client allows where it is left out. */
  readonly concurrency?: number | undefined;
}

interface AskedList extends ListOptions {
  readonly query: QueryValues;
  /** Whether the server is taken to have the list in an order of its own. */
  readonly isSorted: boolean;
}

/**
 * Makes the lists of one kind of record. Their rows are checked against filters and order, since a server may pass
 * over what it does not know: then that is done here.
 */
export function createList<T>(
  kind: ListResource,
  parts: ListParts,
): (query?: QueryValues, options?: ListOptions) => PagedList<T> {
  const { dialect, observe } = parts;
  return (query = {}, options = {}) => {
    const { limit, parameters, from } = options;
    const { sort } = query;
    const asked = { ...options, query, isSorted: sort !== undefined || parameters?.['sort'] !== undefined };
    // What comes before that place was handed out in the server's own order.
    if (sort === undefined || from !== undefined) return startFiltered(asked);
    return createSortedWalk({
      start: (change) => startFiltered({ ...asked, ...change }),
      readFirst: (opposite) => readFirst({ ...query, sort: opposite }, parameters),
      sort: String(sort),
      limit,
      observe,
    });
  };

  function startFiltered(asked: AskedList): PagedList<T> {
    const { query, limit } = asked;
    const check = createFilterCheck(query);
    if (check === undefined) return start(asked);
    return createFilteredWalk({ start: (most) => start({ ...asked, limit: most }), limit, check, observe });
  }

  function start({ query, ...options }: AskedList): PagedList<T> {
    const { limit, parameters, from, concurrency = parts.concurrency } = options;
    // The number of a page goes with its size, so that no limit may change it.
    const request =
      from === undefined
        ? { query, limit, parameters }
        : { query: { ...query, per_page: from.perPage }, limit: undefined, parameters };
    return paginate(createPageReader<T>(kind, parts, request), { ...options, concurrency, tellUnpaged });
  }

  async function readFirst(query: QueryValues, parameters: ListOptions['parameters']): Promise<readonly T[]> {
    const readPage = createPageReader<T>(kind, parts, { query, limit: undefined, parameters });
    return (await readPage({ page: 1 }, new AbortController().signal)).rows;
  }

  function tellUnpaged(rows: number): void {
    dialect.learn('pageParameter', null);
    const message = `The server has no pages: it gives the same ${rows} ${kind.plural} for any of them.`;
    observe({ type: 'warning', message });
  }
}
