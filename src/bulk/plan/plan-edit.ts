import { SalonError } from '../../contract/errors.ts';
import type { CellRules } from '../edit/cell-rules.ts';
import type { Edit } from '../edit/edit.ts';
import { toMatchKey } from '../edit/match-key.ts';
import type { PlannedRow } from '../edit/planned-row.ts';
import type { SheetRow } from '../sheet/sheet-form.ts';
import type { Keyed } from './current/pairing.ts';
import { type DraftParts, openDraft, type PlanDraft } from './plan-draft.ts';
import { planChange, planCreate } from './plan-row.ts';

export interface EditPlanning extends DraftParts {
  readonly edit: Edit;
  /** In their order. One with a fault ends the planning with `usage`. */
  readonly rows: AsyncIterable<SheetRow>;
  readonly rules: CellRules;
}

/**
 * Plans an edit. For updates and removals the present records are read first; creates read nothing. Memory does
 * not grow with the rows, nor with the list.
 */
export async function openEditDraft(planning: EditPlanning): Promise<PlanDraft> {
  const { noun, verb, match } = planning.edit;
  const { rules } = planning;
  if (verb === 'create') {
    return { records: null, rows: planCreates(planning), [Symbol.dispose]: () => {} };
  }
  return openDraft<SheetRow>({
    ...planning,
    noun,
    match,
    rows: toKeyed(planning.rows, match),
    plan: (pair, isSure) => planChange(pair, { verb, noun, match, rules, isSure }),
  });
}

async function* planCreates({ rows, rules }: EditPlanning): AsyncGenerator<PlannedRow> {
  for await (const row of rows) {
    assertSound(row);
    yield planCreate(row, rules);
  }
}

async function* toKeyed(rows: AsyncIterable<SheetRow>, match: string): AsyncGenerator<Keyed<SheetRow>> {
  for await (const item of rows) {
    assertSound(item);
    const { number: row, line, cells } = item;
    yield { row, line, key: toMatchKey(match, cells[match]) ?? null, item };
  }
}

function assertSound({ fault }: SheetRow): void {
  if (fault !== undefined) throw new SalonError('usage', `Line ${fault.line}: ${fault.reason}`);
}
