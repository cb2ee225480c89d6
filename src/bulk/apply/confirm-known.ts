import type { EditedRecords, TaggedRecord } from '../edit/edited-records.ts';
import type { PlannedRow } from '../edit/planned-row.ts';

/** The record of a row as it is, as far as the server lets that be known before it is written. */
export async function confirmKnown(
  { id, before, present = before }: PlannedRow,
  records: EditedRecords,
): Promise<TaggedRecord | undefined> {
  return id === null || present === undefined || present === null ? undefined : records.confirm(id, present);
}
