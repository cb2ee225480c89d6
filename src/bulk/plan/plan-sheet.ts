import type { SalonClient } from '../../client/client.ts';
import { createCellRules } from '../edit/cell-values.ts';
import type { Edit, EditAccount, EditSource } from '../edit/edit.ts';
import { readSheet } from '../input/read-sheet.ts';
import type { DraftParts } from './plan-draft.ts';
import { openEditDraft } from './plan-edit.ts';
import type { PlanFolder } from './plan-folder.ts';
import { openPlan, type Plan } from './plan-read.ts';
import { writePlan } from './plan-write.ts';

export interface SheetPlanning extends Pick<DraftParts, 'watch'> {
  readonly client: SalonClient;
  readonly account: EditAccount;
  readonly edit: Edit;
  /** Where the sheet lies that `source` describes, checked before. */
  readonly path: string;
  readonly source: EditSource;
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
