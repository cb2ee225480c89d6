import type { Endpoint } from '../../contract/endpoint.ts';
import { SalonError } from '../../contract/errors.ts';
import type { DialectDetector, ServerForms } from '../dialect/dialect.ts';
import { toServerPath } from '../dialect/record-form.ts';
import type { Observe } from '../events.ts';
import type { ApiRequester } from '../http/api-requester.ts';
import type { ApiResponse } from '../http/decode.ts';
import type { PageAddress } from './list-query.ts';
import { type ListResponse, parseListResponse } from './list-response.ts';
import {
  isCut,
  notAcceptable,
  openWholeResponse,
  type WholeResponse,
  wholeListHeaders,
} from './whole-response.ts';

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
  /** Of times without one. */
  readonly timeZone: () => string;
  readonly forms: ServerForms;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface ListPage {
  readonly headers: ApiResponse['headers'];
  readonly list: ListResponse;
  /** How many requests it took, if it is a part of a whole list. */
  readonly requests?: number;
}

/** `isWhole`: the whole list is wanted, if possible in one response. It is closed with the signal of its requests. */
export function createPageRequests(
  { plural, list: endpoint }: ListResource,
  { api, dialect, origin }: ApiContext,
  { isWhole }: { readonly isWhole: boolean },
) {
  const path = toServerPath(endpoint.path, dialect.current());
  const nouns = [plural, path.split('/').filter(Boolean).at(-1) ?? plural];
  const tried = new Map<string, ListPage>();
  let asksForAll = isWhole && endpoint.isStreamed === true;
  let whole: WholeResponse | undefined;
  let headersOfWhole: ApiResponse['headers'] = {};
  return {
    /** Path of the list below the prefix. */
    path,
    read: readOnce,
    /** Reads a page by a link of the server, which may be relative to the list. */
    async readLink(link: string, signal: AbortSignal) {
      if (whole?.link === link) return readRest(link, signal);
      const { pathname, search, searchParams } = new URL(link, origin + path);
      // A server behind a proxy may not know its own address, so a link to the same list keeps ours.
      if (pathname.endsWith(path)) return readOnce({ query: searchParams, headers: undefined }, signal);
      return toPage(await api.path('GET', pathname + search, { signal }));
    },
    /** Reads a page that may not exist: an empty one if it does not, the error if the server rejects the request. */
    async tryRead(address: PageAddress, signal: AbortSignal) {
      try {
        const page = await read(address, signal);
        tried.set(toKey(address), page);
        return page;
      } catch (thrown) {
        if (isPastEnd(thrown)) return emptyPage;
        if (thrown instanceof SalonError && rejections.includes(thrown.status ?? 0)) return thrown;
        throw thrown;
      }
    },
    /** Keeps only this one of the pages tried: the next request for it returns it. */
    keep(wanted: ListResponse | undefined) {
      for (const [key, { list }] of tried) if (list !== wanted) tried.delete(key);
    },
  };

  /** The next part of the whole list; requests the rest if the response was cut. */
  async function readRest(link: string, signal: AbortSignal): Promise<ListPage> {
    try {
      return await readPart(0);
    } catch (thrown) {
      if (!isCut(thrown)) throw thrown;
      return read({ query: new URL(link, origin).searchParams, headers: undefined }, signal);
    }
  }

  async function readPart(count: number): Promise<ListPage> {
    const list = await whole?.next();
    if (list === undefined) throw new RangeError('The list has ended.');
    return { headers: headersOfWhole, list, requests: count };
  }

  async function readOnce(address: PageAddress, signal: AbortSignal): Promise<ListPage> {
    if (tried.size === 0) return read(address, signal);
    const known = tried.get(toKey(address));
    tried.delete(toKey(address));
    return known ?? read(address, signal);
  }

  async function read(address: PageAddress, signal: AbortSignal): Promise<ListPage> {
    for (let requests = 1; asksForAll; requests += 1) {
      const response = await requestAll(address, signal);
      if (response === undefined) break;
      if (response.stream === undefined) {
        asksForAll = false;
        return toPage(response);
      }
      try {
        return await readPart(requests);
      } catch (thrown) {
        if (!isCut(thrown) || requests === maxAttempts) throw thrown;
      }
    }
    return toPage(await api.endpoint(endpoint, { ...address, signal }));
  }

  /** Requests the whole list; undefined if the server understands something else by that. */
  async function requestAll({ query }: PageAddress, signal: AbortSignal): Promise<ApiResponse | undefined> {
    const toLink = (cursor: string) => {
      const rest = new URLSearchParams(query);
      rest.set('after', cursor);
      return `${path}?${rest}`;
    };
    try {
      const request = { query, headers: wholeListHeaders, signal, streams: true };
      const response = await api.endpoint(endpoint, request);
      if (response.stream === undefined) return response;
      whole = openWholeResponse(response, { origin, toLink });
      headersOfWhole = response.headers;
      if (whole !== undefined) return response;
      response.stream.cancel();
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || !notAcceptable.includes(thrown.status ?? 0)) throw thrown;
    }
    asksForAll = false;
    return undefined;
  }

  function toPage(response: ApiResponse): ListPage {
    return { headers: response.headers, list: parseListResponse(response, dialect.current(), nouns) };
  }
}

/** How often a whole list is requested without getting any of its rows. */
const maxAttempts = 4;

function toKey({ query, headers }: PageAddress): string {
  return `${query} ${headers?.['range'] ?? ''}`;
}

const rejections = [400, 401, 403, 405, 422, 500, 501];

/** Whether a server has no such page: some respond with an error instead of an empty page. */
export function isPastEnd(thrown: unknown): boolean {
  return thrown instanceof SalonError && (thrown.status === 404 || thrown.status === 416);
}

/** Whether an error may be about a parameter: it names this one, or none. */
export function mayConcern(thrown: unknown, parameter: string): boolean {
  if (!(thrown instanceof SalonError) || (thrown.status !== 400 && thrown.status !== 422)) return false;
  const named = thrown.violations.filter((violation) => violation.parameter !== undefined);
  return named.length === 0 || named.some((violation) => violation.parameter === parameter);
}

/** What is read past the end of a list. */
export const emptyPage: ListPage = {
  headers: {},
  list: { rows: [], continuation: { kind: 'end', name: 'status 404' } },
};
