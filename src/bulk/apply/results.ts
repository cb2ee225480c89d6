import type { Fields } from '../../client/http/decode.ts';
import { readEntries } from '../jobs/journal.ts';
import type { EditEntry, RowOutcome } from '../jobs/journal-entries.ts';
import type { PlannedRow } from '../plan/planned-row.ts';
import { pickFields, unknownOutcome } from './apply-row.ts';

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
      if (next.done) return underWay.has(row) ? unknownOutcome(unanswered, id) : undefined;
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

/** What became of a row, as people and scripts read it. */
export interface ResultRow {
  readonly line: number;
  /** Null for what was never made. */
  readonly id: string | null;
  readonly result: string;
  /** The fields that were to change: as the plan saw them, as it wanted them, and as a stale record has them. */
  readonly old: Fields | null;
  readonly planned: Fields | null;
  readonly present: Fields | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly request_id: string | null;
}

export const resultColumns: readonly (keyof ResultRow)[] = [
  'line',
  'id',
  'result',
  'old',
  'planned',
  'present',
  'code',
  'detail',
  'request_id',
];

const doneAs = { create: 'created', update: 'updated', delete: 'deleted' } as const;

export function toResultRow({ planned, outcome }: RowResult): ResultRow {
  const { line, act, change, before, refusal } = planned;
  const isUpdate = act === 'update' && change !== undefined && before !== undefined;
  return {
    line,
    id: outcome?.id ?? planned.id,
    result: toResult(act, outcome),
    old: isUpdate ? pickFields(before, change) : null,
    planned: change ?? null,
    present: outcome?.present ?? null,
    code: outcome?.error?.code ?? refusal?.code ?? null,
    detail: outcome?.error?.message ?? refusal?.reason ?? null,
    request_id: outcome?.error?.requestId ?? null,
  };
}

/** Whether a row is worth another run once its reason is gone. What is in doubt is not: it may be done. */
export function isFailed({ planned, outcome }: RowResult): boolean {
  return planned.act === 'refused' || outcome?.what === 'failed' || outcome?.what === 'stale';
}

function toResult(act: PlannedRow['act'], outcome: RowOutcome | undefined): string {
  if (act === 'none') return 'unchanged';
  if (act === 'refused') return 'refused';
  if (outcome === undefined) return 'not_sent';
  return outcome.what === 'done' ? doneAs[act] : outcome.what;
}
