import { isDeepStrictEqual } from 'node:util';
import { isUnanswered } from '../../client/http/retry.ts';
import { type Fields, isFields } from '../../client/json-object.ts';
import { findDifferences } from '../../client/resources/confirm-write.ts';
import type { Written } from '../../client/resources/response-record.ts';
import { SalonError, type SalonErrorCode } from '../../contract/errors.ts';
import { isSameValue } from '../input/cell-values.ts';
import { isWriteOption } from '../input/edit-fields.ts';
import type { RowError, RowOutcome } from '../jobs/journal.ts';
import type { PlannedRow } from '../plan/plan-format.ts';
import type { RemoteRecords, TaggedRecord } from './remote-records.ts';

export interface SendRowOptions {
  readonly records: RemoteRecords;
  /** Adds a record, only once however often a server that honours idempotency keys is asked. */
  readonly create: (row: PlannedRow) => Promise<Written<Fields>>;
  readonly nowMs: () => number;
  /** Whether a record was created by another row of the job. */
  readonly isTaken: (id: string) => Promise<boolean>;
}

/**
 * Applies a planned change of one record; `sentAtMs` is when it was first sent, if that may have been applied. An update
 * is repeated identically, a create only with a key that the server honours.
 */
export function sendRow(
  row: PlannedRow,
  sentAtMs: number | undefined,
  options: SendRowOptions,
): Promise<RowOutcome> {
  if (row.act === 'create') return applyCreate(row, sentAtMs, options);
  const apply = row.act === 'delete' ? applyDelete : applyUpdate;
  return apply(row, options.records, { mayBeApplied: sentAtMs !== undefined });
}

/** A record may change again and again while it is being written. */
const maxTries = 5;

/**
 * Updates one record if the fields to change are still as planned. The whole record is sent unless the server is known
 * to merge, so the result is right if it replaces, too. `mayBeApplied`: an earlier request may have been applied.
 */
async function applyUpdate(
  row: PlannedRow,
  records: RemoteRecords,
  { mayBeApplied }: { readonly mayBeApplied: boolean },
): Promise<RowOutcome> {
  const { id, change, before } = row;
  if (id === null || change === undefined || before === undefined) throw incomplete(row);
  const watched = { ...Object.fromEntries((row.watched ?? []).map((name) => [name, null])), ...change };
  let current = mayBeApplied ? await records.read(id) : await confirmRecord(row, records);
  for (let tries = 1; ; tries += 1) {
    if (current === undefined) return recordNotFound(id);
    const { record } = current;
    if (hasValues(record, change) || (mayBeApplied && findDifferences(change, before, record).length === 0)) {
      return mayBeApplied
        ? { what: 'done', id, after: pickFields(record, change) }
        : { what: 'unchanged', id };
    }
    // What may have been sent may be there in part.
    const unstored = findDifferences(change, undefined, record).map(({ field }) => field);
    const isExpected = ([name]: [string, unknown]) =>
      !mayBeApplied || !Object.hasOwn(change, name) || unstored.includes(name);
    const expected = Object.fromEntries(Object.entries(pickFields(before, watched)).filter(isExpected));
    if (!hasValues(record, expected)) {
      if (mayBeApplied) return unknownOutcome('It may have been sent, and the record has changed since.', id);
      return { what: 'stale', id, present: pickFields(record, watched) };
    }
    try {
      const { outcome: what, record: written } = await records.update(id, change, current);
      return { what, id, ...toStored(written, change) };
    } catch (thrown) {
      if (!isOutdated(thrown) || tries === maxTries) throw thrown;
      current = await records.read(id);
    }
  }
}

/** Deletes one record if it is still as planned. */
async function applyDelete(
  row: PlannedRow,
  records: RemoteRecords,
  { mayBeApplied }: { readonly mayBeApplied: boolean },
): Promise<RowOutcome> {
  const { id, before } = row;
  if (id === null || before === undefined) throw incomplete(row);
  const current = mayBeApplied ? await records.read(id) : await confirmRecord(row, records);
  if (current === undefined || (mayBeApplied && records.isGone(current.record)))
    return mayBeApplied ? { what: 'done', id } : recordNotFound(id);
  if (!isDeepStrictEqual(current.record, before)) return { what: 'stale', id, present: current.record };
  try {
    await records.delete(id, current.etag);
    return { what: 'done', id };
  } catch (thrown) {
    if (!isOutdated(thrown)) throw thrown;
    const now = await records.read(id);
    if (mayBeApplied && (now === undefined || records.isGone(now.record))) return { what: 'done', id };
    return now === undefined ? recordNotFound(id) : { what: 'stale', id, present: now.record };
  }
}

/** Servers keep idempotency keys for a day; a bit less is safe. */
const keyLifeMs = 20 * 3_600_000;

/** Creates one record. A create that may have been applied is repeated only with a key that the server honours. */
async function applyCreate(
  row: PlannedRow,
  sentAtMs: number | undefined,
  { records, create, nowMs, isTaken }: SendRowOptions,
): Promise<RowOutcome> {
  const { change } = row;
  if (change === undefined) throw incomplete(row);
  const startMs = nowMs();
  const isRepeatable = sentAtMs === undefined || (records.honoursKeys() && startMs - sentAtMs < keyLifeMs);
  if (isRepeatable) {
    const written = await create(row).catch((thrown: unknown) => {
      if (sentAtMs === undefined || !isAnsweredUnclearly(thrown)) throw thrown;
    });
    if (written !== undefined) {
      const { outcome: what, id = null, record } = written;
      const stored = record === undefined ? {} : { ...toStored(record, change), after: record };
      return { what, id, ...stored };
    }
  }
  for (const found of await records.findCreated(change, sentAtMs ?? startMs)) {
    const id = String(found['id']);
    if (!(await isTaken(id))) return { what: 'done', id, after: found };
  }
  return unknownOutcome('The result is unknown, and no new record with these values was found.');
}

/** The record to write to, read again only if the server needs that. */
async function confirmRecord(
  { id, before, current = before }: PlannedRow,
  records: RemoteRecords,
): Promise<TaggedRecord | undefined> {
  return id === null || current === undefined || current === null ? undefined : records.confirm(id, current);
}

/** Whether a record has these values, in the form the service stores. */
function hasValues(record: Fields, fields: Fields): boolean {
  return Object.entries(fields).every(
    ([name, value]) => isWriteOption(name) || isSameValue(value, record[name], name),
  );
}

/** The values that a write left, shown where they are in another form than planned. */
function toStored(record: Fields | undefined, change: Fields): Pick<RowOutcome, 'after' | 'present'> {
  const after = record === undefined ? change : pickFields(record, change);
  return hasValues(after, change) ? { after } : { after, present: after };
}

/** The fields of a record that `named` has. */
export function pickFields(record: Fields, named: Fields): Fields {
  return Object.fromEntries(Object.keys(named).map((name) => [name, record[name] ?? null]));
}

function incomplete({ row, act }: PlannedRow): TypeError {
  return new TypeError(`Row ${row} of the plan is incomplete for ${act}.`);
}

/** The outcome of a write that succeeded although not every field was stored, or can be read; else undefined. */
export function toUnstored(
  thrown: SalonError,
  { act, change, before = {} }: PlannedRow,
): RowOutcome | undefined {
  const { id, record, unconfirmed, not_stored } = thrown.members;
  if ((unconfirmed ?? not_stored) === undefined) return undefined;
  const names = change ?? before;
  const present = !isFields(record) ? names : act === 'create' ? record : pickFields(record, names);
  const outcome = { id: id === null ? null : String(id), present, error: toRowError(thrown) };
  if (unconfirmed !== undefined) return { what: 'doubtful', ...outcome, after: present };
  const isChanged = act === 'create' || !hasValues(before, present);
  return { what: 'failed', ...outcome, ...(isChanged ? { after: present } : {}) };
}

/** Whether the server has responded to a write with an error after which it may have been applied. */
export function isAnsweredUnclearly(thrown: unknown): thrown is SalonError {
  return thrown instanceof SalonError && isUnknownResult(thrown) && thrown.status !== undefined;
}

/** Whether the record was deleted or changed since it was read. */
function isOutdated(thrown: unknown): boolean {
  return thrown instanceof SalonError && ['precondition_failed', 'not_found'].includes(thrown.code);
}

/** Errors that every other row would meet as well: they stop the job, which can be resumed. */
const stopping: ReadonlySet<SalonErrorCode> = new Set([
  ...(['interrupted', 'connection_failed', 'service_unavailable', 'rate_limited'] as const),
  ...(['authentication_required', 'invalid_token', 'not_signed_in', 'insufficient_scope'] as const),
  ...(['permission_denied', 'read_only', 'address_not_allowed', 'storage_quota_exceeded'] as const),
  ...(['confirmation_required', 'redirect_refused', 'not_supported', 'version_retired'] as const),
  ...(['unsupported_api_version', 'method_not_allowed', 'output_failed', 'salon_settings_changed'] as const),
]);

export function stopsJob(error: SalonError): boolean {
  return stopping.has(error.code);
}

/** Whether a write that ended with this error may have been applied. One that was `refused` was read again. */
function isUnknownResult({ code, members }: SalonError): boolean {
  return code === 'result_unknown' || (members['in_doubt'] === true && code !== 'refused');
}

/** Whether a row that ended with this error has to be checked later: it may have been applied, or not been read. */
export function needsCheck(error: SalonError): boolean {
  return isUnknownResult(error) || isUnanswered(error) || (error.retryable && !stopsJob(error));
}

export function toRowError({ code, message, status, requestId }: SalonError): RowError {
  return { code, message, status: status ?? null, requestId: requestId ?? null };
}

function recordNotFound(id: string): RowOutcome {
  const message = `Record ${id} no longer exists.`;
  return { what: 'failed', id, error: { code: 'not_found', message, status: 404, requestId: null } };
}

export function unknownOutcome(message: string, id: string | null = null): RowOutcome {
  const error: RowError = { code: 'result_unknown', message, status: null, requestId: null };
  return { what: 'doubtful', id, error };
}
