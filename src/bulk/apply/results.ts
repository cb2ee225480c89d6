import type { Fields } from '../../client/http/decode.ts';
import { readEntries } from '../jobs/journal.ts';
import type { EditEntry, RowOutcome } from '../jobs/journal-entries.ts';
import type { PlannedRow } from '../plan/planned-row.ts';
import { pickFields, unknownOutcome } from './apply-row.ts';

/** A planned row and its outcome; undefined if it was not sent. */
export interface RowResult {
  readonly planned: PlannedRow;
  readonly outcome: RowOutcome | undefined;
}

/**
 * Merges the journal of an edit with its plan, in plan order. Only outcomes that came out of order are held in memory.
 * A row that was about to be sent and has no outcome is doubtful.
 */
export async function* readRowResults(
  rows: AsyncIterable<PlannedRow>,
  journal: string,
): AsyncGenerator<RowResult> {
  const entries = readEntries<EditEntry>(journal);
  const ahead = new Map<number, RowOutcome>();
  const inFlight = new Set<number>();
  for await (const planned of rows) {
    const isSent = planned.act !== 'none' && planned.act !== 'refused';
    yield { planned, outcome: isSent ? await take(planned) : undefined };
  }

  async function take({ row, id }: PlannedRow): Promise<RowOutcome | undefined> {
    while (!ahead.has(row)) {
      const next = await entries.next();
      if (next.done) return inFlight.has(row) ? unknownOutcome(unanswered, id) : undefined;
      note(next.value.entry);
    }
    const outcome = ahead.get(row);
    ahead.delete(row);
    return outcome;
  }

  function note(entry: EditEntry): void {
    if (entry.type === 'intent') inFlight.add(entry.row);
    if (entry.type === 'unsent' || entry.type === 'outcome') inFlight.delete(entry.row);
    if (entry.type === 'outcome') ahead.set(entry.row, toOutcome(entry));
  }
}

const unanswered = 'Sent, but no response came. Resume the job to find out.';

function toOutcome({ type, row, ...outcome }: EditEntry & { readonly type: 'outcome' }): RowOutcome {
  return outcome;
}

/** The result of a row, as in `results.csv`. */
export interface ResultRow {
  readonly line: number;
  /** Null for a record that was not created. */
  readonly id: string | null;
  readonly result: string;
  /** The fields to change: as planned from, as planned, and as a stale record has them now. */
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

/** Whether a row belongs in `failed.csv`. A doubtful one does not: it may be done. */
export function isRetryable({ planned, outcome }: RowResult): boolean {
  return planned.act === 'refused' || outcome?.what === 'failed' || outcome?.what === 'stale';
}

function toResult(act: PlannedRow['act'], outcome: RowOutcome | undefined): string {
  if (act === 'none') return 'unchanged';
  if (act === 'refused') return 'refused';
  if (outcome === undefined) return 'not_sent';
  return outcome.what === 'done' ? doneAs[act] : outcome.what;
}
