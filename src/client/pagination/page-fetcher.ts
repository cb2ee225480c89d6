import { SalonError } from '../../contract/errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { quote } from '../http/quote.ts';
import type { QueryValues } from '../http/request-path.ts';
import { readHeader } from '../response-headers.ts';
import { explorePaging } from './explore-paging.ts';
import { type ListQuery, toCursorQuery, toPageAddress } from './list-query.ts';
import type { ListResponse } from './list-response.ts';
import type { FetchPage, PageRequest } from './page.ts';
import { pageSizeFor, readVersion, sizeAfter, toPageInfo } from './page-info.ts';
import {
  type ApiContext,
  createPageRequests,
  emptyPage,
  isPastEnd,
  type ListPage,
  type ListResource,
  mayConcern,
} from './page-requests.ts';

export interface PageFetcherOptions {
  readonly query: QueryValues;
  readonly limit: number | undefined;
  readonly parameters: Readonly<Record<string, string>> | undefined;
  /** Whether all pages are wanted, so that a server may send them in one response. */
  readonly isWhole?: boolean | undefined;
}

/** Fetches single pages in the server's dialect, which it detects with the first page. */
export function createPageFetcher<T>(
  resource: ListResource,
  context: ApiContext,
  { query, limit, parameters, isWhole = false }: PageFetcherOptions,
): FetchPage<T> {
  const { dialect, origin, observe } = context;
  const { per_page: givenSize = dialect.current().perPage, ...filters } = query;
  const requests = createPageRequests(resource, context, { isWhole });
  const maxSize = Number(givenSize);
  let size = pageSizeFor(limit, maxSize);
  let isSizeRejected = false;
  let rangeUnit: string | undefined;
  let isFirst = true;
  let hasTotal = false;
  let hasWarned = false;
  let isUnpaged = false;
  let contradiction: string | undefined;
  let isTotalWrong = false;
  /** Whether the other pages have the size requested, although the first one is shorter. */
  let areOfSize = false;
  return async (request, signal) => {
    const fetched = await (isFirst ? fetchFirst(request, signal) : fetch(request, signal));
    const { headers, list: parsed } = fetched;
    const list = isTotalWrong ? { ...parsed, total: undefined } : parsed;
    const version = readVersion(headers);
    if (version === undefined) for (const row of list.rows) context.forms.learn(resource.plural, row);
    return {
      rows: list.rows as readonly T[],
      page: request.page,
      requests: fetched.requests,
      total: list.total,
      version,
      supposedTotal: list.supposedTotal,
      contradiction,
      echo: list.page === undefined ? undefined : list.page.value + 1 - dialect.current().firstPage,
      info: toPageInfo(request, list, {
        dialect: isUnpaged ? { ...dialect.current(), paging: 'none' } : dialect.current(),
        origin,
        path: requests.path,
        continueAfter: (cursor) =>
          `${requests.path}?${toCursorQuery(cursor, toListQuery(), dialect.current())}`,
        onForeignLink: warnOfForeignLink,
      }),
    };
  };

  function toListQuery(): ListQuery {
    return { filters, parameters, size, sendsSize: !isSizeRejected, rangeUnit };
  }

  async function fetch({ page, link }: PageRequest, signal: AbortSignal): Promise<ListPage> {
    if (link !== undefined) return requests.readLink(link, signal);
    try {
      return await requests.read(toPageAddress(page, toListQuery(), dialect.current()), signal);
    } catch (thrown) {
      if (page > 1 && !isFirst && !hasTotal && isPastEnd(thrown)) return emptyPage;
      throw thrown;
    }
  }

  /** The other pages use what the first one reveals, because they are fetched concurrently. */
  async function fetchFirst(request: PageRequest, signal: AbortSignal): Promise<ListPage> {
    const fetched = await fetchSupportedSize(request, signal);
    const { list } = fetched;
    isFirst = false;
    hasTotal = list.total !== undefined;
    rangeUnit = list.range?.unit;
    if (request.link !== undefined) return fetched;
    if (request.page > 1) return confirmPage(fetched, request, signal);
    if (list.page?.value === 0) dialect.learn('firstPage', 0);
    const isEnough = list.rows.length >= (limit ?? Number.POSITIVE_INFINITY);
    if (!isEnough && mustExplore(fetched)) await explore(list, signal);
    if (!areOfSize) size = sizeAfter(list, size);
    return fetched;
  }

  /** A list resumed by number is read from its start if nothing shows that the server has this numbering. */
  async function confirmPage(
    fetched: ListPage,
    request: PageRequest,
    signal: AbortSignal,
  ): Promise<ListPage> {
    const { headers, list } = fetched;
    const isConfirmed = isPagingKnown(headers) || list.page?.value === request.page;
    if (isConfirmed || list.continuation.kind === 'link') return fetched;
    await fetchFirst({ page: 1 }, signal);
    return fetch(request, signal);
  }

  function isPagingKnown(headers: ListPage['headers']): boolean {
    const { paging, firstPage } = dialect.known();
    const isKnown = firstPage !== undefined || (paging !== undefined && paging !== 'none');
    return isKnown || readHeader(headers, 'salon-collection-version') !== undefined;
  }

  /** Retries with another page size if the server returns nothing for this one, and without it if it is rejected. */
  async function fetchSupportedSize(request: PageRequest, signal: AbortSignal): Promise<ListPage> {
    const first = await fetchWithSize(request, signal);
    const { rows, total, page, perPage, continuation } = first.list;
    if (rows.length > 0 || total === 0 || request.page > 1 || request.link !== undefined) return first;
    if (total !== undefined) {
      if (size === maxSize) return first;
      size = maxSize;
      return fetchWithSize(request, signal);
    }
    const { kind } = continuation;
    const isDescribed = page !== undefined || perPage !== undefined || (kind !== 'unknown' && kind !== 'end');
    if (isDescribed || isSizeRejected || dialect.known().perPageParameter !== undefined) return first;
    // A server may filter by every parameter it does not know.
    isSizeRejected = true;
    const unsized = await fetch(request, signal);
    isSizeRejected = unsized.list.rows.length > 0;
    if (isSizeRejected) dialect.learn('perPageParameter', null);
    return isSizeRejected ? unsized : first;
  }

  async function fetchWithSize(request: PageRequest, signal: AbortSignal): Promise<ListPage> {
    try {
      return await fetch(request, signal);
    } catch (thrown) {
      const name = dialect.current().perPageParameter;
      if (name === null || request.link !== undefined || !mayConcern(thrown, name)) throw thrown;
      isSizeRejected = true;
      const fetched = await fetch(request, signal);
      dialect.learn('perPageParameter', null);
      return fetched;
    }
  }

  /** Whether the first page does not show how to read the others. */
  function mustExplore({ headers, list }: ListPage): boolean {
    const { continuation, rows, total, page } = list;
    const { paging, pageParameter = 'page' } = dialect.known();
    const { kind } = continuation;
    if (rows.length === 0 || kind === 'link' || kind === 'end') return false;
    if (kind === 'cursor') return paging !== 'cursor';
    if (isPagingKnown(headers)) return false;
    if (kind === 'more') return true;
    // A total lower than the rows is wrong, and that of a full page may only count the page.
    const isFull = rows.length === (list.perPage ?? size);
    if (paging === 'none' || (total === rows.length && !isFull)) return false;
    // A page number under the name of the parameter shows that the server has the parameter.
    return (
      total === undefined ||
      total === rows.length ||
      page === undefined ||
      !page.name.endsWith(pageParameter ?? '')
    );
  }

  async function explore(first: ListResponse, signal: AbortSignal): Promise<void> {
    const { perPageParameter } = dialect.current();
    const finding = await explorePaging({
      first,
      dialect: dialect.current(),
      isOpen: dialect.isOpen,
      list: toListQuery(),
      async tryRead(address) {
        const read = await requests.tryRead(address, signal);
        return read instanceof SalonError ? read : read.list;
      },
    });
    requests.keep(finding.kind === 'found' ? finding.second : undefined);
    if (finding.kind === 'found') {
      learn(finding.candidate);
      isTotalWrong = first.total !== undefined && first.total <= first.rows.length;
      isSizeRejected &&= dialect.current().perPageParameter === perPageParameter;
      areOfSize = finding.isOfSize === true;
      return;
    }
    isUnpaged = true;
    if (finding.kind === 'ended' && finding.candidate !== undefined) learn(finding.candidate);
    const isExplained =
      first.continuation.kind !== 'unknown' || first.total !== undefined || first.pages !== undefined;
    if (finding.kind === 'ended' || isExplained) return;
    const { length } = first.rows;
    const isFull = length === first.perPage || length === size || usualPageSize.test(String(length));
    if (finding.kind === 'filtered') contradiction = 'page 1 is empty when it is requested by its number';
    else if (isFull) contradiction = `the server shows no page but one of ${length}, which looks full`;
    if (contradiction !== undefined) return;
    const message = `The server shows no page but one of ${length} ${resource.plural}: it does not paginate, or not in a known way.`;
    observe({ type: 'warning', message });
    // With fewer rows than requested, the server may not have had a second page yet.
    if (first.rows.length > size) learn({ paging: 'none', pageParameter: null });
  }

  function learn(found: Partial<Dialect>): void {
    for (const [part, value] of Object.entries(found)) dialect.learn(part as keyof Dialect, value as never);
  }

  function warnOfForeignLink(link: string): void {
    if (hasWarned) return;
    hasWarned = true;
    const message = `The next page is on another server (${quote(link, 120)}). This link is not followed.`;
    observe({ type: 'warning', message });
  }
}

/** As many rows as servers put on a page by default, or at most. */
const usualPageSize = /^(?:[1235]|25)0+$|^25$/;
