import { isDeepStrictEqual } from 'node:util';
import { SalonError } from '../../contract/errors.ts';
import type { RowOutcome } from '../edit/edit-entry.ts';
import type { EditedRecords } from '../edit/edited-records.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import { confirmKnown } from './confirm-known.ts';
import { noSuchRecord } from './row-error.ts';

/** Removes one record, if it still is as the plan saw it. */
export async function applyDelete(
  planned: PlannedRow,
  records: EditedRecords,
  { isInDoubt }: { readonly isInDoubt: boolean },
): Promise<RowOutcome> {
  const { row, id, before } = planned;
  if (id === null || before === undefined)
    throw new TypeError(`Row ${row} of the plan lacks what a delete needs.`);
  const present = isInDoubt ? await records.read(id) : await confirmKnown(planned, records);
  if (present === undefined) return isInDoubt ? { what: 'done', id } : noSuchRecord(id);
  if (!isDeepStrictEqual(present.record, before)) return { what: 'stale', id, present: present.record };
  try {
    await records.remove(id, present.tag);
    return { what: 'done', id };
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'precondition_failed') throw thrown;
    const now = await records.read(id);
    return now === undefined ? noSuchRecord(id) : { what: 'stale', id, present: now.record };
  }
}
