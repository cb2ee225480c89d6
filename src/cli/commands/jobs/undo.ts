import type { Command } from 'commander';
import { listJobIds, readJob } from '../../../bulk/jobs/job-folder.ts';
import { SalonError } from '../../../contract/errors.ts';
import { countOf } from '../../../contract/numbers.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addBudgetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions } from '../../flags/options.ts';
import { renderChoice, type SearchChoice } from '../../messages/plain-prompts.ts';
import { renderSpokenTime } from '../../messages/spoken-time.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { jobsFolder } from '../../session/folders.ts';
import { describeJob } from './show.ts';

export function registerJobsUndo(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('undo')
    .argument('[id]', 'job ID; at a terminal you choose without it')
    .description('Undo a bulk edit or a merge (later changes are kept)')
    .option('-n, --dry-run', 'Show what would be restored; send nothing');
  addBudgetOptions(addConfirmationOptions(command));
  addExamples(command, [
    ['salon jobs undo 20261121-093000-1f2e3d --dry-run', 'Show what would be restored'],
    ['salon jobs undo 20261121-093000-1f2e3d --yes', 'Undo it; deleted clients get new IDs'],
  ]);
  command.action(runner.action(undo));
}

async function undo(context: CommandContext<EditFlags>, given?: string): Promise<CommandResult> {
  const id = given ?? (await chooseJob(context));
  const job = await readJob(jobsFolder(context.io), id);
  if (job.kind === 'merge') {
    const { undoMerge } = await import('../../merge/merge-jobs.ts');
    return undoMerge(job, context);
  }
  const { undoJob } = await import('../../edit/bulk-edit.ts');
  return undoJob(id, context);
}

/** How many of the latest jobs are offered. */
const offeredJobs = 10;

/** Has somebody at a terminal choose what to undo; elsewhere throws `usage`. */
async function chooseJob({ io, prompts, session }: CommandContext): Promise<string> {
  const see = { hint: 'See: salon jobs list' };
  if (!prompts.isInteractive) throw new SalonError('usage', 'Missing required argument "id".', see);
  const root = jobsFolder(io);
  const style = { timeZone: (await session()).settings.timeZone.value, now: io.now() };
  const choices: SearchChoice<string>[] = [];
  for (const id of await listJobIds(root)) {
    if (choices.length === offeredJobs) break;
    const { kind, state, started, verb, rows, list, source, undoes } = await describeJob(root, id);
    if ((kind !== 'edit' && kind !== 'merge') || state === 'running') continue;
    const what = kind === 'merge' ? String(verb) : `${verb} ${countOf(Number(rows), String(list))}`;
    const hint = source !== null ? String(source) : undoes !== null ? 'an undo' : undefined;
    choices.push({ value: id, label: `${renderSpokenTime(String(started), style)}, ${what}`, hint });
  }
  if (choices.length === 0) throw new SalonError('not_found', 'There is nothing to undo.', see);
  return prompts.search('Undo what?', {
    async find(typed) {
      return choices.filter((one) => renderChoice(one).toLowerCase().includes(typed.toLowerCase()));
    },
  });
}
