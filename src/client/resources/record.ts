import { SalonError } from '../../contract/errors.ts';
import { isIdentifier, toIdText } from '../../contract/identifiers.ts';
import { type Fields, isFields } from '../fields.ts';
import { readHeader } from '../headers.ts';
import type { ApiResponse } from '../http/decode.ts';

/** The result of a write. */
export interface Written<T> {
  /** `accepted`: the server may still be working on it (202, or 204 for a new record). */
  readonly outcome: 'done' | 'accepted';
  /** From the record, otherwise from `Location`; undefined if the server sent neither. */
  readonly id: string | undefined;
  /** The record with unknown members; undefined if the server sent none. */
  readonly record: T | undefined;
  /** The record's entity tag; undefined if the server sent none. */
  readonly etag: string | undefined;
}

/** A record with its entity tag. */
export interface Tagged<T> {
  readonly record: T;
  /** Undefined if the server sent none. */
  readonly etag: string | undefined;
}

/** The record in a response body: bare, under `data`, or under the name of the resource. */
function unwrapRecord(body: unknown, noun: string): Fields | undefined {
  // A list is not a record.
  if (!isFields(body) || Array.isArray(body['data'])) return undefined;
  const wrapped = [body['data'], body[noun]].find(isFields);
  return wrapped !== undefined && !('id' in body) ? wrapped : body;
}

/** Throws `unexpected_response` if the response has no record. */
export function requireRecord<T>({ body, status, headers }: ApiResponse, noun: string): T {
  const record = unwrapRecord(body, noun);
  if (record !== undefined) return record as T;
  throw new SalonError('unexpected_response', `The server responded with ${status} but no ${noun}.`, {
    status,
    requestId: readHeader(headers, 'x-request-id'),
  });
}

/** Throws `unexpected_response` if the response has no record. */
export function requireTagged<T>(response: ApiResponse, noun: string): Tagged<T> {
  return { record: requireRecord(response, noun), etag: readHeader(response.headers, 'etag') };
}

/** The result of creating a record. */
export function toCreated<T>({ body, status, headers }: ApiResponse, noun: string): Written<T> {
  const record = unwrapRecord(body, noun);
  return {
    outcome: status === 202 || status === 204 ? 'accepted' : 'done',
    id: toIdText(record?.['id']) ?? parseLocation(headers),
    record: record as T | undefined,
    etag: readHeader(headers, 'etag'),
  };
}

/** The result of changing a record. For some servers an empty 204 means that it is done. */
export function toChanged<T>(response: ApiResponse, noun: string, id: string): Written<T> {
  return { ...toCreated(response, noun), id, outcome: response.status === 202 ? 'accepted' : 'done' };
}

function parseLocation(headers: ApiResponse['headers']): string | undefined {
  const path = readHeader(headers, 'location')?.split(/[?#]/)[0] ?? '';
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return isIdentifier(last) ? last : undefined;
}
