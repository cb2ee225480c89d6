import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { openPlanFolder } from '../../bulk/plan/plan-folder.ts';
import { planSheet } from '../../bulk/plan/plan-sheet.ts';
import { startProgress } from '../messages/progress.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { copyInput } from './copy-input.ts';
import { decidePlan } from './decide-plan.ts';
import { assertEditFlags } from './edit-flags.ts';
import type { EditFlags } from './edit-options.ts';
import { openSignedIn } from './signed-in.ts';
import { readSoundForm } from './sound-form.ts';

/** Does to every record that a sheet names what the verb says: checks, plans, shows, asks, and carries it out. */
export async function editFrom(
  edit: EditOperation,
  from: string,
  context: CommandContext<EditFlags>,
): Promise<CommandResult> {
  assertEditFlags(context.flags);
  const { io, status, messages } = context;
  const draft = context.closeAtEnd(await openPlanFolder(jobsFolder(io), io));
  const { path, name, sha256 } = await copyInput(from, draft.folder, io);
  const { client, account } = await openSignedIn(context);
  const form = await readSoundForm({ path, name, edit, client, context });
  const { timeZone } = (await context.session()).settings;
  const shown = startProgress(io, { noun: edit.noun, status, writeLine: messages.verbose });
  const plan = await planSheet({
    client,
    account,
    edit,
    path,
    source: { name, sha256, form },
    timeZone: timeZone.value,
    into: draft,
    now: io.now(),
    watch: shown.update,
  }).finally(shown.stop);
  return decidePlan({ plan, draft, client, undoes: null, context });
}
