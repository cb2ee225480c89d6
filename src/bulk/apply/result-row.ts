import type { Fields } from '../../client/http/decode.ts';
import type { RowOutcome } from '../edit/edit-entry.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import { pick } from './apply-update.ts';
import type { RowResult } from './row-results.ts';

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
    old: isUpdate ? pick(before, change) : null,
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
