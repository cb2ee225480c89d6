import { readEntries } from '../jobs/journal.ts';
import type { EditEntry, Outcome } from './edit-entry.ts';
import type { PlannedRow } from './planned-row.ts';

/** A row of a plan, and what became of it; undefined where nothing was sent. */
export interface RowResult {
  readonly planned: PlannedRow;
  readonly outcome: Outcome | undefined;
}

/**
 * Sets the journal of an edit beside its plan, row by row in the order of the plan. What is in memory are the rows
 * that overtook one another.
 */
export async function* readRowResults(
  rows: AsyncIterable<PlannedRow>,
  journal: string,
): AsyncGenerator<RowResult> {
  const entries = readEntries<EditEntry>(journal);
  const ahead = new Map<number, Outcome>();
  for await (const planned of rows) {
    const isSent = planned.act !== 'none' && planned.act !== 'refused';
    yield { planned, outcome: isSent ? await take(planned.row) : undefined };
  }

  async function take(row: number): Promise<Outcome | undefined> {
    while (!ahead.has(row)) {
      const next = await entries.next();
      if (next.done) return undefined;
      const { entry } = next.value;
      if (entry.type === 'outcome') ahead.set(entry.row, toOutcome(entry));
    }
    const outcome = ahead.get(row);
    ahead.delete(row);
    return outcome;
  }
}

function toOutcome({ type, row, ...outcome }: EditEntry & { readonly type: 'outcome' }): Outcome {
  return outcome;
}
