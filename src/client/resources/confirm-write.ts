import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { isSameJson } from '../../contract/json.ts';
import { type Fields, isFields } from '../fields.ts';
import type { ApiResponse } from '../http/decode.ts';
import { isSameStored } from './find-created.ts';

export interface ChangedRecord {
  readonly noun: string;
  readonly id: string;
  /** Of the response to the change. */
  readonly status: number;
  readonly change: Fields;
  /** The record before; undefined if it was not read. */
  readonly old: object | undefined;
  readonly now: Fields;
  /** Whether it was read after the change instead of being the response: a replica may lag, so nothing is certain. */
  readonly isReadAgain: boolean;
}

/**
 * Throws `refused` for a success after which every changed field has its old value: some servers say no in a body of
 * their own, or ignore what they do not let anyone change. A server may store another form of a value that was sent.
 */
export function assertChanged({ noun, id, status, change, old, now, isReadAgain }: ChangedRecord): void {
  const before = old as Fields | undefined;
  const fields = Object.keys(change).filter((name) => name in now);
  const isUnchanged = (name: string) =>
    before !== undefined && isSameJson(now[name], before[name]) && !isSameValue(change[name], now[name]);
  if (fields.length === 0 || !fields.every(isUnchanged)) return;
  throw new SalonError(
    'refused',
    `The server responded with ${status}, but ${fields.join(', ')} of ${noun} ${id} did not change.`,
    {
      status,
      hint: 'The server may not let you change this. Look at its response with --debug.',
      members: isReadAgain ? { in_doubt: true } : {},
    },
  );
}

/** Numbers may come back as texts and texts as numbers, and nothing as an empty text or list. */
function isSameValue(sent: unknown, stored: unknown): boolean {
  if (isNothing(sent) && isNothing(stored)) return true;
  return isSameStored(sent, stored) || String(sent) === String(stored);
}

function isNothing(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** Whether a success says by itself that a record is deleted: 204, the record, or a member that says so. */
export function saysDeleted({ status, body }: ApiResponse, id: string): boolean {
  if (status !== 200 && status !== 207) return true;
  if (!isFields(body)) return false;
  const isSaid = ['deleted', 'success', 'ok'].some((name) => body[name] === true);
  return isSaid || (toIdText(body['id']) === id && body['deleted'] !== false);
}

/** Whether a record is one that a server keeps after its deletion. */
export function isMarkedDeleted(record: Fields): boolean {
  return Object.entries(record).some(
    ([name, value]) => /^(?:is_?)?(?:deleted|archived)(?:_?at|_?on|_?date)?$/i.test(name) && Boolean(value),
  );
}

/** Whether a success to a new record shows that there is one. */
export function saysCreated(status: number, sent: Fields, record: Fields | undefined): boolean {
  if (status !== 200 && status !== 207) return true;
  return record !== undefined && Object.keys(sent).every((name) => isSameStored(sent[name], record[name]));
}
