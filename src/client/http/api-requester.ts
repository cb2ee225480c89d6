import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { candidatePrefixes, type DialectDetector } from '../dialect/dialect.ts';
import type { BaseAddress } from './base-url.ts';
import { type ApiResponse, decodeAny, decodeJson } from './decode.ts';
import { decodeError, problemCodeOf } from './decode-error.ts';
import { toQuote } from './quote.ts';
import type { Exchanged, RetryingSender } from './retrying-sender.ts';
import type { Outgoing, RawResponse } from './send.ts';

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly query?: QueryValues | URLSearchParams | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiRequesterOptions {
  readonly address: BaseAddress;
  readonly exchange: RetryingSender;
  readonly dialect: DialectDetector;
  readonly headers: Readonly<Record<string, string>>;
  readonly now: () => number;
  readonly createKey: () => string;
}

export interface ApiRequester {
  /** Calls an endpoint of the contract. Throws `not_supported` where the server lacks an extension. */
  endpoint(
    endpoint: Endpoint,
    parcel?: RequestOptions & { readonly id?: string | undefined },
  ): Promise<ApiResponse>;
  /** Calls any path, below the prefix or as it is; see `isBelowPrefix`. */
  path(method: string, path: string, parcel?: RequestOptions): Promise<ApiResponse>;
}

export function createApiRequester(parts: ApiRequesterOptions): ApiRequester {
  const { address, dialect } = parts;
  let prefixIsProven = false;
  return {
    async endpoint(endpoint, parcel = {}) {
      const path = endpoint.path.replace(':id', parcel.id ?? '');
      const { answer, inDoubt } = await sendBelowPrefix(endpoint.method, path, parcel);
      if (!endpoint.isDocumented && isMissing(answer)) throw endpointMissing(endpoint, answer);
      // The first of two deletions may have got through although its answer did not.
      if (endpoint.method === 'DELETE' && inDoubt && answer.status === 404)
        return { ...answer, body: undefined };
      if (inDoubt && answer.status === 412) throw repeated(decodeError(answer, parts.now()));
      return decodeJson(assertSuccess(answer));
    },
    async path(method, path, parcel = {}) {
      assertPath(path);
      const { answer } = isBelowPrefix(path)
        ? await sendBelowPrefix(method, `/${path.replace(/^\//, '')}`, parcel)
        : await parts.exchange(toOutgoing(method, path, parcel), exchangeOptions(parcel));
      return decodeAny(assertSuccess(answer));
    },
  };

  /** A foreign 404 may mean that the server keeps the other prefix; each is tried until one has proven right. */
  async function sendBelowPrefix(method: string, path: string, parcel: RequestOptions): Promise<Exchanged> {
    const [first = '', ...others] = candidatePrefixes(dialect.current());
    const result = await sendUnder(first);
    for (const prefix of prefixIsProven ? [] : others) {
      if (!isForeign404(result.answer)) break;
      const other = await sendUnder(prefix);
      if (isForeign404(other.answer)) continue;
      dialect.learn('prefix', prefix);
      return other;
    }
    return result;

    async function sendUnder(prefix: string): Promise<Exchanged> {
      const sent = await parts.exchange(
        toOutgoing(method, address.root + prefix + path, parcel),
        exchangeOptions(parcel),
      );
      if (sent.answer.status < 300) prefixIsProven = true;
      return sent;
    }
  }

  function toOutgoing(
    method: string,
    path: string,
    { query = {}, body, headers = {} }: RequestOptions,
  ): Outgoing {
    const key = method === 'POST' ? { 'idempotency-key': parts.createKey() } : {};
    return {
      method,
      origin: address.origin,
      path: withQuery(path, query),
      headers: { ...parts.headers, ...key, ...toLowerCaseNames(headers) },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
  }

  function exchangeOptions({ signal }: RequestOptions) {
    return { honoursKeys: dialect.current().idempotencyKeys, signal };
  }

  function assertSuccess(raw: RawResponse): RawResponse {
    if (raw.status >= 200 && raw.status < 300) return raw;
    const error = decodeError(raw, parts.now());
    if (raw.status !== 401 || 'authorization' in parts.headers) throw error;
    throw new SalonError('authentication_required', error.message, {
      status: 401,
      requestId: error.requestId,
    });
  }
}

function toLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Refuses what is no identifier before anything is sent: `..` would reach the path above. */
export function assertIdentifier(id: string, noun: string): void {
  if (isIdentifier(id)) return;
  throw new SalonError('usage', `“${toQuote(id, 80)}” cannot be the identifier of a ${noun}.`, {
    hint: 'Identifiers are letters, digits, - and _, at most 64 of them.',
  });
}

const tableRoots = new Set(Object.values(endpoints).map(({ path }) => firstSegment(path)));

/** `clients/…` and `/clients/…` are below the prefix; another path with a slash in front is taken as it is. */
function isBelowPrefix(path: string): boolean {
  return !path.startsWith('/') || tableRoots.has(firstSegment(path));
}

function firstSegment(path: string): string {
  return path.split(/[/?]/)[1] ?? '';
}

function assertPath(path: string): void {
  const hasDotSegment = path.split(/[/?]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (/^[!"$-~]+$/.test(path) && !path.includes('://') && !hasDotSegment) return;
  throw new SalonError('usage', `“${toQuote(path, 120)}” is not a path that can be called.`, {
    hint: 'Give a path such as clients or /api/v1/clients, with anything unusual percent-encoded.',
  });
}

function withQuery(path: string, query: QueryValues | URLSearchParams): string {
  const pairs = query instanceof URLSearchParams ? query : toPairs(query);
  if (pairs.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs}`;
}

function toPairs(query: QueryValues): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) pairs.set(name, String(value));
  return pairs;
}

/** The first of two tries may have made the very change that the second one ran into. */
function repeated(error: SalonError): SalonError {
  return withContext(error, { members: { ...error.members, repeated: true } });
}

function isForeign404(raw: RawResponse): boolean {
  return raw.status === 404 && problemCodeOf(raw) !== 'not_found';
}

function isMissing(raw: RawResponse): boolean {
  return isForeign404(raw) || raw.status === 405 || raw.status === 501;
}

function endpointMissing(endpoint: Endpoint, raw: RawResponse): SalonError {
  const name = `${endpoint.method} ${endpoint.path}`;
  return new SalonError(
    'not_supported',
    `This server has no ${name}, which is an extension of salon’s own.`,
    {
      status: raw.status,
      hint: 'It has to be done in that salon’s own program, or with salon api where the server has another path for it.',
    },
  );
}

/** Called before a request that may write; what it throws keeps the request from being sent. */
export type BeforeWrite = (request: {
  readonly method: string;
  readonly path: string;
}) => void | Promise<void>;

/** The same exchange behind a guard that only GET and HEAD pass unasked. */
export function guardWrites(exchange: RetryingSender, beforeWrite: BeforeWrite): RetryingSender {
  return async (outgoing, options) => {
    const { method, path } = outgoing;
    if (method !== 'GET' && method !== 'HEAD') await beforeWrite({ method, path });
    return exchange(outgoing, options);
  };
}
