import { readJournal } from '../jobs/journal.ts';
import { type EditEntry, emptyOutcomeCounts, type RowOutcome } from '../jobs/journal-entries.ts';

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
  const tally = { ...emptyOutcomeCounts };
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

/** A set of row numbers: a bit each, so that a million take 125 kB. */
export interface RowSet {
  add(row: number): void;
  has(row: number): boolean;
}

export function createRowSet(): RowSet {
  let bits = new Uint8Array(1_024);
  return {
    add(row) {
      const index = row >>> 3;
      if (index >= bits.length) {
        const larger = new Uint8Array(Math.max(bits.length * 2, index + 1));
        larger.set(bits);
        bits = larger;
      }
      bits[index] = (bits[index] ?? 0) | (1 << (row & 7));
    },
    has: (row) => ((bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0,
  };
}

/**
 * Tells whether a record was made by another row of the job; one of which that was not known is the caller's from
 * then on. The journal is read anew each time: few rows are ever in doubt, and a million identifiers take room.
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
