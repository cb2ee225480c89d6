import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../../client/http/decode.ts';
import { mayHaveHappened } from '../../client/http/retry.ts';
import { toWhole } from '../../client/resources/update.ts';
import { SalonError, type SalonErrorCode } from '../../contract/errors.ts';
import { isSameValue } from '../input/cell-values.ts';
import type { RowError, RowOutcome } from '../jobs/journal-entries.ts';
import type { PlannedRow } from '../plan/planned-row.ts';
import type { RemoteRecords, TaggedRecord } from './remote-records.ts';

/** Somebody may change a record again and again while it is being written. */
const mostTries = 5;

/**
 * Changes one record, if the fields that are to change still are as the plan saw them. The record is sent whole, so
 * that it comes out right whether the server merges or replaces.
 */
export async function applyUpdate(
  row: PlannedRow,
  records: RemoteRecords,
  { isInDoubt }: { readonly isInDoubt: boolean },
): Promise<RowOutcome> {
  const { id, change, before } = requireUpdate(row);
  let isSent = isInDoubt;
  let present = isInDoubt ? await records.read(id) : await confirmKnown(row, records);
  for (let tries = 1; ; tries += 1) {
    if (present === undefined) return recordNotFound(id);
    const { record, tag } = present;
    if (hasValues(record, change)) return unlessSent(record);
    if (!hasValues(record, pickFields(before, change)))
      return { what: 'stale', id, present: pickFields(record, change) };
    try {
      const written = await records.update(id, toWhole(record, change), tag);
      const what = written.isAccepted ? 'accepted' : 'done';
      return { what, id, after: written.record === undefined ? change : pickFields(written.record, change) };
    } catch (thrown) {
      const isOvertaken = thrown instanceof SalonError && thrown.code === 'precondition_failed';
      if (!isOvertaken || tries === mostTries) throw thrown;
      isSent ||= thrown.members['repeated'] === true;
      present = await records.read(id);
    }
  }

  /** A record that is as planned is so by this row's own doing, if that was sent before. */
  function unlessSent(record: Fields): RowOutcome {
    return isSent ? { what: 'done', id, after: pickFields(record, change) } : { what: 'unchanged', id };
  }
}

/** Whether a record has these values, in the form in which the service keeps them. */
export function hasValues(record: Fields, fields: Fields): boolean {
  return Object.entries(fields).every(([name, value]) => isSameValue(value, record[name], name));
}

/** Of a record, the fields that another one names. */
export function pickFields(record: Fields, named: Fields): Fields {
  return Object.fromEntries(Object.keys(named).map((name) => [name, record[name] ?? null]));
}

function requireUpdate({ row, id, change, before }: PlannedRow) {
  if (id !== null && change !== undefined && before !== undefined) return { id, change, before };
  throw new TypeError(`Row ${row} of the plan lacks what an update needs.`);
}

export interface Creating {
  /** The same for every try of this row, and for no other. */
  readonly key: string;
  /** When it was first about to be sent, if that may have been carried out. */
  readonly doubtfulSinceMs: number | undefined;
  readonly nowMs: number;
  /** Whether a record is that of another row of this job. */
  readonly isTaken: (id: string) => Promise<boolean>;
}

/** Servers keep keys for a day; a little less is safe. */
const keyLifeMs = 20 * 3_600_000;
/** The clocks of two machines differ. */
const clockSlackMs = 5 * 60_000;

/** Makes one record. What may have been made already is repeated only with a key that the server honours. */
export async function applyCreate(
  { row, change }: PlannedRow,
  records: RemoteRecords,
  { key, doubtfulSinceMs, nowMs, isTaken }: Creating,
): Promise<RowOutcome> {
  if (change === undefined) throw new TypeError(`Row ${row} of the plan lacks what a create needs.`);
  const isRepeatable =
    doubtfulSinceMs === undefined || (records.honoursKeys() && nowMs - doubtfulSinceMs < keyLifeMs);
  if (!isRepeatable) return findMade(doubtfulSinceMs);
  const { isAccepted, id, record } = await records.create(change, key);
  return { what: isAccepted ? 'accepted' : 'done', id, ...(record === undefined ? {} : { after: record }) };

  async function findMade(sinceMs: number): Promise<RowOutcome> {
    for (const found of await records.findLike(change ?? {}, sinceMs - clockSlackMs)) {
      const id = String(found['id']);
      if (!(await isTaken(id))) return { what: 'done', id, after: found };
    }
    return unknownOutcome('It is not known whether this was carried out, and no such record was found.');
  }
}

/** Removes one record, if it still is as the plan saw it. */
export async function applyDelete(
  planned: PlannedRow,
  records: RemoteRecords,
  { isInDoubt }: { readonly isInDoubt: boolean },
): Promise<RowOutcome> {
  const { row, id, before } = planned;
  if (id === null || before === undefined)
    throw new TypeError(`Row ${row} of the plan lacks what a delete needs.`);
  const present = isInDoubt ? await records.read(id) : await confirmKnown(planned, records);
  if (present === undefined) return isInDoubt ? { what: 'done', id } : recordNotFound(id);
  if (!isDeepStrictEqual(present.record, before)) return { what: 'stale', id, present: present.record };
  try {
    await records.remove(id, present.tag);
    return { what: 'done', id };
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'precondition_failed') throw thrown;
    const now = await records.read(id);
    return now === undefined ? recordNotFound(id) : { what: 'stale', id, present: now.record };
  }
}

/** The record of a row as it is, as far as the server lets that be known before it is written. */
export async function confirmKnown(
  { id, before, present = before }: PlannedRow,
  records: RemoteRecords,
): Promise<TaggedRecord | undefined> {
  return id === null || present === undefined || present === null ? undefined : records.confirm(id, present);
}

/** Errors that every other row would meet as well: they end the job, which can be gone on with. */
const endings: ReadonlySet<SalonErrorCode> = new Set([
  'interrupted',
  'connection_failed',
  'service_unavailable',
  'rate_limited',
  'authentication_required',
  'invalid_token',
  'not_signed_in',
  'insufficient_scope',
  'permission_denied',
  'confirmation_required',
  'redirect_refused',
  'not_supported',
  'version_retired',
  'unsupported_api_version',
  'method_not_allowed',
  'output_failed',
]);

export function stopsJob(error: SalonError): boolean {
  return endings.has(error.code);
}

/** Whether a row whose request ended so may have been carried out. */
export function mayHaveBeenApplied(error: SalonError): boolean {
  const unclear: readonly SalonErrorCode[] = ['result_unknown', 'unexpected_response', 'response_too_large'];
  return mayHaveHappened(error) || unclear.includes(error.code) || error.members['in_doubt'] === true;
}

/** Why it is not known what became of a request, where that is what an error says. */
export function toCause(error: SalonError): SalonError {
  return error.code === 'result_unknown' && error.cause instanceof SalonError ? error.cause : error;
}

export function toRowError({ code, message, status, requestId }: SalonError): RowError {
  return { code, message, status: status ?? null, requestId: requestId ?? null };
}

export function recordNotFound(id: string): RowOutcome {
  const message = `There is no record ${id} any more.`;
  return { what: 'failed', id, error: { code: 'not_found', message, status: 404, requestId: null } };
}

/** Nobody can say what became of a row. */
export function unknownOutcome(message: string, id: string | null = null): RowOutcome {
  const error: RowError = { code: 'result_unknown', message, status: null, requestId: null };
  return { what: 'doubtful', id, error };
}
