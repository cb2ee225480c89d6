import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { type CellRules, createCellRules } from '../input/cell-values.ts';
import {
  type AccountIdentity,
  type EditOperation,
  type SheetSource,
  toMatchKey,
} from '../input/edit-fields.ts';
import { readSheet } from '../input/read-sheet.ts';
import type { SheetRow } from '../sheet/sheet-form.ts';
import { openPlan, type Plan, writePlan } from './plan-file.ts';
import type { PlanFolder } from './plan-folder.ts';
import { planChange, planCreate } from './plan-row.ts';
import { type DraftParts, openDraft, type PlanDraft } from './plan-rows.ts';
import type { PlannedRow } from './planned-row.ts';
import type { KeyedRow } from './record-join.ts';

export interface SheetPlanning extends Pick<DraftParts, 'watch'> {
  readonly client: SalonClient;
  readonly account: AccountIdentity;
  readonly edit: EditOperation;
  /** Where the sheet lies that `source` describes, checked before. */
  readonly path: string;
  readonly source: SheetSource;
  /** IANA name of the zone that times without one are in. */
  readonly timeZone: string;
  readonly into: PlanFolder;
  readonly now: Date;
}

/** Plans what a sheet asks for: reads the records it names, and writes down what would be done to each. */
export async function planSheet(planning: SheetPlanning): Promise<Plan> {
  const { client, account, edit, path, source, timeZone, into, now, watch } = planning;
  const { form } = source;
  using draft = await openEditDraft({
    client,
    edit,
    rules: createCellRules({ format: form.format, noun: edit.noun, timeZone }),
    rows: readSheet(path, form),
    folder: into.folder,
    watch,
  });
  const head = { createdAt: now.toISOString(), edit, source, account, records: draft.records };
  await writePlan(into.planPath, head, draft.rows);
  return openPlan(into.planPath);
}

export interface EditPlanning extends DraftParts {
  readonly edit: EditOperation;
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

async function* toKeyed(rows: AsyncIterable<SheetRow>, match: string): AsyncGenerator<KeyedRow<SheetRow>> {
  for await (const item of rows) {
    assertSound(item);
    const { number: row, line, cells } = item;
    yield { row, line, key: toMatchKey(match, cells[match]) ?? null, item };
  }
}

function assertSound({ fault }: SheetRow): void {
  if (fault !== undefined) throw new SalonError('usage', `Line ${fault.line}: ${fault.reason}`);
}
