import { resolve } from 'node:path';
import { assertNotCarriedOut } from '../../bulk/apply/edit-job.ts';
import { assertPlanFits, assertSheetUnchanged } from '../../bulk/plan/plan-checks.ts';
import { openPlan } from '../../bulk/plan/plan-file.ts';
import { copyPlan, openPlanFolder } from '../../bulk/plan/plan-folder.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { decidePlan } from './decide-plan.ts';
import { assertEditFlags } from './edit-flags.ts';
import type { EditFlags } from './edit-options.ts';
import { openSignedIn } from './signed-in.ts';

/**
 * Carries out a plan that was kept. It is bound to the account and the origin that it was made for, and to the sheet
 * as it was then.
 */
export async function applyFrom(path: string, context: CommandContext<EditFlags>): Promise<CommandResult> {
  assertEditFlags(context.flags);
  const kept = await openPlan(resolve(context.io.cwd, path));
  const { client, account } = await openSignedIn(context);
  assertPlanFits(kept.head, account);
  await assertSheetUnchanged(kept);
  await assertNotCarriedOut(jobsFolder(context.io), kept);
  const draft = context.closeAtEnd(await openPlanFolder(jobsFolder(context.io), context.io));
  await copyPlan(kept, draft.planPath);
  const plan = await openPlan(draft.planPath);
  return decidePlan({ plan, draft, client, undoes: null, context });
}
