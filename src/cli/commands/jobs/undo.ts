import type { Command } from 'commander';
import { readJob } from '../../../bulk/jobs/job-folder.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addBudgetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { jobsFolder } from '../../session/folders.ts';

export function registerJobsUndo(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('undo')
    .argument('<id>', 'job ID')
    .description('Undo a bulk edit or a merge (later changes are kept)')
    .option('-n, --dry-run', 'Show what would be restored; send nothing');
  addBudgetOptions(addConfirmationOptions(command));
  addExamples(command, [
    ['salon jobs undo 20261121-093000-1f2e3d --dry-run', 'Show what would be restored'],
    ['salon jobs undo 20261121-093000-1f2e3d --yes', 'Undo it; deleted clients get new IDs'],
  ]);
  command.action(runner.action(undo));
}

async function undo(context: CommandContext<EditFlags>, id: string): Promise<CommandResult> {
  const job = await readJob(jobsFolder(context.io), id);
  if (job.kind === 'merge') {
    const { undoMerge } = await import('../../merge/merge-jobs.ts');
    return undoMerge(job, context);
  }
  const { undoJob } = await import('../../edit/bulk-edit.ts');
  return undoJob(id, context);
}
