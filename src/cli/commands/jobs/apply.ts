import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addApplyOptions, type EditFlags } from '../../edit/edit-options.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerJobsApply(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('apply')
    .argument('<plan>', 'plan saved with --plan-file')
    .description('Apply a saved plan (records changed since are skipped)')
    .option('--expect <fingerprint>', 'apply only the plan that --plan-file printed this for')
    .option('-n, --dry-run', 'show the changes; send nothing');
  addApplyOptions(addConfirmationOptions(command));
  addExamples(command, [
    ['salon clients update --file clients.csv --plan-file plan.json', 'save the plan and review it'],
    ['salon jobs apply plan.json --expect 3f2a91bc0d4e7a11', 'apply exactly the plan reviewed'],
  ]);
  command.action(runner.action(applyPlan));
}

async function applyPlan(context: CommandContext<EditFlags>, path: string): Promise<CommandResult> {
  const { applySavedPlan } = await import('../../edit/bulk-edit.ts');
  return applySavedPlan(path, context);
}
