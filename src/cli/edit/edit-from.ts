import type { Edit } from '../../bulk/edit/edit.ts';
import { openEditDraft } from '../../bulk/edit/plan-edit.ts';
import { openPlan } from '../../bulk/edit/plan-read.ts';
import { writePlan } from '../../bulk/edit/plan-write.ts';
import { readSheet } from '../../bulk/sheet/read-sheet.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { startProgress } from '../output/progress.ts';
import { copyInput } from './copy-input.ts';
import { decidePlan } from './decide-plan.ts';
import type { EditFlags } from './edit-options.ts';
import { openDraft } from './job-files.ts';
import { openSignedIn } from './signed-in.ts';
import { readSoundForm } from './sound-form.ts';

/** Does to every record that a sheet names what the verb says: checks, plans, shows, asks, and carries it out. */
export async function editFrom(edit: Edit, from: string, call: Call<EditFlags>): Promise<Outcome> {
  const { io, status, talk } = call;
  const draft = call.keep(await openDraft(io));
  const { path, name, sha256 } = await copyInput(from, draft.folder, io);
  const { client, account } = await openSignedIn(call);
  const { form, rules } = await readSoundForm({ path, name, edit, client, call });
  const shown = startProgress(io, { noun: edit.noun, status, explain: talk.explain });
  try {
    using planned = await openEditDraft({
      client,
      edit,
      rules,
      rows: readSheet(path, form),
      folder: draft.folder,
      watch: shown.update,
    });
    const createdAt = io.now().toISOString();
    const source = { name, sha256, form };
    await writePlan(
      draft.planPath,
      { createdAt, edit, source, account, records: planned.records },
      planned.rows,
    );
  } finally {
    shown.stop();
  }
  const plan = await openPlan(draft.planPath);
  return decidePlan({ plan, draft, client, undoes: null, call });
}
