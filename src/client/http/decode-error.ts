import {
  isProblemCode,
  problems,
  SalonError,
  type SalonErrorCode,
  type Violation,
} from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { type Fields, isFields } from '../fields.ts';
import { readHeader } from '../headers.ts';
import { parseRateLimit, parseRetryAfter } from '../rate-limit/rate-limit.ts';
import { describeText } from './decode.ts';
import { quote } from './quote.ts';
import { readStatus, type StatusMeaning } from './response-status.ts';
import type { RawResponse } from './send.ts';

/** Converts an error response, in any of the shapes servers use, to the contract's error. Never throws. */
export function decodeError(raw: RawResponse, nowMs: number): SalonError {
  const text = new TextDecoder().decode(raw.bytes);
  const body = parseObject(text);
  const inner = isFields(body?.['error']) ? body['error'] : undefined;
  const given = toCode(body, inner);
  const code =
    given !== undefined && isProblemCode(given) && raw.status >= 400 ? given : codeOfStatus(raw.status);
  const message = toMessage(body, inner) ?? toPlainMessage(text, raw.status);
  return new SalonError(code, message, {
    status: raw.status,
    requestId: toRequestId(raw, body, inner),
    retryable: classifyResponse(raw).isTemporary,
    retryAfterMs: toRetryAfter(raw, nowMs),
    violations: toViolations(body, inner),
    members: toExtraMembers(body),
  });
}

/** The contract's error code in a response, if any. It tells our own 404 from that of a proxy or another server. */
export function problemCodeOf(raw: RawResponse): string | undefined {
  const body = parseObject(new TextDecoder().decode(raw.bytes));
  const code = body?.['code'];
  return typeof code === 'string' && isProblemCode(code) ? code : undefined;
}

/** What a response says about its request. */
export function classifyResponse(raw: RawResponse): StatusMeaning {
  const isProblem = raw.status >= 300 && /problem\+json/i.test(readHeader(raw.headers, 'content-type') ?? '');
  return readStatus(raw.status, isProblem ? problemCodeOf(raw) : undefined);
}

function parseObject(text: string): Fields | undefined {
  try {
    const value = parseJson(text);
    // Some servers send a bare array of errors.
    return Array.isArray(value) ? { errors: value } : isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function codeOfStatus(status: number): SalonErrorCode {
  const exact: Readonly<Record<number, SalonErrorCode>> = {
    401: 'invalid_token',
    403: 'permission_denied',
    404: 'not_found',
    405: 'method_not_allowed',
    409: 'conflict',
    412: 'precondition_failed',
    413: 'payload_too_large',
    415: 'unsupported_media_type',
    422: 'validation_failed',
    429: 'rate_limited',
    503: 'service_unavailable',
  };
  if (status >= 400 && status < 500) return exact[status] ?? 'refused';
  // The body says that the request failed.
  if (status >= 200 && status < 300) return 'refused';
  return status >= 500 && status < 600 ? (exact[status] ?? 'internal_error') : 'unexpected_response';
}

function toCode(body: Fields | undefined, inner: Fields | undefined): string | undefined {
  const code = body?.['code'] ?? inner?.['code'];
  return typeof code === 'string' ? code : undefined;
}

/** The message in the body. The most specific member of each shape comes first. */
function toMessage(body: Fields | undefined, inner: Fields | undefined): string | undefined {
  const candidates = [
    body?.['detail'],
    inner?.['message'],
    inner?.['detail'],
    body?.['error_description'],
    body?.['message'],
    firstOf(body?.['errors'] ?? inner?.['errors']),
    body?.['title'],
    inner?.['title'],
    body?.['error'],
    inner?.['code'],
  ];
  const message = candidates.find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof message === 'string' ? quote(message, 500) : undefined;
}

function firstOf(errors: unknown): unknown {
  const list = Array.isArray(errors) ? errors : isFields(errors) ? Object.values(errors).flat() : [];
  const first: unknown = list[0];
  return isFields(first) ? (first['detail'] ?? first['message'] ?? first['title'] ?? first['code']) : first;
}

function toPlainMessage(text: string, status: number): string {
  const code = codeOfStatus(status);
  const body = text.trim() === '' ? '' : ` and ${describeText(text)}`;
  if (!isProblemCode(code)) return `The server responded with ${status}${body}.`;
  return body === ''
    ? `${problems[code].title}.`
    : `${problems[code].title}: the server responded with ${status}${body}.`;
}

function toRequestId(raw: RawResponse, body?: Fields, inner?: Fields): string | undefined {
  const given = body?.['request_id'] ?? body?.['requestId'] ?? inner?.['request_id'];
  const id = typeof given === 'string' ? given : readHeader(raw.headers, 'x-request-id');
  return id === undefined ? undefined : quote(id, 100);
}

/** When to retry: `Retry-After`, otherwise the end of a rate limit window that is used up. */
function toRetryAfter(raw: RawResponse, nowMs: number): number | undefined {
  const waitMs = parseRetryAfter(raw.headers, nowMs);
  if (waitMs !== undefined || raw.status !== 429) return waitMs;
  const limit = parseRateLimit(raw.headers, nowMs);
  if (limit?.resetAtMs === undefined || (limit.remaining ?? 0) > 0) return undefined;
  return Math.max(0, limit.resetAtMs - nowMs);
}

function toViolations(body: Fields | undefined, inner: Fields | undefined): Violation[] {
  const errors = body?.['errors'] ?? inner?.['errors'];
  if (!Array.isArray(errors)) return [];
  return errors.filter(isFields).slice(0, 100).map(toViolation);
}

function toViolation(error: Fields): Violation {
  const source = isFields(error['source']) ? error['source'] : error;
  const pointer = textOf(source['pointer']);
  const parameter = textOf(source['parameter']);
  return {
    ...(pointer === undefined ? {} : { pointer }),
    ...(parameter === undefined ? {} : { parameter }),
    code: textOf(error['code']) ?? 'invalid',
    detail: textOf(error['detail'] ?? error['message'] ?? error['title']) ?? '',
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? quote(value, 500) : undefined;
}

const standardMembers = ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'];

/** Extra members of a problem, such as `required_role`. */
function toExtraMembers(body: Fields | undefined): Fields {
  if (typeof body?.['code'] !== 'string' || !isProblemCode(body['code'])) return {};
  return Object.fromEntries(Object.entries(body).filter(([name]) => !standardMembers.includes(name)));
}
