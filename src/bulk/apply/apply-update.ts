import type { Fields } from '../../client/http/decode.ts';
import { toWhole } from '../../client/resources/update.ts';
import { SalonError } from '../../contract/errors.ts';
import { isSameValue } from '../edit/cell-values.ts';
import type { RowOutcome } from '../edit/edit-entry.ts';
import type { EditedRecords } from '../edit/edited-records.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import { confirmKnown } from './confirm-known.ts';
import { noSuchRecord } from './row-error.ts';

/** Somebody may change a record again and again while it is being written. */
const mostTries = 5;

/**
 * Changes one record, if the fields that are to change still are as the plan saw them. The record is sent whole, so
 * that it comes out right whether the server merges or replaces.
 */
export async function applyUpdate(
  row: PlannedRow,
  records: EditedRecords,
  { isInDoubt }: { readonly isInDoubt: boolean },
): Promise<RowOutcome> {
  const { id, change, before } = requireUpdate(row);
  let isSent = isInDoubt;
  let present = isInDoubt ? await records.read(id) : await confirmKnown(row, records);
  for (let tries = 1; ; tries += 1) {
    if (present === undefined) return noSuchRecord(id);
    const { record, tag } = present;
    if (holds(record, change)) return unlessSent(record);
    if (!holds(record, pick(before, change))) return { what: 'stale', id, present: pick(record, change) };
    try {
      const written = await records.update(id, toWhole(record, change), tag);
      const what = written.isAccepted ? 'accepted' : 'done';
      return { what, id, after: written.record === undefined ? change : pick(written.record, change) };
    } catch (thrown) {
      const isOvertaken = thrown instanceof SalonError && thrown.code === 'precondition_failed';
      if (!isOvertaken || tries === mostTries) throw thrown;
      isSent ||= thrown.members['repeated'] === true;
      present = await records.read(id);
    }
  }

  /** A record that is as planned is so by this row's own doing, if that was sent before. */
  function unlessSent(record: Fields): RowOutcome {
    return isSent ? { what: 'done', id, after: pick(record, change) } : { what: 'unchanged', id };
  }
}

/** Whether a record has these values, in the form in which the service keeps them. */
export function holds(record: Fields, fields: Fields): boolean {
  return Object.entries(fields).every(([name, value]) => isSameValue(value, record[name], name));
}

/** Of a record, the fields that another one names. */
export function pick(record: Fields, named: Fields): Fields {
  return Object.fromEntries(Object.keys(named).map((name) => [name, record[name] ?? null]));
}

function requireUpdate({ row, id, change, before }: PlannedRow) {
  if (id !== null && change !== undefined && before !== undefined) return { id, change, before };
  throw new TypeError(`Row ${row} of the plan lacks what an update needs.`);
}
