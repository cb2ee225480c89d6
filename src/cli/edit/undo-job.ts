import { openPlanFolder, readEditJob } from '../../bulk/plan/plan-folder.ts';
import { planJobUndo } from '../../bulk/undo/plan-job-undo.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { jobsFolder } from '../session/folders.ts';
import { toJobCall } from '../session/job-call.ts';
import { decidePlan } from './decide-plan.ts';
import { assertEditFlags } from './edit-flags.ts';
import type { EditFlags } from './edit-options.ts';
import { openSignedIn } from './signed-in.ts';

/** Takes a bulk edit back, as a job of its own that can be resumed and taken back like any other. */
export async function undoJob(id: string, given: Call<EditFlags>): Promise<Outcome> {
  const { io } = given;
  assertEditFlags(given.flags);
  const root = jobsFolder(io);
  const call = await toJobCall(await readEditJob(root, id), given);
  const { client, account } = await openSignedIn(call);
  const draft = call.keep(await openPlanFolder(root, io));
  const plan = await planJobUndo(root, id, { client, account, into: draft, now: io.now() });
  if (plan.counts.create > 0) call.talk.warn('What was removed comes back under new identifiers.');
  return decidePlan({ plan, draft, client, undoes: id, call });
}
