import { SalonError } from '../../contract/errors.ts';
import type { ApiContext, ListResource, PageOptions } from '../api-context.ts';
import { detectHint } from '../http/api-requester.ts';
import type { ApiResponse } from '../http/decode.ts';
import { type Fields, isFields } from '../json-object.ts';
import { countHidden } from '../pagination/list-query.ts';
import { type FetchedPage, type FetchPage, type PageRequest, pageSizeFor } from '../pagination/page.ts';
import { parseLinks, readRequestId, readVersion } from '../response-headers.ts';
import { createWholeList } from './whole-list.ts';

/**
 * Fetches the pages of a list as the API is documented: by `page` and `per_page`, with `data` and `pagination`. From our
 * own service they have a version and cursors, too. Throws `unexpected_response` for any other list.
 */
export function createOurPages<T>(
  { plural, list: endpoint }: ListResource,
  { api, dialect, origin }: ApiContext,
  { query: { per_page: givenSize, ...filters }, limit, parameters, isWhole = false }: PageOptions,
): FetchPage<T> {
  const size = pageSizeFor(limit, Number(givenSize ?? dialect.current().perPage));
  const { path } = endpoint;
  const read = async (query: URLSearchParams, signal: AbortSignal) =>
    parsePage(await api.endpoint(endpoint, { query, signal }), plural);
  const whole =
    isWhole && endpoint.isStreamed === true ? createWholeList(endpoint, { api, origin }) : undefined;
  return async (request, signal) => {
    const { link } = request;
    const query = link === undefined ? toQuery(request) : new URL(link, origin + path).searchParams;
    const part = await whole?.read(query, link, signal);
    if (part === undefined || 'response' in part) {
      const page = part ? parsePage(part.response, plural) : await read(query, signal);
      if (page.rows.length === 0 && request.page === 1 && page.version === undefined)
        await assertEmpty(signal);
      return toFetchedPage(request, page, path);
    }
    const { rows, total, version, cursor, requests } = part;
    return {
      ...{ rows: rows as readonly T[], page: request.page, requests, total, version, echo: undefined },
      info: {
        ...{ request, count: rows.length, total, perPage: undefined, next: cursor, cursor },
        ...{ isEnd: cursor === undefined, more: undefined, isNumbered: false },
      },
    };
  };

  async function assertEmpty(signal: AbortSignal): Promise<void> {
    const hidden = await countHidden(filters, () => read(new URLSearchParams(parameters), signal));
    if (hidden === 0) return;
    const message = `There are no ${plural} with per_page=${size}, and ${hidden} without it.`;
    throw new SalonError('unexpected_response', message, { hint: detectHint });
  }

  /** The first page needs no number, and the caller's own parameters replace all others. */
  function toQuery({ page }: PageRequest): URLSearchParams {
    const query = new URLSearchParams();
    const position = page > 1 ? { page } : {};
    for (const [name, value] of Object.entries({ ...filters, per_page: size, ...position, ...parameters }))
      if (value !== undefined) query.set(name, String(value));
    return query;
  }
}

/** A page of the document, with what our service adds to it. */
interface OurPage {
  readonly rows: readonly Fields[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly version: number | undefined;
  /** The link to the next page; null on the last one, undefined from a server without links. */
  readonly next: string | null | undefined;
}

function toFetchedPage<T>(request: PageRequest, page: OurPage, path: string): FetchedPage<T> {
  const { rows, total, perPage, version, next } = page;
  const cursor = next && isCursor(next, path) ? next : undefined;
  return {
    ...{
      rows: rows as readonly unknown[] as readonly T[],
      page: request.page,
      total,
      version,
      echo: page.page,
    },
    info: {
      ...{ request, count: rows.length, total, perPage, next: cursor, cursor, more: undefined },
      isEnd: next === null,
      isNumbered: true,
    },
  };
}

function isCursor(link: string, path: string): boolean {
  const { pathname = '', searchParams } = URL.parse(link, 'http://service') ?? {};
  return searchParams?.has('after') === true && pathname.endsWith(path);
}

function parsePage(response: ApiResponse, plural: string): OurPage {
  const { body, headers } = response;
  const { data, pagination } = isFields(body) ? body : {};
  const { page, per_page: perPage, total } = isFields(pagination) ? pagination : {};
  if (!Array.isArray(data) || !data.every(isFields) || ![page, perPage, total].every(isCount))
    throw notDocumented(response, plural);
  const links = parseLinks(headers);
  return {
    ...{ rows: data, page: Number(page), perPage: Number(perPage), total: Number(total) },
    version: readVersion(headers),
    next: links.size === 0 ? undefined : (links.get('next') ?? null),
  };
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function notDocumented({ status, headers, body }: ApiResponse, plural: string): SalonError {
  const isList = Array.isArray(body) || (isFields(body) && Object.values(body).some(Array.isArray));
  const found = isList ? `its list of ${plural} has another form` : `it has no list of ${plural} there`;
  return new SalonError(
    'unexpected_response',
    `This server does not speak the documented API: it answered ${status}, and ${found}.`,
    { status, hint: detectHint, requestId: readRequestId(headers) },
  );
}
