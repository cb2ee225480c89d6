import type { RowResult } from '../apply/row-results.ts';
import type { CellRules } from '../edit/cell-rules.ts';
import type { Edit } from '../edit/edit.ts';
import type { RowOutcome } from '../edit/edit-entry.ts';
import type { Keyed } from '../plan/current/pairing.ts';
import { type DraftParts, openDraft, type PlanDraft } from '../plan/plan-draft.ts';
import { planUndo } from './undo-row.ts';

export interface UndoPlanning extends DraftParts {
  /** What the job did. */
  readonly edit: Edit;
  /** What became of its rows, in their order. */
  readonly results: AsyncIterable<RowResult>;
  readonly isSameValue: CellRules['isSameValue'];
}

/** What takes an edit back. */
export function toUndoEdit({ noun, verb }: Edit): Edit {
  const opposite = { create: 'delete', update: 'update', delete: 'create' } as const;
  return { noun, verb: opposite[verb], match: 'id', force: false };
}

/**
 * Plans what puts back all that a job has done, or may have done: a change where the fields still are as the job
 * left them, a new record where nobody has changed it since, a removed one as a new one. What is back already is
 * left alone, and rows of which the job changed nothing are left out.
 */
export function openUndoDraft(undoing: UndoPlanning): Promise<PlanDraft> {
  const { isSameValue } = undoing;
  const { noun, match } = toUndoEdit(undoing.edit);
  return openDraft<RowResult>({
    ...undoing,
    noun,
    match,
    rows: toKeyed(undoing.results),
    plan: (pair, isSure) => planUndo(pair, { noun, match, isSure, isSameValue }),
  });
}

const mayHaveChanged: ReadonlySet<RowOutcome['what']> = new Set(['done', 'accepted', 'doubtful']);

async function* toKeyed(results: AsyncIterable<RowResult>): AsyncGenerator<Keyed<RowResult>> {
  for await (const item of results) {
    const { planned, outcome } = item;
    if (outcome === undefined || !mayHaveChanged.has(outcome.what)) continue;
    yield { row: planned.row, line: planned.line, key: outcome.id ?? planned.id, item };
  }
}
