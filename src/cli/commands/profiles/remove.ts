import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addYesOption } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { requireProfile } from '../../session/session.ts';

export function registerProfilesRemove(parent: Command, runner: ActionRunner): void {
  const command = parent.command('remove').argument('<profile>').description('Forget a profile and its key');
  addYesOption(command);
  addExamples(command, [['salon profiles remove shop --yes', 'without being asked']]);
  command.action(runner.action(removeProfile));
}

async function removeProfile(context: CommandContext, name: string): Promise<CommandResult> {
  const store = await context.profiles();
  requireProfile(store, name);
  await context.confirmLocal(`Forget profile ${name} and its key?`);
  store.remove(name);
  return { show: 'nothing', said: `Forgot profile ${name}.` };
}
