import type { RowResult } from '../../../src/bulk/apply/results.ts';
import { readCurrentRecords } from '../../../src/bulk/plan/current-records.ts';
import type { PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import { openRecordJoin } from '../../../src/bulk/plan/record-join.ts';
import { addResults, planUndoRow } from '../../../src/bulk/undo/plan-undo.ts';
import type { SalonClient } from '../../../src/client/client.ts';
import { each } from '../plan/sample-plan.ts';

/** Plans the undo of a job's results. */
export async function planUndo(
  client: SalonClient,
  results: readonly RowResult[],
): Promise<readonly PlannedRow[]> {
  const match = { noun: 'clients', match: 'id' } as const;
  using join = openRecordJoin<RowResult>('id');
  await addResults(join, each(results));
  const { readOnlyFields: readOnly } = client.dialect();
  const { isComplete } = await readCurrentRecords({ client, ...match, join });
  return [...join.joined()].map((row) => planUndoRow(row, { ...match, isComplete, readOnly }));
}
