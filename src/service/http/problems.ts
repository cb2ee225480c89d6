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

/** One problem, ready to be sent. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: Problem;
}

export const problemMediaType = 'application/problem+json; charset=utf-8';

/** What is said of every failure inside: the cause goes to the log, never to the caller. */
const internalDetail = 'Something went wrong inside the service. The request id helps to find out what.';
const defaultRetryAfterSeconds = 1;

/**
 * Turns whatever was thrown into the problem that callers see (RFC 9457). What is no problem of the contract
 * becomes `internal_error` and says nothing of its cause.
 * `baseUrl` is the origin under which `/problems/…` can be read.
 */
export function toProblem(error: unknown, answered: { requestId: string; baseUrl: string }): ProblemResponse {
  const known = toContractError(error);
  const code = isProblemCode(known.code) ? known.code : 'internal_error';
  const { status, title } = problems[code];
  const problem: Problem = {
    type: `${answered.baseUrl}${problemPath(code)}`,
    title,
    status,
    detail: code === 'internal_error' ? internalDetail : known.message,
    code,
    request_id: answered.requestId,
    ...(known.violations.length === 0 ? {} : { errors: known.violations }),
    ...(code === 'internal_error' ? {} : known.members),
  };
  return { status, headers: toHeaders(code, known), problem };
}

/** Path of the page that explains a code. */
export function problemPath(code: ProblemCode): string {
  return `/problems/${code.replaceAll('_', '-')}`;
}

/** The error in the contract's words; only what is certain is translated from Fastify's. */
export function toContractError(error: unknown): SalonError {
  if (error instanceof SalonError) {
    return error;
  }
  switch (readFastifyCode(error)) {
    case 'FST_ERR_BAD_URL':
      return new SalonError('invalid_parameter', 'The path is not correctly percent-encoded.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new SalonError('not_found', 'There is nothing under this path.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new SalonError('payload_too_large', 'The body is larger than 1 MiB.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new SalonError('unsupported_media_type', 'The body must be application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new SalonError('malformed_json', 'The body ended before the length it was announced with.');
    default:
      return new SalonError('internal_error', internalDetail, { cause: error });
  }
}

function readFastifyCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function toHeaders(code: ProblemCode, error: SalonError): Record<string, string> {
  switch (code) {
    case 'authentication_required':
      return { 'www-authenticate': 'Bearer' };
    case 'invalid_token':
      return { 'www-authenticate': 'Bearer error="invalid_token"' };
    case 'insufficient_scope':
      return {
        'www-authenticate': `Bearer error="insufficient_scope", scope="${String(error.members['scope'])}"`,
      };
    case 'rate_limited':
    case 'idempotency_key_in_use':
    case 'service_unavailable':
      return { 'retry-after': String(toRetryAfterSeconds(error)) };
    default:
      return {};
  }
}

function toRetryAfterSeconds(error: SalonError): number {
  return error.retryAfterMs === undefined ? defaultRetryAfterSeconds : Math.ceil(error.retryAfterMs / 1000);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The origin that callers see; empty until one is known, which makes addresses relative. */
    baseUrl: string;
  }
}

/** Lets everything that is thrown on the way to an answer be answered as a problem. */
export function addProblems(app: FastifyInstance, publicUrl: string | undefined): void {
  app.decorate('baseUrl', publicUrl ?? '');
  app.addHook('onListen', (done) => {
    app.baseUrl = publicUrl ?? app.listeningOrigin;
    done();
  });
  app.setErrorHandler(sendProblem);
}

/** Answers a problem. What is not the caller's doing goes to the log with its cause. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toContractError(error);
  const { status, headers, problem } = toProblem(known, {
    requestId: request.id,
    baseUrl: request.server.baseUrl,
  });
  if (status >= 500) {
    request.log.error({ err: known.cause ?? known }, 'request failed');
  }
  if (hasLongBodyLeft(request)) {
    reply.header('connection', 'close');
  }
  reply
    .code(status)
    .header('x-request-id', request.id)
    .header('api-version', apiVersion)
    .headers(headers)
    .header('content-type', problemMediaType)
    .send(JSON.stringify(problem));
}

/** Whether keeping the connection would mean reading on through a body that nobody wants. */
function hasLongBodyLeft({ raw }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
  return !raw.complete && (encoding !== undefined || Number(length ?? 0) > bodyLimitBytes);
}
