import { SalonError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { readHeader, readRequestId } from '../headers.ts';
import type { BodyStream } from './body-stream.ts';
import { quote } from './quote.ts';
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
  const text = toText(raw);
  if (text.trim() === '') return { status: raw.status, headers: raw.headers, body: undefined };
  const body = parseBody(text, raw);
  return { status: raw.status, headers: raw.headers, body };
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

function parseBody(text: string, raw: RawResponse): unknown {
  try {
    return parseJson(text, maxDepth);
  } catch (cause) {
    if (cause instanceof RangeError) throw tooDeep(raw);
    throw unexpected(raw, describeText(text), cause);
  }
}

function tooDeep(raw: RawResponse): SalonError {
  return new SalonError('unexpected_response', 'The server responded with JSON that is nested too deeply.', {
    status: raw.status,
    requestId: readRequestId(raw.headers),
  });
}

function unexpected(raw: RawResponse, what: string, cause: unknown): SalonError {
  const type = quote(readHeader(raw.headers, 'content-type') ?? 'no content type', 80);
  return new SalonError(
    'unexpected_response',
    `The server responded with ${what} (${type}) instead of JSON.`,
    {
      status: raw.status,
      hint: 'Check the base URL: another program may be running there.',
      requestId: readRequestId(raw.headers),
      cause,
    },
  );
}
