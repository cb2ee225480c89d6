import { SalonError } from '../../contract/errors.ts';
import { toSettingName } from '../../settings.ts';
import { quote } from '../../text/quote.ts';
import type { ApiContext, ListResource, PageOptions } from '../api-context.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { toServerPath } from '../dialect/record-form.ts';
import type { ApiResponse } from '../http/decode.ts';
import {
  countHidden,
  type ListQuery,
  type PageAddress,
  toCursorQuery,
  toPageAddress,
} from '../pagination/list-query.ts';
import { type FetchPage, keyOf, type PageRequest, pageSizeFor } from '../pagination/page.ts';
import { emptyPage, type ListResponse, parseListResponse } from './list-response.ts';
import { sizeAfter, toPageInfo } from './page-info.ts';

/**
 * Fetches the pages of a list as its dialect declares. Throws `unexpected_response`, naming the setting, for a page that
 * contradicts it.
 */
export function createForeignPages<T>(
  { plural, list: endpoint }: ListResource,
  context: ApiContext,
  { dialect, query, limit, parameters }: PageOptions,
): FetchPage<T> {
  const { api, origin, observe, forms } = context;
  const { per_page: givenSize = dialect.perPage, ...filters } = query;
  const path = toServerPath(endpoint.path, dialect);
  const nouns = [plural, path.split('/').filter(Boolean).at(-1) ?? plural];
  let size = pageSizeFor(limit, Number(givenSize));
  let rangeUnit: string | undefined;
  let isFirst = true;
  let isSizeRefused = false;
  let hasTotal = false;
  let hasWarned = false;
  return async (request, signal) => {
    const list = await fetch(request, signal);
    const isStart = request.link === undefined && request.page === 1;
    if (isFirst && isStart) await checkFirst(list, signal);
    if (isFirst) {
      isFirst = false;
      hasTotal = list.total !== undefined;
      rangeUnit = list.range?.unit;
      if (isStart) size = sizeAfter(list, size);
    }
    return {
      rows: list.rows as readonly T[],
      page: request.page,
      total: list.total,
      version: undefined,
      supposedTotal: list.supposedTotal,
      echo: list.page === undefined ? undefined : list.page.value + 1 - dialect.firstPage,
      info: toPageInfo(request, list, {
        ...{ dialect, origin, path, onForeignLink: warnOfForeignLink },
        continueAfter: (cursor) => `${path}?${toCursorQuery(cursor, toListQuery(), dialect)}`,
      }),
    };
  };

  function toListQuery(): ListQuery {
    return { filters, parameters, size, sendsSize: !isSizeRefused, rangeUnit };
  }

  async function fetch({ page, link }: PageRequest, signal: AbortSignal): Promise<ListResponse> {
    if (link !== undefined) return readLink(link, signal);
    try {
      return await read(toPageAddress(page, toListQuery(), dialect), signal);
    } catch (thrown) {
      const sizeName = dialect.perPageParameter;
      if (sizeName !== null && isFirst && !isSizeRefused && mayConcern(thrown, sizeName)) {
        isSizeRefused = true;
        return fetch({ page }, signal);
      }
      // Some servers respond with an error instead of an empty page.
      const isPastEnd = thrown instanceof SalonError && (thrown.status === 404 || thrown.status === 416);
      if (page > 1 && !isFirst && !hasTotal && isPastEnd) return emptyPage;
      throw thrown;
    }
  }

  async function read(address: PageAddress, signal: AbortSignal): Promise<ListResponse> {
    return parse(await api.endpoint(endpoint, { ...address, signal }));
  }

  /** Reads a page by a link of the server, which may be relative to the list. */
  async function readLink(link: string, signal: AbortSignal): Promise<ListResponse> {
    const { pathname, search, searchParams } = new URL(link, origin + path);
    // A server behind a proxy may not know its own address, so a link to the same list keeps ours.
    if (pathname.endsWith(path)) return read({ query: searchParams, headers: undefined }, signal);
    return parse(await api.path('GET', pathname + search, { signal }));
  }

  async function parse(response: ApiResponse): Promise<ListResponse> {
    const list = parseListResponse(response, dialect, nouns);
    await forms?.learn(plural, list.rows);
    const { map } = context.dialect.of(plural);
    return map === undefined ? list : { ...list, rows: list.rows.map(map.read) };
  }

  /** Throws if the first page shows that the list is paged in another way than its dialect declares. */
  async function checkFirst(list: ListResponse, signal: AbortSignal): Promise<void> {
    const { rows, total, page } = list;
    const { firstPage, paging, perPageParameter } = dialect;
    const count = `${rows.length} ${plural}`;
    if (total !== undefined && total < rows.length)
      throw contradiction(`the total is ${total} beside ${count}`, 'totalKey');
    const isNumbered = paging === 'page' && rows.length > 0 && page !== undefined;
    if (isNumbered && page.value < 2 && page.value !== firstPage)
      throw contradiction(`the first page is number ${page.value} (${page.name})`, 'firstPage');
    const isEnough = rows.length >= (limit ?? Number.POSITIVE_INFINITY);
    if (paging === 'unknown' && !isEnough && looksFull(list, size))
      throw contradiction(`a page of ${count} may not be all`, 'paging');
    if (total === rows.length && !isEnough && (await isCountOfPage(list, signal)))
      throw contradiction(`the total is ${total}, and the next page has more`, 'totalKey');
    if (rows.length > 0 || perPageParameter === null || (total ?? 0) > 0) return;
    const bare = { query: new URLSearchParams(parameters), headers: undefined };
    const hidden = await countHidden(filters, () => read(bare, signal));
    if (hidden === 0) return;
    const fact = `there are no ${plural} with ${perPageParameter}=${size}, and ${hidden} without it`;
    throw contradiction(fact, 'perPageParameter');
  }

  /** Whether a total that is as large as a full page counts that page alone: then the next one has other rows. */
  async function isCountOfPage(list: ListResponse, signal: AbortSignal): Promise<boolean> {
    const { paging, pageParameter } = dialect;
    if (!/^(?:page|offset)$/.test(paging) || pageParameter === null || !looksFull(list, size)) return false;
    if (list.continuation.kind !== 'unknown' || list.pages !== undefined) return false;
    const own = { ...toListQuery(), size: sizeAfter(list, size) };
    const next = await read(toPageAddress(2, own, dialect), signal).catch((thrown: unknown) => {
      if (!(thrown instanceof SalonError) || thrown.retryable) throw thrown;
    });
    const keys = new Set(list.rows.map(keyOf));
    return next?.rows.some((row) => !keys.has(keyOf(row))) === true;
  }

  function contradiction(fact: string, part: keyof Dialect): SalonError {
    const name = toSettingName(part);
    const setting = part in (dialect.lists[plural] ?? {}) ? `lists.${plural}.${name}` : name;
    const message = `The server contradicts its dialect, where ${setting} is ${JSON.stringify(dialect[part])}: ${fact}.`;
    const hint = `If another value is right: "salon profiles set <profile> ${setting} <value>" (docs/other-servers.md). To find it out: "salon profiles detect".`;
    return new SalonError('unexpected_response', message, { hint, members: { setting } });
  }

  function warnOfForeignLink(link: string): void {
    if (hasWarned) return;
    hasWarned = true;
    const message = `The next page is on another server (${quote(link, 120)}). This link is not followed.`;
    observe({ type: 'warning', message });
  }
}

/** Whether an error may be about a parameter: it names this one, or none. */
function mayConcern(thrown: unknown, parameter: string): boolean {
  if (!(thrown instanceof SalonError) || (thrown.status !== 400 && thrown.status !== 422)) return false;
  const named = thrown.violations.filter((violation) => violation.parameter !== undefined);
  return named.length === 0 || named.some((violation) => violation.parameter === parameter);
}

/** Whether a page without any sign of another one has as many rows as servers put on a page. */
export function looksFull({ rows, perPage }: ListResponse, size: number): boolean {
  return rows.length === perPage || rows.length === size || usualPageSize.test(String(rows.length));
}

/** As many rows as servers put on a page by default, or at most. */
const usualPageSize = /^(?:[1235]0+|[12]50*)$/;
