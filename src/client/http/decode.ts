import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { quote } from '../../text/quote.ts';
import { type Fields, isFields, toLowerCaseNames } from '../json-object.ts';
import { readHeader, readRequestId } from '../response-headers.ts';
import type { BodyStream } from './read-body.ts';
import type { RawResponse } from './send.ts';

export interface ApiResponse {
  readonly status: number;
  readonly headers: RawResponse['headers'];
  /** The parsed body; undefined if it is empty. */
  readonly body: unknown;
  /** The body of a response that is read while it arrives. */
  readonly stream?: BodyStream;
}

/** Levels of nesting: far more than any record has, far fewer than would overflow the stack. */
const maxDepth = 100;

/** Parses a JSON response. Throws `unexpected_response`, quoting the start of anything else. */
export function decodeJson(raw: RawResponse): ApiResponse {
  const { status, headers } = raw;
  const text = toText(raw);
  if (text.trim() === '') return { status, headers, body: undefined };
  try {
    return { status, headers, body: parseJson(text, maxDepth) };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw unexpected(raw, describeText(text), cause);
    throw new SalonError('unexpected_response', 'The server responded with JSON that is nested too deeply.', {
      status,
      requestId: readRequestId(headers),
    });
  }
}

/** Parses a response as JSON if its content type says so, otherwise returns its text. */
export function decodeAny(raw: RawResponse): ApiResponse {
  const isJson = /json/i.test(readHeader(raw.headers, 'content-type') ?? 'json');
  return isJson ? decodeJson(raw) : { status: raw.status, headers: raw.headers, body: toText(raw) };
}

/** Describes a body that is not JSON: an HTML page with its title, or a quote of its start. */
export function describeText(text: string): string {
  if (isHtml(text)) {
    const title = quote(/<title[^>]*>([^<]{1,400})/i.exec(text.slice(0, 20_000))?.[1] ?? '', 120);
    return title === '' ? 'an HTML page' : `an HTML page titled "${title}"`;
  }
  return `"${quote(text, 120)}"`;
}

export function isHtml(text: string): boolean {
  return /^\s*(?:<!--[^>]*-->\s*)?(?:<!doctype html|<html|<head|<body)/i.test(text);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function toText(raw: RawResponse): string {
  try {
    return utf8.decode(raw.bytes);
  } catch (cause) {
    throw unexpected(raw, 'text that is not UTF-8', cause);
  }
}

function unexpected(raw: RawResponse, what: string, cause: unknown): SalonError {
  const type = quote(readHeader(raw.headers, 'content-type') ?? 'no content type', 80);
  const message = `The server responded with ${what} (${type}) instead of JSON.`;
  return new SalonError('unexpected_response', message, {
    status: raw.status,
    hint: 'Check the base URL: another program may be running there.',
    requestId: readRequestId(raw.headers),
    cause,
  });
}

/**
 * Whether the body of a success status says that the request failed. Members of a record are not taken for that: a
 * body with an `id` has to say it twice, in a flag and in a reason.
 */
export function isFailureBody(body: unknown): boolean {
  // Salesforce: [{"message": …, "errorCode": …}]
  if (Array.isArray(body)) return body.length > 0 && body.every(isErrorEntry);
  if (!isFields(body)) return false;
  const members = toLowerCaseNames(body);
  const { status } = members;
  // JSend. A payment may have the status “failed”.
  let isFlagged = status === false || status === 'error' || status === 'fail';
  let [hasReason, hasErrorNumber] = [false, hasErrorStatus(members)];
  for (const [name, value] of Object.entries(members)) {
    if (successFlags.includes(name)) isFlagged ||= value === false || value === 'false';
    if (failureFlags.includes(name)) isFlagged ||= value === true;
    if (reasons.includes(name)) hasReason ||= isReason(value);
    if (numberNames.includes(name)) hasErrorNumber ||= isJsonNumber(value) && Number(value) !== 0;
  }
  if ('id' in members) return isFlagged && (hasReason || isReason(members['message']));
  return isFlagged || hasReason || hasErrorNumber;
}

export function saysFailure(raw: RawResponse): boolean {
  try {
    return isFailureBody(decodeAny(raw).body);
  } catch {
    return false;
  }
}

const successFlags = ['success', 'ok', 'issuccess', 'issuccessful', 'succeeded'];
const failureFlags = ['haserrors', 'iserror'];
const reasons = [
  'error',
  'errors',
  'error_message',
  'errormessage',
  'usererrors',
  'fault',
  'exceptionmessage',
];
/** `{"errcode": 40013, "errmsg": …}` */
const numberNames = ['errcode', 'errno', 'error_code', 'errorcode'];

/** An HTTP status in the body with its reason. */
function hasErrorStatus(members: Fields): boolean {
  const status = [members['statuscode'], members['status'], members['code']].find(isJsonNumber);
  const isErrorStatus = status !== undefined && Number(status) >= 400 && Number(status) < 600;
  const texts = ['message', 'msg', 'title', 'detail'];
  return isErrorStatus && texts.some((name) => typeof members[name] === 'string');
}

function isErrorEntry(entry: unknown): boolean {
  return isFields(entry) && 'errorCode' in entry && 'message' in entry && !('id' in entry);
}

/** `null`, `false`, 0, their texts and what is empty mean that there was no error. */
function isReason(value: unknown): boolean {
  if (typeof value === 'string') return !/^(?:|0|false|no|none|null|ok)$/i.test(value.trim());
  if (Array.isArray(value)) return value.length > 0;
  if (isFields(value)) return Object.keys(value).length > 0;
  return value === true;
}
