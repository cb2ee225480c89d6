import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { maskError, SalonError, withContext } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import type { Mask } from '../../contract/mask-secrets.ts';
import { candidatePrefixes, type DialectDetector } from '../dialect/dialect.ts';
import { toServerPath } from '../dialect/resource-path.ts';
import type { BaseUrl } from './base-url.ts';
import { type ApiResponse, decodeAny, decodeJson } from './decode.ts';
import { decodeError, problemCodeOf } from './decode-error.ts';
import { quote } from './quote.ts';
import type { RetryingSender, SentResponse } from './retrying-sender.ts';
import type { ApiRequest, RawResponse } from './send.ts';

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly query?: QueryValues | URLSearchParams | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface EndpointOptions extends RequestOptions {
  readonly id?: string | undefined;
}

/** Called before a request that may change data. If it throws, the request is not sent. */
export type BeforeWrite = (request: {
  readonly method: string;
  readonly path: string;
}) => void | Promise<void>;

export interface ApiRequesterOptions {
  readonly baseUrl: BaseUrl;
  readonly send: RetryingSender;
  readonly beforeWrite: BeforeWrite | undefined;
  readonly dialect: DialectDetector;
  readonly headers: Readonly<Record<string, string>>;
  /** Hides secrets in the texts of errors. */
  readonly mask: Mask;
  readonly now: () => number;
  readonly createKey: () => string;
}

export interface ApiRequester {
  /** Calls an endpoint of the contract. Throws `not_supported` where the server lacks an extension. */
  endpoint(endpoint: Endpoint, options?: EndpointOptions): Promise<ApiResponse>;
  /** Calls any path: `clients/…` and `/clients/…` below the API prefix, other paths from the origin. */
  path(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
}

export function createApiRequester({
  baseUrl,
  send,
  beforeWrite,
  dialect,
  headers: ownHeaders,
  mask,
  now,
  createKey,
}: ApiRequesterOptions): ApiRequester {
  let prefixIsConfirmed = false;
  return {
    endpoint: (endpoint, options = {}) => masked(callEndpoint(endpoint, options)),
    path: (method, path, options = {}) => masked(callPath(method, path, options)),
  };

  async function masked(response: Promise<ApiResponse>): Promise<ApiResponse> {
    try {
      return await response;
    } catch (thrown) {
      throw thrown instanceof SalonError ? maskError(thrown, mask) : thrown;
    }
  }

  async function callEndpoint(endpoint: Endpoint, options: EndpointOptions): Promise<ApiResponse> {
    const path = toServerPath(endpoint.path, dialect.current(), options.id);
    const { response, inDoubt } = await sendBelowPrefix(endpoint.method, path, options);
    if (!endpoint.isDocumented && isMissing(response)) throw notSupported(endpoint, response);
    // An earlier attempt may have deleted the record although its response was lost.
    if (endpoint.method === 'DELETE' && inDoubt && response.status === 404)
      return { ...response, body: undefined };
    if (inDoubt && response.status === 412) throw repeated(decodeError(response, now()));
    return decodeJson(assertSuccess(response));
  }

  async function callPath(method: string, path: string, options: RequestOptions): Promise<ApiResponse> {
    assertPath(path);
    const { response } = isBelowPrefix(path)
      ? await sendBelowPrefix(method, `/${path.replace(/^\//, '')}`, options)
      : await sendTo(method, path, options);
    return decodeAny(assertSuccess(response));
  }

  /** A foreign 404 may mean that the server uses the other prefix, so both are tried until one has worked. */
  async function sendBelowPrefix(
    method: string,
    path: string,
    options: RequestOptions,
  ): Promise<SentResponse> {
    const [first = '', ...others] = candidatePrefixes(dialect.current());
    const result = await sendUnder(first);
    for (const prefix of prefixIsConfirmed ? [] : others) {
      if (!isForeign404(result.response)) break;
      const other = await sendUnder(prefix);
      if (isForeign404(other.response)) continue;
      dialect.learn('prefix', prefix);
      return other;
    }
    return result;

    async function sendUnder(prefix: string): Promise<SentResponse> {
      const sent = await sendTo(method, baseUrl.root + prefix + path, options);
      if (sent.response.status < 300) prefixIsConfirmed = true;
      return sent;
    }
  }

  async function sendTo(method: string, path: string, options: RequestOptions): Promise<SentResponse> {
    const request = toRequest(method, path, options);
    if (method !== 'GET' && method !== 'HEAD') await beforeWrite?.({ method, path: request.path });
    return send(request, { honoursKeys: dialect.current().idempotencyKeys, signal: options.signal });
  }

  function toRequest(
    method: string,
    path: string,
    { query = {}, body, headers = {} }: RequestOptions,
  ): ApiRequest {
    const key = method === 'POST' ? { 'idempotency-key': createKey() } : {};
    return {
      method,
      origin: baseUrl.origin,
      path: withQuery(path, query),
      headers: {
        ...ownHeaders,
        ...toLowerCaseNames(dialect.current().headers),
        ...key,
        ...toLowerCaseNames(headers),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
  }

  function assertSuccess(raw: RawResponse): RawResponse {
    if (raw.status >= 200 && raw.status < 300) return raw;
    const error = decodeError(raw, now());
    if (raw.status !== 401 || 'authorization' in ownHeaders) throw error;
    throw new SalonError('authentication_required', error.message, {
      status: 401,
      requestId: error.requestId,
    });
  }
}

function toLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Rejects an invalid ID before anything is sent: `..` would reach the parent path. */
export function assertIdentifier(id: string, noun: string): void {
  if (isIdentifier(id)) return;
  throw new SalonError('usage', `No ${noun} matches "${quote(id, 80)}".`, {
    hint: 'An ID has at most 64 characters: letters, digits, "-" and "_".',
  });
}

const contractRoots = new Set(Object.values(endpoints).map(({ path }) => firstSegment(path)));

function isBelowPrefix(path: string): boolean {
  return !path.startsWith('/') || contractRoots.has(firstSegment(path));
}

function firstSegment(path: string): string {
  return path.split(/[/?]/)[1] ?? '';
}

function assertPath(path: string): void {
  const hasDotSegment = path.split(/[/?]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (/^[!"$-~]+$/.test(path) && !path.includes('://') && !hasDotSegment) return;
  throw new SalonError('usage', `"${quote(path, 120)}" is not a valid path.`, {
    hint: 'Use a path such as clients or /api/v1/clients, and percent-encode special characters.',
  });
}

function withQuery(path: string, query: QueryValues | URLSearchParams): string {
  const parameters = query instanceof URLSearchParams ? query : toParameters(query);
  if (parameters.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`;
}

function toParameters(query: QueryValues): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string]));
}

/** Marks an error that an earlier attempt of the same request may have caused. */
function repeated(error: SalonError): SalonError {
  return withContext(error, { members: { ...error.members, repeated: true } });
}

function isForeign404(raw: RawResponse): boolean {
  return raw.status === 404 && problemCodeOf(raw) !== 'not_found';
}

function isMissing(raw: RawResponse): boolean {
  return isForeign404(raw) || raw.status === 405 || raw.status === 501;
}

function notSupported({ method, path }: Endpoint, { status }: RawResponse): SalonError {
  return new SalonError('not_supported', `This server does not support ${method} ${path}.`, {
    status,
    hint: 'Use the server\'s own tools, or "salon api" if the server has another path for it.',
  });
}
