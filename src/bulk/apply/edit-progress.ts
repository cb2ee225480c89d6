import { readJournal } from '../jobs/journal.ts';
import { type EditEntry, emptyOutcomeCounts, type RowOutcome } from '../jobs/journal-entries.ts';

/** How far a bulk edit has come, according to its journal. */
export interface EditProgress {
  /** Whether a row has an outcome. */
  isSettled(row: number): boolean;
  /** Rows that were about to be sent, without an outcome, and when (milliseconds since 1970). */
  readonly uncertain: ReadonlyMap<number, { readonly atMs: number }>;
  readonly tally: Record<RowOutcome['what'], number>;
  readonly isDone: boolean;
  /** The journal is intact up to here. */
  readonly journalBytes: number;
  readonly isDamaged: boolean;
}

export async function readEditProgress(path: string): Promise<EditProgress> {
  const settled = new Set<number>();
  const uncertain = new Map<number, { atMs: number }>();
  const tally = { ...emptyOutcomeCounts };
  let isDone = false;
  const { soundBytes, isDamaged } = await readJournal<EditEntry>(path, (entry) => {
    if (entry.type === 'intent') uncertain.set(entry.row, { atMs: entry.atMs });
    else if (entry.type === 'unsent') uncertain.delete(entry.row);
    else if (entry.type === 'outcome') {
      uncertain.delete(entry.row);
      settled.add(entry.row);
      tally[entry.what] += 1;
    } else isDone = entry.type === 'done';
  });
  const isSettled = (row: number) => settled.has(row);
  return { isSettled, uncertain, tally, isDone, journalBytes: soundBytes, isDamaged };
}

/** Number of rows with an outcome. */
export function countSettled(tally: Readonly<Record<string, number>>): number {
  return Object.values(tally).reduce((sum, rows) => sum + rows, 0);
}

/**
 * Tells whether a record belongs to another row of the job; one that does not is taken from then on. Reads the journal
 * each time: few rows are ever uncertain, and a million IDs would take memory.
 */
export function createTakenIds(journalPath: string): (id: string) => Promise<boolean> {
  const given = new Set<string>();
  return async (id) => {
    if (given.has(id)) return true;
    given.add(id);
    let isTaken = false;
    await readJournal<EditEntry>(journalPath, (entry) => {
      isTaken ||= entry.type === 'outcome' && entry.id === id;
    });
    return isTaken;
  };
}
