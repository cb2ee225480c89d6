import { SalonError } from '../../contract/errors.ts';
import { headerOf } from '../headers.ts';
import { toQuote } from './quote.ts';
import type { RawResponse } from './send.ts';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A successful answer, understood. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: RawResponse['headers'];
  /** The parsed body; undefined where there was none. */
  readonly body: unknown;
}

/** Levels of arrays and objects that an answer may nest: far more than any record, far less than a stack holds. */
const deepest = 100;

/** The JSON of an answer. Throws `unexpected_response` with a glimpse of what came instead. */
export function decodeJson(raw: RawResponse): ApiResponse {
  const text = toText(raw);
  if (text.trim() === '') return { status: raw.status, headers: raw.headers, body: undefined };
  const body = parseJson(text, raw);
  if (isDeeperThan(body, deepest)) {
    throw new SalonError('unexpected_response', 'The server answered JSON that is nested too deeply.', {
      status: raw.status,
      requestId: headerOf(raw.headers, 'x-request-id'),
    });
  }
  return { status: raw.status, headers: raw.headers, body };
}

/** JSON where the server says that it is, else the text as it came. */
export function decodeAny(raw: RawResponse): ApiResponse {
  const isJson = /json/i.test(headerOf(raw.headers, 'content-type') ?? 'json');
  return isJson ? decodeJson(raw) : { status: raw.status, headers: raw.headers, body: toText(raw) };
}

/** What a body that is not JSON seems to be, for a sentence: an HTML page with its title, or its first words. */
export function describeText(text: string): string {
  if (/^\s*(<!doctype html|<html|<head|<body)/i.test(text)) {
    const title = toQuote(/<title[^>]*>([^<]{1,400})/i.exec(text.slice(0, 20_000))?.[1] ?? '', 120);
    return title === '' ? 'an HTML page' : `an HTML page titled “${title}”`;
  }
  return `“${toQuote(text, 120)}”`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function toText(raw: RawResponse): string {
  try {
    return utf8.decode(raw.bytes);
  } catch (cause) {
    throw unexpected(raw, 'text that is not UTF-8', cause);
  }
}

function parseJson(text: string, raw: RawResponse): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected(raw, describeText(text), cause);
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeperThan(member, levels - 1));
  // Without the array that Object.values would make of each of many thousand records, nor a call for each text.
  for (const name in value) {
    const member: unknown = value[name as keyof typeof value];
    if (typeof member === 'object' && isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}

function unexpected(raw: RawResponse, what: string, cause: unknown): SalonError {
  const type = toQuote(headerOf(raw.headers, 'content-type') ?? 'no content type', 80);
  return new SalonError('unexpected_response', `The server answered ${what} (${type}) instead of JSON.`, {
    status: raw.status,
    hint: 'Check the base address: something else may be answering there.',
    requestId: headerOf(raw.headers, 'x-request-id'),
    cause,
  });
}
