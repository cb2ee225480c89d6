import { SalonError } from '../../contract/errors.ts';
import type { ApiContext, ListResource, PageOptions } from '../api-context.ts';
import { createDialectSource } from '../dialect/dialect.ts';
import { type QueryValues, toTexts } from '../http/request-path.ts';
import { assertKnownNames, type Fields } from '../json-object.ts';
import { createOurPages } from '../ours/pages.ts';
import { hasFilters, parseSort, renderSort } from '../pagination/list-query.ts';
import type { FetchPage, ResumePoint } from '../pagination/page.ts';
import { type PagedList, paginate } from '../pagination/paginate.ts';

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

export const listOptions = ['limit', 'parameters', 'consistent', 'from', 'concurrency'] as const;

interface ListRequest extends ListOptions {
  readonly query: QueryValues;
  /** Whether the server is expected to sort the list. */
  readonly isSorted: boolean;
}

/** Creates lists of a resource. Filters and sorts here what the server does not. */
export function createList<T>(
  resource: ListResource,
  context: ApiContext,
): (query?: QueryValues, options?: ListOptions) => PagedList<T> {
  const { observe } = context;
  const dialect = context.dialect.of(resource.plural);
  const confirmed = new Set<string>();
  const { page: _page, after: _after, ...known } = Object(Object(resource.list.query).properties);
  return (query = {}, options = {}) => {
    assertKnownNames(query, Object.keys(known), 'filter');
    assertKnownNames(options, listOptions, 'option');
    const empty = Object.keys(query).find((name) => query[name] === null);
    if (empty !== undefined) throw new SalonError('usage', `The filter ${empty} has no value.`);
    const { limit, parameters = {} } = options;
    const isNarrowed = hasFilters(query) || limit !== undefined || Object.keys(parameters).length > 0;
    return Object.assign(open(query, options), { isEverything: !isNarrowed });
  };

  function open({ sort: order, ...filters }: QueryValues, options: ListOptions): PagedList<T> {
    const { limit, parameters, from } = options;
    const own = order === undefined ? undefined : parseSort(String(order));
    const sort = own && renderSort({ ...own, field: dialect.map?.toContract(own.field) ?? own.field });
    const query = { ...filters, ...(sort !== undefined && { sort }) };
    const isSorted = sort !== undefined || parameters?.['sort'] !== undefined;
    const request = { ...options, query, isSorted };
    // The rows before a resume point were returned in the server's order.
    if (sort === undefined || from !== undefined) return startFiltered(request);
    const { sort: _sort, ...unsorted } = query;
    return openLater(async () => {
      const { createSortedList } = await import('../pagination/sorted-list.ts');
      return createSortedList({
        start: (change) =>
          startFiltered({ ...request, ...change, query: change.isSorted ? query : unsorted }),
        canSort: dialect.sortParameter !== null,
        readFirst: (opposite) => readFirst({ ...query, sort: opposite }, parameters),
        sort,
        limit,
        observe,
      });
    });
  }

  function startFiltered(request: ListRequest): PagedList<T> {
    const { query, parameters } = request;
    // Only our service has such a list, and it reads every filter.
    if (resource.list.isUnversioned || Object.values(query).every((value) => value === undefined))
      return start(request);
    return openLater(async () => {
      const { createFilteredList } = await import('../pagination/filtered-list.ts');
      return createFilteredList({
        ...context,
        ...request,
        start: (change) => start({ ...request, ...change }),
        readFirst: (other) => readFirst(other, parameters),
        confirmed,
        dialect,
        isForeign: context.dialect.isForeign,
      });
    });
  }

  function start(request: ListRequest, of = context): PagedList<T> {
    const { query, limit, from } = request;
    const { mostDays } = dialect;
    if (mostDays === null) return startPages(request, of);
    if (from !== undefined)
      throw new SalonError('usage', 'A list that is read some days at a time cannot be resumed.');
    const startSpan = (range: QueryValues) =>
      startPages({ ...request, limit: undefined, query: { ...query, ...range } }, of);
    return openLater(async () => {
      const { createRangedList } = await import('../foreign/ranged-list.ts');
      return createRangedList({ start: startSpan, query, mostDays, limit, noun: resource.plural });
    });
  }

  function startPages(request: ListRequest, of: ApiContext): PagedList<T> {
    const { query, limit, parameters, from, concurrency = of.concurrency } = request;
    const fetchPage = createPages<T>(resource, of, {
      dialect,
      query: { ...query, ...(from && { per_page: from.perPage }) },
      // A page number is only valid with its page size, so a limit must not change the size.
      limit: from === undefined ? limit : undefined,
      parameters,
      isWhole: asksForAll(request, dialect.perPage),
    });
    return paginate(fetchPage, { ...request, concurrency, noun: resource.plural });
  }

  async function readFirst(query: QueryValues, parameters: ListOptions['parameters']): Promise<readonly T[]> {
    // Warnings about the list are reported when it is read.
    const silent = { ...context, observe: () => {} };
    if (dialect.mostDays !== null) {
      const list = start({ query, parameters, isSorted: query['sort'] !== undefined }, silent);
      for await (const { rows } of list) if (rows.length > 0) return rows;
      return [];
    }
    const fetchPage = createPages<T>(resource, silent, { dialect, query, limit: undefined, parameters });
    return (await fetchPage({ page: 1 }, new AbortController().signal)).rows;
  }
}

/** A list whose code is loaded with its first page. */
function openLater<T>(load: () => Promise<PagedList<T>>): PagedList<T> {
  let list: PagedList<T> | undefined;
  return {
    consistency: () => list?.consistency(),
    isSortedHere: () => list?.isSortedHere?.() === true,
    async *[Symbol.asyncIterator]() {
      list = await load();
      yield* list;
    },
  };
}

/** The pages of the documented API, or of a declared dialect, whose code is loaded with the first one. */
function createPages<T>(resource: ListResource, context: ApiContext, options: PageOptions): FetchPage<T> {
  if (!context.dialect.isForeign) return createOurPages(resource, context, options);
  let pages: Promise<FetchPage<T>> | undefined;
  return async (...request) => {
    pages ??= import('../foreign/pages.ts').then(({ createForeignPages }) =>
      createForeignPages<T>(resource, context, options),
    );
    return (await pages)(...request);
  };
}

/** Whether all pages are wanted. One response then costs the least, unless the caller or the server is set to pages. */
function asksForAll(
  { query, limit = Number.POSITIVE_INFINITY, parameters = {}, from }: ListRequest,
  perPage: number,
): boolean {
  if (limit <= perPage) return false;
  const hasPages = ['page', 'per_page', 'after'].some((name) => name in parameters);
  const isFirst = from === undefined ? query['per_page'] === undefined : from.cursor !== undefined;
  return isFirst && !hasPages;
}

export interface AnyListOptions {
  readonly query?: QueryValues | undefined;
  readonly limit?: number | undefined;
}

/** Starts from how the server's other lists are paged, if known, and remembers nothing of this one. */
export function openAnyList(
  context: ApiContext,
  address: string,
  { query = {}, limit }: AnyListOptions = {},
): PagedList<Fields> {
  const [path = '', search = ''] = address.split('?', 2);
  const given = {
    resources: {},
    listPath: '/{resource}',
    fieldsKey: null,
    fields: {},
    statuses: {},
    mostDays: null,
  };
  const { isForeign } = context.dialect;
  const known = { ...context.dialect.known(), ...(isForeign && given) };
  const plural = path.split('/').findLast((segment) => segment !== '') ?? 'rows';
  const list = { method: 'GET', path: `/${path.replace(/^\//, '')}`, isDocumented: true } as const;
  const parameters = { ...Object.fromEntries(new URLSearchParams(search)), ...toTexts(query) };
  const api: ApiContext['api'] = {
    ...context.api,
    endpoint: (_list, options) => context.api.path('GET', path, options).catch(throwUnpaged),
  };
  const dialect = createDialectSource(known, () => {});
  const resource = { plural, list: { ...list, summary: '', action: null, success: { status: 200 } } };
  return createList<Fields>(resource, { ...context, api, dialect, forms: undefined })(
    {},
    { limit, parameters },
  );

  /** What the service answers to `per_page` where it has no pages. */
  function throwUnpaged(thrown: unknown): never {
    const isUnknown =
      thrown instanceof SalonError && thrown.violations.some((one) => one.parameter === 'per_page');
    if (isForeign || !isUnknown || 'per_page' in parameters) throw thrown;
    throw new SalonError('usage', `${list.path} has no pages.`, { hint: 'Leave out --paginate.' });
  }
}
