import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addBudgetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { addConsentOption, addExamples } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerJobsApply(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('apply')
    .argument('<plan>', 'a file that --plan has written')
    .description('Carry out exactly what a plan says; rows that somebody has changed since stay as they are')
    .option('--rehearse', 'carry it out on a copy in an embedded service, send nothing')
    .option('--faults <a,b>', 'with --rehearse: let this go wrong now and then, such as 429,503,timeout')
    .option('-n, --dry-run', 'show what would be changed, send nothing');
  addBudgetOptions(addConsentOption(command));
  addExamples(command, [
    ['salon clients update --from clients.csv --plan plan.json', 'first: see what would happen'],
    ['salon jobs apply plan.json --max-changes 200', 'then: do that and nothing else'],
  ]);
  command.action(runner.action(applyPlan));
}

async function applyPlan(context: CommandContext<EditFlags>, path: string): Promise<CommandResult> {
  const { applyFrom } = await import('../../edit/apply-from.ts');
  return applyFrom(path, context);
}
