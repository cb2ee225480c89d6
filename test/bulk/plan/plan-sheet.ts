import { type CellRules, createCellRules } from '../../../src/bulk/input/cell-values.ts';
import type { EditOperation } from '../../../src/bulk/input/edit-fields.ts';
import { openEditDraft } from '../../../src/bulk/plan/plan-sheet.ts';
import type { PlannedRow } from '../../../src/bulk/plan/planned-row.ts';
import type { SheetRow } from '../../../src/bulk/sheet/sheet-form.ts';
import type { SalonClient } from '../../../src/client/client.ts';
import type { Fields } from '../../../src/client/http/decode.ts';
import { collect } from '../../support/collect.ts';
import { each, openFolder } from './sample-plan.ts';

/** As for a CSV: a blank leaves, `\\N` clears. */
export const csvRules = createCellRules({ format: 'csv', noun: 'clients', timeZone: 'UTC' });

export function toSheet(cells: readonly Fields[]): SheetRow[] {
  return cells.map((row, index) => ({ number: index + 1, line: index + 2, cells: row }));
}

/** Plans a sheet from beginning to end. */
export async function planSheet(
  client: SalonClient,
  { rules = csvRules, ...edit }: Partial<EditOperation> & { readonly rules?: CellRules },
  cells: readonly Fields[],
): Promise<{ records: number | null; rows: PlannedRow[] }> {
  await using folder = await openFolder();
  using draft = await openEditDraft({
    client,
    edit: { noun: 'clients', verb: 'update', match: 'id', force: false, ...edit },
    rows: each(toSheet(cells)),
    rules,
    folder: folder.path,
  });
  return { records: draft.records, rows: await collect(draft.rows) };
}
