import type { RowOutcome } from '../edit/edit-entry.ts';
import type { EditedRecords } from '../edit/edited-records.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import { doubtful } from './row-error.ts';

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
  records: EditedRecords,
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
    return doubtful('It is not known whether this was carried out, and no such record was found.');
  }
}
