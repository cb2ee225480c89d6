import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import { addBudgetOptions, type EditFlags } from '../../edit/edit-options.ts';
import type { Frame } from '../../frame.ts';
import { addConsentOption, addExamples } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';

export function registerJobsUndo(parent: Command, frame: Frame): void {
  const command = parent
    .command('undo')
    .argument('<id>', 'a job, as "salon jobs list" names it')
    .description('Put back what a bulk edit has changed; what somebody has changed since stays as it is')
    .option('-n, --dry-run', 'show what would be put back, send nothing');
  addBudgetOptions(addConsentOption(command));
  addExamples(command, [
    ['salon jobs undo 20261121-093000-1f2e3d --dry-run', 'what would be put back'],
    [
      'salon jobs undo 20261121-093000-1f2e3d --yes',
      'clients that were removed come back under new identifiers',
    ],
  ]);
  command.action(frame.action(undo));
}

async function undo(call: Call<EditFlags>, id: string): Promise<Outcome> {
  const { undoJob } = await import('../../edit/undo-job.ts');
  return undoJob(id, call);
}
