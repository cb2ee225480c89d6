import { type CellRules, createCellRules } from '../../../src/bulk/input/cell-values.ts';
import { type EditOperation, toMatchKey } from '../../../src/bulk/input/edit-fields.ts';
import { readCurrentRecords } from '../../../src/bulk/plan/current-records.ts';
import type { PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import { planRow } from '../../../src/bulk/plan/plan-row.ts';
import { openRecordJoin } from '../../../src/bulk/plan/record-join.ts';
import type { SalonClient } from '../../../src/client/client.ts';
import type { Fields } from '../../../src/client/json-object.ts';

/** As for a CSV: a blank cell leaves the field, `\\N` clears it. */
const csvRules = createCellRules({ format: 'csv', noun: 'clients', timeZone: 'UTC' });

/** Plans the rows of a sheet. */
export async function planSheet(
  client: SalonClient,
  { rules = csvRules, ...edit }: Partial<EditOperation> & { readonly rules?: CellRules },
  cells: readonly Fields[],
): Promise<{ records: number | null; rows: PlannedRow[] }> {
  const { noun, verb, match } = { noun: 'clients', verb: 'update', match: 'id', ...edit } as const;
  using join = openRecordJoin<Fields>(match);
  for (const [index, item] of cells.entries()) {
    const key = verb === 'create' ? null : (toMatchKey(match, item[match]) ?? null);
    join.addRow({ row: index + 1, line: index + 2, key, item });
  }
  const { total, isComplete } = await readCurrentRecords({ client, noun, match, join });
  const rows = [...join.joined()].map((row) => planRow(row, { verb, noun, match, rules, isComplete }));
  return { records: total ?? null, rows };
}
