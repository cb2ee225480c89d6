import { resolve } from 'node:path';
import { assertNotCarriedOut } from '../../bulk/apply/earlier-jobs.ts';
import { assertPlanFits, assertSheetUnchanged } from '../../bulk/plan/plan-fit.ts';
import { copyPlan, openPlanFolder } from '../../bulk/plan/plan-folder.ts';
import { openPlan } from '../../bulk/plan/plan-read.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { jobsFolder } from '../session/folders.ts';
import { decidePlan } from './decide-plan.ts';
import { assertEditFlags } from './edit-flags.ts';
import type { EditFlags } from './edit-options.ts';
import { openSignedIn } from './signed-in.ts';

/**
 * Carries out a plan that was kept. It is bound to the account and the origin that it was made for, and to the sheet
 * as it was then.
 */
export async function applyFrom(path: string, call: Call<EditFlags>): Promise<Outcome> {
  assertEditFlags(call.flags);
  const kept = await openPlan(resolve(call.io.cwd, path));
  const { client, account } = await openSignedIn(call);
  assertPlanFits(kept.head, account);
  await assertSheetUnchanged(kept);
  await assertNotCarriedOut(jobsFolder(call.io), kept);
  const draft = call.keep(await openPlanFolder(jobsFolder(call.io), call.io));
  await copyPlan(kept, draft.planPath);
  const plan = await openPlan(draft.planPath);
  return decidePlan({ plan, draft, client, undoes: null, call });
}
