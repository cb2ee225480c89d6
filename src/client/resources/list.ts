import type { QueryValues } from '../http/request-path.ts';
import { createFilterChecks } from '../pagination/filter-check.ts';
import { createFilteredList } from '../pagination/filtered-list.ts';
import { hasFilter } from '../pagination/list-filter.ts';
import type { ResumePoint } from '../pagination/page.ts';
import { createPageFetcher } from '../pagination/page-fetcher.ts';
import type { ApiContext, ListResource } from '../pagination/page-requests.ts';
import { type PagedList, paginate } from '../pagination/paginate.ts';
import { createSortedList } from '../pagination/sorted-list.ts';

export interface ListOptions {
  readonly limit?: number | undefined;
  /** Additional query parameters, sent unchanged. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Reads the list until two passes agree on its rows, at most five times. Ignored with `limit` or `from`. */
  readonly consistent?: boolean | undefined;
  /** Where to resume: `resume` of a page, or the member `resume_at` of a pagination error. */
  readonly from?: ResumePoint | undefined;
  /** Pages fetched concurrently; the client's concurrency by default. */
  readonly concurrency?: number | undefined;
}

interface ListRequest extends ListOptions {
  readonly query: QueryValues;
  /** Whether the server is expected to sort the list. */
  readonly isSorted: boolean;
}

/** Creates lists of a resource. Filters and sorts here whatever the server does not. */
export function createList<T>(
  resource: ListResource,
  context: ApiContext,
): (query?: QueryValues, options?: ListOptions) => PagedList<T> {
  const { dialect, observe } = context;
  return (query = {}, options = {}) => {
    const { limit, parameters, from } = options;
    const { sort } = query;
    const isSorted = sort !== undefined || parameters?.['sort'] !== undefined;
    const request = { ...options, query, isSorted };
    // The rows before a resume point were returned in the server's order.
    if (sort === undefined || from !== undefined) return startFiltered(request);
    const { sort: _sort, ...unsorted } = query;
    return createSortedList({
      start: ({ isSorted: isSortedThere, ...change }) =>
        startFiltered({
          ...request,
          ...change,
          query: isSortedThere ? query : unsorted,
          isSorted: isSortedThere,
        }),
      canSort: dialect.current().sortParameter !== null,
      readFirst: (opposite) => readFirst({ ...query, sort: opposite }, parameters),
      sort: String(sort),
      limit,
      observe,
    });
  };

  function startFiltered(request: ListRequest): PagedList<T> {
    const { query, limit, parameters } = request;
    const checks = createFilterChecks(query);
    if (checks.length === 0) return start(request);
    return createFilteredList({
      start: (max, without = '') =>
        start({ ...request, query: { ...query, [without]: undefined }, limit: max }),
      readFirst: (filter, value) => readFirst({ ...query, [filter]: value }, parameters),
      limit,
      checks,
      isSent: (filter) => hasFilter(filter, dialect.current()),
      observe,
    });
  }

  function start({ query, ...options }: ListRequest): PagedList<T> {
    const { limit, parameters, from, concurrency = context.concurrency } = options;
    // A page number is only valid with its page size, so a limit must not change the size.
    const pageOptions =
      from === undefined
        ? { query, limit, parameters }
        : { query: { ...query, per_page: from.perPage }, limit: undefined, parameters };
    const isWhole = asksForAll({ query, ...options }, dialect);
    const fetchPage = createPageFetcher<T>(resource, context, { ...pageOptions, isWhole });
    return paginate(fetchPage, { ...options, concurrency, noun: resource.plural });
  }

  async function readFirst(query: QueryValues, parameters: ListOptions['parameters']): Promise<readonly T[]> {
    // What there is to say about the list is said when it is read.
    const silent = { ...context, observe: () => {} };
    const fetchPage = createPageFetcher<T>(resource, silent, { query, limit: undefined, parameters });
    return (await fetchPage({ page: 1 }, new AbortController().signal)).rows;
  }
}

/** Whether all pages are wanted. One response then costs the least, unless the caller or the server is set to pages. */
function asksForAll(
  { query, limit = Number.POSITIVE_INFINITY, parameters = {}, from }: ListRequest,
  dialect: ApiContext['dialect'],
): boolean {
  const { paging = 'page' } = dialect.known();
  const hasPages = ['page', 'per_page', 'after'].some((name) => name in parameters);
  const isFirst = from === undefined ? query['per_page'] === undefined : from.cursor !== undefined;
  return isFirst && !hasPages && paging === 'page' && limit > dialect.current().perPage;
}
