import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { headerOf } from '../headers.ts';
import { type ApiResponse, type Fields, isFields } from '../http/decode.ts';

/** What became of a write. */
export interface Written<T> {
  /** `accepted`: the server took it and did not say that it is done (202, or 204 for a new record). */
  readonly outcome: 'done' | 'accepted';
  /** From the record, else from `Location`; undefined where the server names none. */
  readonly id: string | undefined;
  /** The record as the server answered it, unknown members kept; undefined where it answered none. */
  readonly record: T | undefined;
  /** What the server calls this state of the record; undefined where it has no name for it. */
  readonly etag: string | undefined;
}

/** A record, and what the server calls the state it is in. */
export interface Tagged<T> {
  readonly record: T;
  /** Undefined where the server has no name for it. */
  readonly etag: string | undefined;
}

/** The record in an answer: bare, under `data`, or under the name of its kind. */
export function unwrapRecord(body: unknown, noun: string): Fields | undefined {
  // A list is no record, whatever the path asked for.
  if (!isFields(body) || Array.isArray(body['data'])) return undefined;
  const wrapped = [body['data'], body[noun]].find(isFields);
  return wrapped !== undefined && !('id' in body) ? wrapped : body;
}

/** The record of an answer that must have one. Throws `unexpected_response`. */
export function requireRecord<T>(answer: ApiResponse, noun: string): T {
  const record = unwrapRecord(answer.body, noun);
  if (record !== undefined) return record as T;
  throw new SalonError(
    'unexpected_response',
    `The server answered ${answer.status} without a ${noun} in it.`,
    {
      status: answer.status,
      requestId: headerOf(answer.headers, 'x-request-id'),
    },
  );
}

/** The same with its tag. Throws `unexpected_response`. */
export function requireTagged<T>(answer: ApiResponse, noun: string): Tagged<T> {
  return { record: requireRecord(answer, noun), etag: headerOf(answer.headers, 'etag') };
}

export function toWritten<T>(answer: ApiResponse, noun: string): Written<T> {
  const record = unwrapRecord(answer.body, noun);
  const id = record?.['id'];
  return {
    outcome: answer.status === 202 || answer.status === 204 ? 'accepted' : 'done',
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : idOfLocation(answer),
    record: record as T | undefined,
    etag: headerOf(answer.headers, 'etag'),
  };
}

function idOfLocation(answer: ApiResponse): string | undefined {
  const path = headerOf(answer.headers, 'location')?.split(/[?#]/)[0] ?? '';
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return isIdentifier(last) ? last : undefined;
}
