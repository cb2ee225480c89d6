import type { Reports } from '../../bulk/apply/write-reports.ts';
import type { EditCounts } from '../../bulk/edit/edit-entry.ts';
import { countChanges } from '../../bulk/plan/plan-counts.ts';
import type { Plan } from '../../bulk/plan/plan-read.ts';
import type { Row } from '../output/printer.ts';

export interface Edited {
  /** Null where there was nothing to send. */
  readonly job: string | null;
  readonly tally: EditCounts;
  readonly reports: Reports | undefined;
}

/** What became of a plan, as programs read it. */
export function toEditRecord(plan: Plan, { job, tally, reports }: Edited): Row {
  const { counts, head } = plan;
  return {
    job,
    list: head.edit.noun,
    verb: head.edit.verb,
    rows: counts.rows,
    ...tally,
    so_already: counts.none,
    refused: counts.refused,
    left: countLeft(plan, tally),
    results: reports?.results ?? null,
    failed_rows: reports?.failed ?? null,
  };
}

/** Rows of which it is not known what became of them. */
export function countLeft({ counts }: Plan, tally: EditCounts): number {
  const settled = Object.values(tally).reduce((sum, times) => sum + times, 0);
  return countChanges(counts) - settled;
}
