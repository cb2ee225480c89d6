import type { EditEntry, RowOutcome } from '../edit/edit-entry.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import { readEntries } from '../jobs/journal.ts';
import { doubtful } from './row-error.ts';

/** A row of a plan, and what became of it; undefined where nothing was sent. */
export interface RowResult {
  readonly planned: PlannedRow;
  readonly outcome: RowOutcome | undefined;
}

/**
 * Sets the journal of an edit beside its plan, row by row in the order of the plan. What is in memory are the rows
 * that overtook one another. A row that was about to be sent, and of which nothing more is known, is doubtful.
 */
export async function* readRowResults(
  rows: AsyncIterable<PlannedRow>,
  journal: string,
): AsyncGenerator<RowResult> {
  const entries = readEntries<EditEntry>(journal);
  const ahead = new Map<number, RowOutcome>();
  const underWay = new Set<number>();
  for await (const planned of rows) {
    const isSent = planned.act !== 'none' && planned.act !== 'refused';
    yield { planned, outcome: isSent ? await take(planned) : undefined };
  }

  async function take({ row, id }: PlannedRow): Promise<RowOutcome | undefined> {
    while (!ahead.has(row)) {
      const next = await entries.next();
      if (next.done) return underWay.has(row) ? doubtful(unanswered, id) : undefined;
      note(next.value.entry);
    }
    const outcome = ahead.get(row);
    ahead.delete(row);
    return outcome;
  }

  function note(entry: EditEntry): void {
    if (entry.type === 'intent') underWay.add(entry.row);
    if (entry.type === 'unsent' || entry.type === 'outcome') underWay.delete(entry.row);
    if (entry.type === 'outcome') ahead.set(entry.row, toOutcome(entry));
  }
}

const unanswered = 'It was sent and no answer came. Going on with the job finds out what became of it.';

function toOutcome({ type, row, ...outcome }: EditEntry & { readonly type: 'outcome' }): RowOutcome {
  return outcome;
}
