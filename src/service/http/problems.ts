import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiVersion } from '../../contract/endpoints.ts';
import {
  isProblemCode,
  type Problem,
  type ProblemCode,
  problems,
  SalonError,
} from '../../contract/errors.ts';
import { bodyLimitBytes } from '../../contract/limits.ts';
import { resourceMetadataPath } from '../../contract/oauth-client.ts';
import type { Environment } from '../domain/context.ts';
import { createRequestId } from './request-log.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The origin that clients use; empty before the server listens, which makes URLs relative. */
    baseUrl: string;
  }
}

const problemMediaType = 'application/problem+json; charset=utf-8';

/** Of every answer that sets no others: it is for one caller, and no other program guesses what it is. */
export const answerHeaders = { 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff' };

/** Sends every error as a problem document. */
export function addProblems(app: FastifyInstance, publicUrl: string | undefined): void {
  app.decorate('baseUrl', publicUrl ?? '');
  app.addHook('onListen', (done) => {
    app.baseUrl = publicUrl ?? app.listeningOrigin;
    done();
  });
  app.setErrorHandler(sendProblem);
}

/** Sends an error as a problem document. Errors of the service itself are logged with their cause. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toContractError(error);
  request.failure = known;
  const { status, headers, problem } = toProblemResponse(known, toProblemSource(request));
  if (status >= 500 && !isShed(known)) request.log.error({ err: known.cause ?? known }, 'request failed');
  if (hasUnreadBody(request)) reply.header('connection', 'close');
  reply
    .code(status)
    .headers({ 'x-request-id': request.id, 'api-version': apiVersion, ...answerHeaders, ...headers })
    .header('content-type', problemMediaType)
    .send(JSON.stringify(problem));
}

/** What a problem says about its request. */
export function toProblemSource({ id: requestId, server: { baseUrl } }: FastifyRequest) {
  return { requestId, baseUrl };
}

/** Whether the request was refused to protect others. Under an attack, a line for each would fill the log. */
function isShed({ code, cause }: SalonError): boolean {
  return code === 'service_unavailable' && cause === undefined;
}

/** Whether keeping the connection would mean reading the rest of a large body. */
function hasUnreadBody({ raw }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
  return !raw.complete && (encoding !== undefined || Number(length ?? 0) > bodyLimitBytes);
}

/** The detail of every internal error. The cause is logged and never sent. */
const internalDetail = 'Internal error. Report the request ID to the service operator.';
const defaultRetryAfterMs = 1_000;

/**
 * Encodes an error as a problem document (RFC 9457). An error that is not in the contract becomes `internal_error`
 * without its cause. `baseUrl` is the origin of the `/problems/…` pages.
 */
export function toProblemResponse(
  error: unknown,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
) {
  const known = toContractError(error);
  const code = isProblemCode(known.code) ? known.code : 'internal_error';
  const { status, title } = problems[code];
  const problem: Problem = {
    type: `${baseUrl}/problems/${code.replaceAll('_', '-')}`,
    title,
    status,
    detail: code === 'internal_error' ? internalDetail : known.message,
    code,
    request_id: requestId,
    ...(known.violations.length === 0 ? {} : { errors: known.violations }),
    ...(code === 'internal_error' ? {} : known.members),
  };
  return { status, headers: toHeaders(code, known, baseUrl), problem };
}

/** Translates Fastify's errors whose meaning is certain. */
function toContractError(error: unknown): SalonError {
  if (error instanceof SalonError) return error;
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'FST_ERR_BAD_URL':
      return new SalonError('invalid_parameter', 'The path has invalid percent-encoding.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new SalonError('not_found', 'There is nothing at this path.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new SalonError('unsupported_media_type', 'The body must be application/json.');
    default:
      return new SalonError('internal_error', internalDetail, { cause: error });
  }
}

function toHeaders(
  code: ProblemCode,
  { members, retryAfterMs }: SalonError,
  baseUrl: string,
): Record<string, string> {
  // Where there is OAuth (RFC 9728).
  const isFound = /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(baseUrl);
  const metadata = isFound ? `resource_metadata="${baseUrl}${resourceMetadataPath}"` : '';
  switch (code) {
    case 'authentication_required':
      return { 'www-authenticate': `Bearer ${metadata}`.trim() };
    case 'invalid_token':
      return { 'www-authenticate': ['Bearer error="invalid_token"', metadata].filter(Boolean).join(', ') };
    case 'insufficient_scope':
      return { 'www-authenticate': `Bearer error="insufficient_scope", scope="${members['scope']}"` };
    case 'rate_limited':
    case 'idempotency_key_in_use':
    case 'service_unavailable':
    case 'commit_unknown':
      return { 'retry-after': String(Math.ceil((retryAfterMs ?? defaultRetryAfterMs) / 1000)) };
    default:
      return {};
  }
}

/** Status, the closest code of the contract, which has none for requests that cannot be parsed, and detail. */
type SocketProblem = readonly [status: number, code: ProblemCode, detail: string];

const bySocketCode: Readonly<Record<string, SocketProblem>> = {
  HPE_HEADER_OVERFLOW: [431, 'payload_too_large', 'The request headers are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'payload_too_large', 'The request has too many chunk extensions.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'invalid_parameter', 'The request did not arrive in time.'],
};
const notHttp: SocketProblem = [400, 'invalid_parameter', 'This is not an HTTP/1.1 request.'];

/** Creates the handler for connections without a valid request: sends a problem (RFC 9457, about:blank) and closes. */
export function createSocketErrorHandler(environment: Environment) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // After an earlier response another one may be on its way, and extra bytes would corrupt it.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const requestId = createRequestId(environment);
    const [status, code, detail] = bySocketCode[error.code ?? ''] ?? notHttp;
    const title = STATUS_CODES[status] ?? 'Bad Request';
    const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: requestId });
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      'Connection: close',
      `Content-Type: ${problemMediaType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `API-Version: ${apiVersion}`,
      ...Object.entries(answerHeaders).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}
