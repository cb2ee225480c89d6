import type { Endpoint } from '../../contract/endpoint.ts';
import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { DialectDetector } from '../dialect/dialect.ts';
import type { Observe } from '../events.ts';
import { headerOf } from '../headers.ts';
import type { ApiRequester, QueryValues } from '../http/api-requester.ts';
import type { ApiResponse } from '../http/decode.ts';
import { toQuote } from '../http/quote.ts';
import { type Envelope, isBarePage, toEnvelope } from './list-response.ts';
import type { ReadPage } from './page.ts';
import { type Place, pageSizeFor } from './page-plan.ts';

/** A list endpoint and the plural noun for its records. */
export interface ListResource {
  readonly plural: string;
  readonly list: Endpoint;
}

export interface ListParts {
  readonly origin: string;
  readonly call: ApiRequester;
  readonly dialect: DialectDetector;
  readonly observe: Observe;
  /** Requests side by side. */
  readonly concurrency: number;
}

export interface ListRequest {
  readonly query: QueryValues;
  readonly limit: number | undefined;
  readonly parameters: Readonly<Record<string, string>> | undefined;
}

/** Reads single pages of a list in the server's dialect, and learns the dialect from the first of them. */
export function createPageReader<T>(kind: ListResource, parts: ListParts, request: ListRequest): ReadPage<T> {
  const { call, dialect } = parts;
  const { per_page: most = pageSizes.most } = request.query;
  let size = pageSizeFor(request.limit, Number(most));
  let isSizeRefused = false;
  let isFirst = true;
  return async (place, signal) => {
    const { answer, envelope } = await (isFirst ? readFirst(place, signal) : read(place, signal));
    const link = readLink(envelope.next);
    const next = link?.text;
    return {
      rows: envelope.rows as readonly T[],
      page: place.page,
      total: envelope.total,
      version: toVersion(headerOf(answer.headers, 'salon-collection-version')),
      echo: envelope.page,
      facts: {
        place,
        count: envelope.rows.length,
        total: envelope.total,
        perPage: envelope.perPage,
        next,
        cursor: link !== undefined && isCursor(link) ? next : undefined,
        // A link that leads elsewhere is not followed, so it cannot say where the list ends either.
        isLinked: envelope.isLinked && next === envelope.next,
        isNumbered: isNumbered(link, place),
        isBare: isBarePage(envelope, size),
      },
    };
  };

  /** What the first page teaches holds for the others, which are read side by side. */
  async function readFirst(place: Place, signal: AbortSignal) {
    const first = await readWithSize(place, signal);
    const { rows, total = 0 } = first.envelope;
    // Some servers know a few sizes alone, and have nothing to say to any other.
    const isUnknownSize = rows.length === 0 && total > 0 && place.page === 1 && size < Number(most);
    if (isUnknownSize) size = Number(most);
    const read = isUnknownSize ? await readWithSize(place, signal) : first;
    isFirst = false;
    learnFrom(read.envelope);
    return read;
  }

  async function read(place: Place, signal: AbortSignal) {
    const answer = await ask(place, signal);
    return { answer, envelope: toEnvelope(answer, dialect.current(), kind.plural) };
  }

  /** A server that refuses the page size is asked again without one. */
  async function readWithSize(place: Place, signal: AbortSignal) {
    try {
      return await read(place, signal);
    } catch (thrown) {
      const name = dialect.current().perPageParameter;
      if (name === null || place.link !== undefined || !mayConcern(thrown, name)) throw thrown;
      isSizeRefused = true;
      const answered = await read(place, signal);
      dialect.learn('perPageParameter', null);
      return answered;
    }
  }

  function ask(place: Place, signal: AbortSignal): Promise<ApiResponse> {
    if (place.link === undefined) return call.endpoint(kind.list, { query: toQuery(place), signal });
    const { pathname, search, searchParams } = new URL(place.link, parts.origin + kind.list.path);
    // Behind a proxy a server may not know its own path, so only a link to something else is taken whole.
    if (pathname.endsWith(kind.list.path)) return call.endpoint(kind.list, { query: searchParams, signal });
    return call.path('GET', pathname + search, { signal });
  }

  function toQuery(place: Place): QueryValues {
    const { filterNames, pageParameter, perPageParameter } = dialect.current();
    const { per_page: _size, ...filters } = request.query;
    const named = Object.entries(filters).map(([name, value]) => [
      Object.hasOwn(filterNames, name) ? filterNames[name] : name,
      value,
    ]);
    return {
      ...Object.fromEntries(named),
      ...(perPageParameter === null || isSizeRefused ? {} : { [perPageParameter]: size }),
      ...(pageParameter === null || place.page === 1 ? {} : { [pageParameter]: place.page }),
      ...request.parameters,
    };
  }

  /** Where addresses are without numbers, asking by number would lead back to the first page. */
  function isNumbered(next: Link | undefined, { page, link }: Place): boolean {
    const { pageParameter } = dialect.current();
    if (pageParameter === null) return false;
    if (next !== undefined) return next.parameters.get(pageParameter) === String(page + 1);
    return link === undefined || toLink(link)?.parameters.get(pageParameter) === String(page);
  }

  function learnFrom({ rowsKey, totalKey }: Envelope): void {
    dialect.learn('rowsKey', rowsKey);
    if (totalKey !== null) dialect.learn('totalKey', totalKey);
  }

  /** The link to the next page, if it stays with this server. */
  function readLink(text: string | undefined): Link | undefined {
    const link = text === undefined ? undefined : toLink(text);
    if (text === undefined || link !== undefined) return link;
    const message = `The server links its next page elsewhere (${toQuote(text, 120)}); the link is not followed.`;
    parts.observe({ type: 'warning', message });
    return undefined;
  }

  function toLink(text: string): Link | undefined {
    const url = URL.parse(text, parts.origin);
    return url?.origin === parts.origin ? { text, parameters: url.searchParams } : undefined;
  }
}

/** An address of this server as it was given, and the parameters in it. */
interface Link {
  readonly text: string;
  readonly parameters: URLSearchParams;
}

/** Whether a link names the place behind a row, as this contract's `after` does. */
function isCursor({ parameters }: Link): boolean {
  return parameters.has('after') || parameters.has('cursor');
}

/** Whether a refusal may be about a parameter: it names it, or names none. */
function mayConcern(thrown: unknown, parameter: string): boolean {
  if (!(thrown instanceof SalonError) || (thrown.status !== 400 && thrown.status !== 422)) return false;
  const named = thrown.violations.filter((violation) => violation.parameter !== undefined);
  return named.length === 0 || named.some((violation) => violation.parameter === parameter);
}

function toVersion(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
