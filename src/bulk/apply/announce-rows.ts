import type { EditEntry } from '../edit/edit-entry.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import type { Journal } from '../jobs/journal.ts';

export interface Announcing {
  readonly journal: Journal<EditEntry>;
  /** Rows whose intents go to disk together. */
  readonly atOnce: number;
  readonly nowMs: () => number;
  /** Whether it is written down already that a row is about to be sent. */
  readonly isAnnounced: (row: PlannedRow) => boolean;
  /** Once this says no, rows only pass by. */
  readonly mayGoOn: () => boolean;
}

/**
 * Hands rows out whose intents are on disk. Flushing costs more than all else that a row needs of this machine, so
 * many share one. What was announced and not handed out is taken back.
 */
export async function* announceRows(
  rows: AsyncIterable<PlannedRow>,
  { journal, atOnce, nowMs, isAnnounced, mayGoOn }: Announcing,
): AsyncGenerator<PlannedRow> {
  const source = rows[Symbol.asyncIterator]();
  let waiting: PlannedRow[] = [];
  try {
    for (;;) {
      waiting = await take(mayGoOn() ? atOnce : 1);
      if (waiting.length === 0) return;
      if (mayGoOn()) await announce(waiting);
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) yield row;
    }
  } finally {
    for (const row of waiting) if (!isAnnounced(row)) await journal.append({ type: 'unsent', row: row.row });
    await source.return?.();
  }

  async function take(most: number): Promise<PlannedRow[]> {
    const taken: PlannedRow[] = [];
    while (taken.length < most) {
      const next = await source.next();
      if (next.done) break;
      taken.push(next.value);
    }
    return taken;
  }

  async function announce(taken: readonly PlannedRow[]): Promise<void> {
    const fresh = taken.filter((row) => !isAnnounced(row));
    for (const { row } of fresh) await journal.append({ type: 'intent', row, atMs: nowMs() });
    if (fresh.length > 0) await journal.commit();
  }
}
