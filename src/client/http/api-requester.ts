import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { maskError, SalonError, withContext } from '../../contract/errors.ts';
import type { Mask } from '../../text/mask-secrets.ts';
import { candidatePrefixes, type DialectSource } from '../dialect/dialect.ts';
import { isItemPath, toRecordBody, toServerPath } from '../dialect/record-form.ts';
import { isFields, toLowerCaseNames } from '../json-object.ts';
import { readRequestId } from '../response-headers.ts';
import { type ApiResponse, decodeAny, decodeJson, isFailureBody } from './decode.ts';
import { classifyResponse, decodeError, problemCodeOf } from './decode-error.ts';
import { assertPath, type BaseUrl, isBelowPrefix, type QueryValues, withQuery } from './request-path.ts';
import { createIdempotencyKey, isWrite, type Random, toUnknownResult } from './retry.ts';
import type { RetryingSender, SentResponse } from './retrying-sender.ts';
import type { ApiRequest, RawResponse } from './send.ts';

export interface RequestOptions {
  readonly query?: QueryValues | URLSearchParams | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a response of JSON lines is read while it arrives. */
  readonly streams?: boolean | undefined;
  /** How long the server may hold the request. */
  readonly heldMs?: number | undefined;
  /** Whether the server responds above the rate limit, too. */
  readonly isUnlimited?: boolean | undefined;
}

export interface EndpointOptions extends RequestOptions {
  readonly id?: string | undefined;
  /** Of a POST; a new one by default. */
  readonly idempotencyKey?: string | undefined;
}

/** A request below the prefix, with its body as text. */
interface Draft extends Omit<RequestOptions, 'body'> {
  readonly method: string;
  readonly path: string;
  readonly text: string | undefined;
  /** Whether it changes nothing, with any method. */
  readonly isSafe?: boolean | undefined;
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
  readonly dialect: DialectSource;
  /** Whether the server has an endpoint. Others are not called. */
  readonly isServed: (endpoint: Endpoint) => boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Rewords an error response. */
  readonly explain: (error: SalonError) => SalonError;
  /** Whether a failure says that nothing was changed. */
  readonly isRefusal: (raw: RawResponse) => boolean;
  /** Hides secrets in the texts of errors. */
  readonly mask: Mask;
  readonly now: () => number;
  readonly random: Random;
}

export type ApiRequester = ReturnType<typeof createApiRequester>;

export function createApiRequester({
  baseUrl,
  send,
  beforeWrite,
  explain,
  isRefusal,
  dialect,
  isServed,
  headers: ownHeaders,
  mask,
  now,
  random,
}: ApiRequesterOptions) {
  let prefixIsConfirmed = false;
  let hasAskedForKeys = false;
  return {
    /** Calls an endpoint of the contract. Throws `not_supported` where the server lacks an extension. */
    endpoint: (endpoint: Endpoint, options: EndpointOptions = {}) =>
      callEndpoint(endpoint, options).catch(throwMasked),
    /** Calls any path: `clients/…` and `/clients/…` below the API prefix, other paths from the origin. */
    path: (method: string, path: string, options: RequestOptions = {}) =>
      callPath(method, path, options).catch(throwMasked),
  };

  function throwMasked(thrown: unknown): never {
    throw thrown instanceof SalonError ? maskError(thrown, mask) : thrown;
  }

  async function callEndpoint(endpoint: Endpoint, options: EndpointOptions): Promise<ApiResponse> {
    if (!isServed(endpoint)) throw notSupported(endpoint);
    const draft = toDraft(endpoint, options);
    const sent = await sendBelowPrefix(draft);
    // An earlier attempt may have deleted the record although its response was lost.
    const isDeleted = draft.method === 'DELETE' && sent.isUnconfirmed && sent.response.status === 404;
    if (isDeleted) return { ...sent.response, body: undefined };
    const { status } = sent.response;
    const isMissing = isForeign404(sent.response) || status === 405 || status === 501;
    if (isMissing && !endpoint.isDocumented) throw notSupported(endpoint, status);
    const isList = !endpoint.path.includes(':');
    if (isList && draft.method === 'GET' && isForeign404(sent.response) && !dialect.isForeign)
      throw nothingAt(draft.path, sent.response);
    try {
      return complete(draft.isSafe ? 'GET' : draft.method, sent, decodeJson);
    } catch (thrown) {
      throw isList ? withoutIdHint(thrown) : thrown;
    }
  }

  async function callPath(method: string, path: string, options: RequestOptions): Promise<ApiResponse> {
    assertPath(path);
    const key = method === 'POST' ? { 'idempotency-key': createIdempotencyKey(random) } : {};
    const headers = { ...key, ...toLowerCaseNames(options.headers ?? {}) };
    const draft = { ...options, method, path, headers, text: JSON.stringify(options.body) };
    const sent = isBelowPrefix(path)
      ? await sendBelowPrefix({ ...draft, path: `/${path.replace(/^\//, '')}` })
      : await sendTo(draft, path);
    return complete(method, sent, decodeAny);
  }

  /** Decodes a response. Throws if it is an error, says so in its body, or cannot be read. */
  function complete(
    method: string,
    { response, isUnconfirmed }: SentResponse,
    decode: (raw: RawResponse) => ApiResponse,
  ): ApiResponse {
    const isSuccess = response.status >= 200 && response.status < 300;
    if (!isSuccess) throw toFailure(method, { response, isUnconfirmed });
    const { status, headers, stream } = response;
    if (stream !== undefined) return { status, headers, body: undefined, stream };
    try {
      const decoded = decode(response);
      if (!isFailureBody(decoded.body)) return decoded;
    } catch (thrown) {
      throw isWrite(method) && thrown instanceof SalonError ? toUnknownResult(thrown, method) : thrown;
    }
    throw toFailure(method, { response, isUnconfirmed });
  }

  function toFailure(method: string, { response, isUnconfirmed }: SentResponse): SalonError {
    const error = explain(requireSignIn(decodeError(response, now())));
    if (!isWrite(method)) return error;
    if (isRefusal(response) && error.code === 'internal_error' && !isUnconfirmed)
      return new SalonError('refused', error.message, { ...error, hint: undefined, retryable: false });
    const isRejection = response.status < 300 || classifyResponse(response).isRejection;
    // An earlier attempt with the same body would have been rejected, too.
    const isSameBefore = [400, 422].includes(response.status);
    return isRejection && (!isUnconfirmed || isSameBefore) ? error : toUnknownResult(error, method);
  }

  /** Without a key, a 401 means that one is needed. */
  function requireSignIn(error: SalonError): SalonError {
    if (error.status !== 401 || 'authorization' in ownHeaders) return error;
    const { message, requestId } = error;
    return new SalonError('authentication_required', message, { status: 401, requestId });
  }

  /** The request of an endpoint in the server's dialect: its path, its method for changes, its form of a record. */
  function toDraft(
    { method, path, isSafe }: Endpoint,
    { id, idempotencyKey, body, headers, ...options }: EndpointOptions,
  ): Draft {
    const noun = path.split('/')[1] ?? '';
    const current = dialect.of(noun);
    const isUpdate = method === 'PUT' && isItemPath(path);
    const isRecord = isFields(body) && (isUpdate || (method === 'POST' && !path.includes(':') && !isSafe));
    const key = method === 'POST' ? (idempotencyKey ?? createIdempotencyKey(random)) : undefined;
    const encoded = isRecord ? toRecordBody(body, { dialect: current, noun, id, key }) : undefined;
    return {
      ...options,
      isSafe,
      method: isUpdate ? current.updateMethod : method,
      path: toServerPath(path, current, id),
      headers: {
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(encoded?.contentType && { 'content-type': encoded.contentType }),
        ...(isUpdate && Object.values(Object(body)).includes(null) && current.clearHeaders),
        ...headers,
      },
      text: encoded === undefined ? JSON.stringify(body) : encoded.text,
    };
  }

  /** A foreign 404 may mean that the server uses the other prefix, so both are tried until one has worked. */
  async function sendBelowPrefix(draft: Draft): Promise<SentResponse> {
    const [first = '', ...others] = candidatePrefixes(dialect.current());
    const result = await sendTo(draft, baseUrl.root + first + draft.path);
    prefixIsConfirmed ||= result.response.status < 300;
    if (prefixIsConfirmed || !isForeign404(result.response)) return result;
    for (const prefix of others) {
      const other = await sendTo(draft, baseUrl.root + prefix + draft.path);
      if (isForeign404(other.response)) continue;
      prefixIsConfirmed ||= other.response.status < 300;
      dialect.learn('prefix', prefix);
      return other;
    }
    return result;
  }

  /**
   * When the result of a POST is unknown, asks whether the server honours idempotency keys, and repeats the POST if it
   * does. A command that sends a single POST does not know it before.
   */
  async function sendTo(draft: Draft, path: string): Promise<SentResponse> {
    const request = toRequest(draft, path);
    const { method } = request;
    const options = {
      honoursKeys: draft.isSafe || dialect.current().idempotencyKeys,
      signal: draft.signal,
    };
    const isRead = draft.isSafe || method === 'GET' || method === 'HEAD';
    if (!isRead) await beforeWrite?.({ method, path: request.path });
    try {
      return await send(request, options);
    } catch (thrown) {
      if (method !== 'POST' || options.honoursKeys || !isWorthAsking(thrown)) throw thrown;
      if (!dialect.current().idempotencyKeys && !hasAskedForKeys && isServed(endpoints.getMe)) {
        hasAskedForKeys = true;
        const me = baseUrl.root + dialect.current().prefix + endpoints.getMe.path;
        await send(toRequest({ method: 'GET', text: undefined }, me), options).catch(() => {});
      }
      if (!dialect.current().idempotencyKeys) throw thrown;
      return await send(request, { ...options, honoursKeys: true });
    }
  }

  function toRequest(draft: Omit<Draft, 'path'>, path: string): ApiRequest {
    const { method, query = {}, text, headers, streams, heldMs, isUnlimited } = draft;
    return {
      method,
      origin: baseUrl.origin,
      path: withQuery(path, query),
      headers: { ...ownHeaders, ...toLowerCaseNames({ ...dialect.current().headers, ...headers }) },
      body: text,
      streams,
      heldMs,
      isUnlimited,
    };
  }
}

/**
 * A server that did not respond in time would not respond to the question either. A response that cannot be read would
 * be the same again.
 */
function isWorthAsking(thrown: unknown): boolean {
  if (!(thrown instanceof SalonError) || thrown.code !== 'result_unknown') return false;
  const cause = thrown.cause instanceof SalonError ? thrown.cause.code : undefined;
  return cause !== 'timeout' || thrown.status !== undefined;
}

/** A 404 that our service did not send. */
function isForeign404(raw: RawResponse): boolean {
  return raw.status === 404 && problemCodeOf(raw) !== 'not_found';
}

/** The error for what a server does not have. */
export function notSupported(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  status?: number,
): SalonError {
  return new SalonError('not_supported', `This server does not support ${method} ${path}.`, {
    status,
    hint: 'Use the server\'s own tools, or "salon api" if the server has another path for it.',
  });
}

/** What to do with a server of another kind. */
export const detectHint =
  'Find out how it pages: salon profiles detect. In CI: salon profiles show --dialect > dialect.json, and SALON_DIALECT=dialect.json.';

/** The error for a list that a server, of which nothing is declared, has not: it may be of another kind. */
function nothingAt(path: string, { status, headers }: RawResponse): SalonError {
  return new SalonError('unexpected_response', `The server has nothing at ${path}.`, {
    ...{ status, hint: `Check the base URL. ${detectHint}`, requestId: readRequestId(headers) },
  });
}

/** A path without an ID was not found: nothing is wrong with an ID, unless the server names it. */
function withoutIdHint(thrown: unknown): unknown {
  if (!(thrown instanceof SalonError) || thrown.code !== 'not_found') return thrown;
  if (thrown.message.includes(' with ID ')) return thrown;
  const hint =
    'Check the base URL: the server has nothing at this path. If it is of another kind: salon profiles detect.';
  return withContext(thrown, { hint });
}
