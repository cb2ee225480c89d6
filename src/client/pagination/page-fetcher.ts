import type { Endpoint } from '../../contract/endpoint.ts';
import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { DialectDetector } from '../dialect/dialect.ts';
import type { Observe } from '../events.ts';
import { readHeader } from '../headers.ts';
import type { ApiRequester } from '../http/api-requester.ts';
import type { ApiResponse } from '../http/decode.ts';
import { quote } from '../http/quote.ts';
import type { QueryValues } from '../http/request-path.ts';
import { type ListResponse, mayBeWholeList, parseListResponse } from './list-response.ts';
import type { FetchPage, PageRequest } from './page.ts';
import { pageSizeFor } from './page-plan.ts';

/** A list endpoint and the plural noun for its records. */
export interface ListResource {
  readonly plural: string;
  readonly list: Endpoint;
}
export interface ApiContext {
  readonly origin: string;
  readonly api: ApiRequester;
  readonly dialect: DialectDetector;
  readonly observe: Observe;
  readonly concurrency: number;
}

export interface PageFetcherOptions {
  readonly query: QueryValues;
  readonly limit: number | undefined;
  readonly parameters: Readonly<Record<string, string>> | undefined;
}

/** Fetches single pages in the server's dialect, which it detects with the first page. */
export function createPageFetcher<T>(
  resource: ListResource,
  { api, dialect, origin, observe }: ApiContext,
  { query, limit, parameters }: PageFetcherOptions,
): FetchPage<T> {
  const { per_page: givenSize = pageSizes.max, ...filters } = query;
  const maxSize = Number(givenSize);
  let size = pageSizeFor(limit, maxSize);
  let isSizeRejected = false;
  let isFirst = true;
  return async (request, signal) => {
    const { response, list } = await (isFirst ? fetchFirst(request, signal) : fetch(request, signal));
    const link = parseNextLink(list.next);
    const next = link?.text;
    return {
      rows: list.rows as readonly T[],
      page: request.page,
      total: list.total,
      version: toVersion(readHeader(response.headers, 'salon-collection-version')),
      echo: list.page,
      info: {
        request,
        count: list.rows.length,
        total: list.total,
        perPage: list.perPage,
        next,
        cursor: link !== undefined && isCursor(link) ? next : undefined,
        // A link to another server is not followed, so it does not show where the list ends.
        isLinked: list.isLinked && next === list.next,
        isNumbered: isNumbered(link, request),
        mayBeWholeList: mayBeWholeList(list, size),
      },
    };
  };

  /** The other pages use what the first one reveals, because they are fetched concurrently. */
  async function fetchFirst(request: PageRequest, signal: AbortSignal) {
    const first = await fetchWithSize(request, signal);
    const { rows, total = 0 } = first.list;
    // Some servers return nothing for a page size they do not support.
    const isUnsupportedSize = rows.length === 0 && total > 0 && request.page === 1 && size < maxSize;
    if (isUnsupportedSize) size = maxSize;
    const fetched = isUnsupportedSize ? await fetchWithSize(request, signal) : first;
    isFirst = false;
    learnFrom(fetched.list);
    return fetched;
  }

  async function fetch(request: PageRequest, signal: AbortSignal) {
    const response = await send(request, signal);
    return { response, list: parseListResponse(response, dialect.current(), resource.plural) };
  }

  /** Retries without the page size if the server rejects it. */
  async function fetchWithSize(request: PageRequest, signal: AbortSignal) {
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

  function send(request: PageRequest, signal: AbortSignal): Promise<ApiResponse> {
    const { list } = resource;
    if (request.link === undefined) return api.endpoint(list, { query: toQuery(request), signal });
    const { pathname, search, searchParams } = new URL(request.link, origin + list.path);
    // A server behind a proxy may not know its own path, so a link to the same list keeps our path.
    if (pathname.endsWith(list.path)) return api.endpoint(list, { query: searchParams, signal });
    return api.path('GET', pathname + search, { signal });
  }

  function toQuery({ page }: PageRequest): QueryValues {
    const { filterNames, pageParameter, perPageParameter } = dialect.current();
    const renamed = Object.entries(filters).map(([name, value]) => [
      Object.hasOwn(filterNames, name) ? filterNames[name] : name,
      value,
    ]);
    return {
      ...Object.fromEntries(renamed),
      ...(perPageParameter === null || isSizeRejected ? {} : { [perPageParameter]: size }),
      ...(pageParameter === null || page === 1 ? {} : { [pageParameter]: page }),
      ...parameters,
    };
  }

  /** If links have no page numbers, requesting a number would return the first page. */
  function isNumbered(next: Link | undefined, { page, link }: PageRequest): boolean {
    const { pageParameter } = dialect.current();
    if (pageParameter === null) return false;
    if (next !== undefined) return next.parameters.get(pageParameter) === String(page + 1);
    return link === undefined || parseLink(link)?.parameters.get(pageParameter) === String(page);
  }

  function learnFrom({ rowsKey, totalKey }: ListResponse): void {
    dialect.learn('rowsKey', rowsKey);
    if (totalKey !== null) dialect.learn('totalKey', totalKey);
  }

  function parseNextLink(text: string | undefined): Link | undefined {
    const link = text === undefined ? undefined : parseLink(text);
    if (text === undefined || link !== undefined) return link;
    const message = `The next page is on another server (${quote(text, 120)}). This link is not followed.`;
    observe({ type: 'warning', message });
    return undefined;
  }

  function parseLink(text: string): Link | undefined {
    const url = URL.parse(text, origin);
    return url?.origin === origin ? { text, parameters: url.searchParams } : undefined;
  }
}

/** A link to this server, unchanged, and its query parameters. */
interface Link {
  readonly text: string;
  readonly parameters: URLSearchParams;
}

/** Whether a link continues after a row, as the contract's `after` does. */
function isCursor({ parameters }: Link): boolean {
  return parameters.has('after') || parameters.has('cursor');
}

/** Whether an error may be about a parameter: it names this one, or none. */
function mayConcern(thrown: unknown, parameter: string): boolean {
  if (!(thrown instanceof SalonError) || (thrown.status !== 400 && thrown.status !== 422)) return false;
  const named = thrown.violations.filter((violation) => violation.parameter !== undefined);
  return named.length === 0 || named.some((violation) => violation.parameter === parameter);
}

function toVersion(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
