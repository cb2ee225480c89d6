import { SalonError } from '../../contract/errors.ts';
import { isIdentifier, toIdText } from '../../contract/identifiers.ts';
import { contractDialect, type ResourceDialect } from '../dialect/dialect.ts';
import { parseItemPath, toRow } from '../dialect/record-form.ts';
import type { ApiResponse } from '../http/decode.ts';
import { type Fields, isFields, readPath } from '../json-object.ts';
import { readHeader, readRequestId } from '../response-headers.ts';

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
  /** Of an update: the record that was changed, if it was read. */
  readonly before?: object | undefined;
}

/** A record with its entity tag. */
export interface Tagged<T> {
  readonly record: T;
  /** Undefined if the server sent none. */
  readonly etag: string | undefined;
}

type Shape = Pick<ResourceDialect, 'fieldsKey' | 'idKey' | 'itemPath' | 'map'>;

/** The record in a response body, with its fields and its ID as members. */
export function unwrapRecord(body: unknown, noun: string, shape: Shape): Fields | undefined {
  const record = findRecord(body, noun, shape);
  if (record === undefined) return undefined;
  const { '@odata.context': _ofResponse, ...members } = toRow(record, shape);
  return members;
}

/** Bare, under `data` or the name of the resource, the only record in a member, or alone in an array. */
function findRecord(body: unknown, noun: string, { idKey }: Shape): Fields | undefined {
  if (Array.isArray(body)) return body.length === 1 ? body.find(isFields) : undefined;
  // A list is not a record.
  if (!isFields(body) || Array.isArray(body['data'])) return undefined;
  if ('id' in body || readPath(body, idKey) !== undefined) return body;
  const members = Object.values(body).filter(
    (member) => isFields(member) && ('id' in member || idKey in member),
  );
  return [body['data'], body[noun], members.length === 1 ? members[0] : undefined].find(isFields) ?? body;
}

/**
 * Throws `not_found` for a success that concerns no record: a server that finds records by a filter responds with an
 * empty array, and Stripe with the rest of a deleted record. Throws `unexpected_response` for several records.
 */
export function assertFound(
  { body, status }: ApiResponse,
  { noun, id, itemPath }: { noun: string; id: string; itemPath: string },
): void {
  const isEmpty = itemPath.includes('?') && Array.isArray(body) && body.length === 0;
  if (Array.isArray(body) && body.length > 1) {
    const message = `The server responded with ${body.length} records instead of ${noun} ${id}.`;
    throw new SalonError('unexpected_response', message, { status });
  }
  const isDeleted = isFields(body) && body['deleted'] === true && Object.keys(body).length <= 3;
  if (isEmpty || isDeleted) throw recordNotFound(noun, id, status);
}

/** Throws `unexpected_response` for a record with another ID than the requested one. Case may differ, as in GUIDs. */
export function assertRequested(record: unknown, noun: string, id: string): void {
  const found = isFields(record) ? toIdText(record['id']) : undefined;
  if (found === undefined || found.toLowerCase() === id.toLowerCase()) return;
  const message = `The server responded with ${noun} ${found} instead of ${noun} ${id}.`;
  throw new SalonError('unexpected_response', message);
}

export function recordNotFound(noun: string, id: string, status?: number): SalonError {
  return new SalonError('not_found', `No ${noun} with ID ${id}.`, {
    status,
    members: { resource: noun, id },
  });
}

/** Throws `unexpected_response` if the response has no record. */
export function requireRecord<T>(response: ApiResponse, noun: string, shape: Shape = contractDialect): T {
  const record = unwrapRecord(response.body, noun, shape);
  if (record !== undefined) return record as T;
  throw noRecord(response, noun);
}

export function noRecord({ status, headers }: ApiResponse, noun: string): SalonError {
  return new SalonError('unexpected_response', `The server responded with ${status} but no ${noun}.`, {
    status,
    requestId: readRequestId(headers),
  });
}

/** The result of creating a record. */
export function toCreated<T>(
  { body, status, headers }: ApiResponse,
  noun: string,
  shape: Shape = contractDialect,
): Written<T> {
  const record = unwrapRecord(body, noun, shape);
  const located = parseItemPath(readHeader(headers, 'location') ?? '', shape);
  return {
    outcome: status === 202 || status === 204 ? 'accepted' : 'done',
    id: toIdText(record?.['id']) ?? (isIdentifier(located ?? '') ? located : undefined),
    record: record as T | undefined,
    etag: readHeader(headers, 'etag'),
  };
}

/** The result of changing a record. For some servers an empty 204 means that it is done. */
export function toChanged<T>(
  response: ApiResponse,
  { noun, id, shape = contractDialect }: { noun: string; id: string; shape?: Shape },
): Written<T> {
  const written = toCreated<T>(response, noun, shape);
  if (response.status !== 202) return { ...written, id, outcome: 'done' };
  // The body of a 202 describes the request as a rule, not the record.
  const isRecord = toIdText((written.record as Fields | undefined)?.['id']) === id;
  return { ...written, id, outcome: 'accepted', record: isRecord ? written.record : undefined };
}
