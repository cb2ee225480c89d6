import { type EditEntry, emptyEditCounts, type RowOutcome } from '../edit/edit-entry.ts';
import { readJournal } from '../jobs/journal.ts';
import { createRowSet } from './row-set.ts';

/** How far an edit has come, as its journal says. */
export interface EditProgress {
  /** Whether it is known what became of a row. */
  isSettled(row: number): boolean;
  /** Rows that were about to be sent and of which nothing more is known, with when that was. */
  readonly inDoubt: ReadonlyMap<number, { readonly atMs: number }>;
  readonly tally: Record<RowOutcome['what'], number>;
  readonly isDone: boolean;
  /** Up to here the journal is sound. */
  readonly journalBytes: number;
  readonly isDamaged: boolean;
}

export async function readEditProgress(path: string): Promise<EditProgress> {
  const settled = createRowSet();
  const inDoubt = new Map<number, { atMs: number }>();
  const tally = { ...emptyEditCounts };
  let isDone = false;
  const { soundBytes, isDamaged } = await readJournal<EditEntry>(path, (entry) => {
    if (entry.type === 'intent') inDoubt.set(entry.row, { atMs: entry.atMs });
    else if (entry.type === 'unsent') inDoubt.delete(entry.row);
    else if (entry.type === 'outcome') {
      inDoubt.delete(entry.row);
      settled.add(entry.row);
      tally[entry.what] += 1;
    } else isDone = entry.type === 'done';
  });
  return { isSettled: settled.has, inDoubt, tally, isDone, journalBytes: soundBytes, isDamaged };
}
