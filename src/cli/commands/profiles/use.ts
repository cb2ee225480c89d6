import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { requireProfile } from '../../session/session.ts';

export function registerProfilesUse(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('use')
    .argument('<profile>')
    .description('Work with this profile when none is named');
  addExamples(command, [['salon profiles use shop', 'from now on']]);
  command.action(runner.action(useProfile));
}

async function useProfile(context: CommandContext, name: string): Promise<CommandResult> {
  const store = await context.profiles();
  requireProfile(store, name);
  store.use(name);
  return { show: 'nothing', said: `Working with profile ${name}.` };
}
