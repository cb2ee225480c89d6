import {
  isProblemCode,
  problems,
  SalonError,
  type SalonErrorCode,
  type Violation,
} from '../../contract/errors.ts';
import { headerOf } from '../headers.ts';
import { parseRateLimit, parseRetryAfter } from '../rate-limit/rate-limit.ts';
import { describeText, type Fields, isFields } from './decode.ts';
import { toQuote } from './quote.ts';
import { isTemporaryAnswer } from './retry.ts';
import type { RawResponse } from './send.ts';

/** An answer that says no, in any of the shapes servers use, as the contract's error. Never throws. */
export function decodeError(raw: RawResponse, nowMs: number): SalonError {
  const text = new TextDecoder().decode(raw.bytes);
  const body = parseObject(text);
  const inner = isFields(body?.['error']) ? body['error'] : undefined;
  const said = toCode(body, inner);
  const code =
    said !== undefined && isProblemCode(said) && raw.status >= 400 ? said : codeOfStatus(raw.status);
  const message = toMessage(body, inner) ?? toPlainMessage(text, raw.status);
  return new SalonError(code, message, {
    status: raw.status,
    requestId: toRequestId(raw, body, inner),
    retryable: isTemporaryAnswer(raw.status, code),
    retryAfterMs: toRetryAfter(raw, nowMs),
    violations: toViolations(body, inner),
    members: toFurtherMembers(body),
  });
}

/** The contract's code in a refusal, if it has one: what tells our own 404 from that of a proxy or another server. */
export function problemCodeOf(raw: RawResponse): string | undefined {
  const body = parseObject(new TextDecoder().decode(raw.bytes));
  const code = body?.['code'];
  return typeof code === 'string' && isProblemCode(code) ? code : undefined;
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Some servers answer a bare array of errors.
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
  return status >= 500 && status < 600 ? (exact[status] ?? 'internal_error') : 'unexpected_response';
}

function toCode(body: Fields | undefined, inner: Fields | undefined): string | undefined {
  const code = body?.['code'] ?? inner?.['code'];
  return typeof code === 'string' ? code : undefined;
}

/** The sentence in the answer. The most exact member of each shape comes first. */
function toMessage(body: Fields | undefined, inner: Fields | undefined): string | undefined {
  const sentences = [
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
  const sentence = sentences.find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof sentence === 'string' ? toQuote(sentence, 500) : undefined;
}

function firstOf(errors: unknown): unknown {
  const list = Array.isArray(errors) ? errors : isFields(errors) ? Object.values(errors).flat() : [];
  const first: unknown = list[0];
  return isFields(first) ? (first['detail'] ?? first['message'] ?? first['title'] ?? first['code']) : first;
}

function toPlainMessage(text: string, status: number): string {
  const code = codeOfStatus(status);
  const what = text.trim() === '' ? '' : ` with ${describeText(text)}`;
  if (!isProblemCode(code)) return `The server answered ${status}${what}.`;
  return what === ''
    ? `${problems[code].title}.`
    : `${problems[code].title}: the server answered ${status}${what}.`;
}

function toRequestId(raw: RawResponse, body?: Fields, inner?: Fields): string | undefined {
  const named = body?.['request_id'] ?? body?.['requestId'] ?? inner?.['request_id'];
  const id = typeof named === 'string' ? named : headerOf(raw.headers, 'x-request-id');
  return id === undefined ? undefined : toQuote(id, 100);
}

/** What the server asks to wait: `Retry-After`, else the end of a window that is used up. */
function toRetryAfter(raw: RawResponse, nowMs: number): number | undefined {
  const asked = parseRetryAfter(raw.headers, nowMs);
  if (asked !== undefined || raw.status !== 429) return asked;
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
  return typeof value === 'string' ? toQuote(value, 500) : undefined;
}

const ownMembers = ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'];

/** Fields that a problem has beyond the standard's, such as `required_role`. */
function toFurtherMembers(body: Fields | undefined): Fields {
  if (typeof body?.['code'] !== 'string' || !isProblemCode(body['code'])) return {};
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ownMembers.includes(name)));
}
