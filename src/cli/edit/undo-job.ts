import { openPlanFolder, readEditJob } from '../../bulk/plan/plan-folder.ts';
import { planJobUndo } from '../../bulk/undo/plan-undo.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { openJobContext } from '../session/job-context.ts';
import { decidePlan } from './decide-plan.ts';
import { assertEditFlags } from './edit-flags.ts';
import type { EditFlags } from './edit-options.ts';
import { openSignedIn } from './signed-in.ts';

/** Takes a bulk edit back, as a job of its own that can be resumed and taken back like any other. */
export async function undoJob(id: string, given: CommandContext<EditFlags>): Promise<CommandResult> {
  const { io } = given;
  assertEditFlags(given.flags);
  const root = jobsFolder(io);
  const context = await openJobContext(await readEditJob(root, id), given);
  const { client, account } = await openSignedIn(context);
  const draft = context.closeAtEnd(await openPlanFolder(root, io));
  const plan = await planJobUndo(root, id, { client, account, into: draft, now: io.now() });
  if (plan.counts.create > 0) context.messages.warn('What was removed comes back under new identifiers.');
  return decidePlan({ plan, draft, client, undoes: id, context });
}
