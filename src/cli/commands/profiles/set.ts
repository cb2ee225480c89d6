import { Argument, type Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { requireProfile } from '../../session/session.ts';
import { mainSettings } from '../../session/setting-names.ts';

export function registerProfilesSet(parent: Command, runner: ActionRunner): void {
  const setting = new Argument('<setting>');
  // Only for help and completion: read-only is accepted too.
  setting.argChoices = [...mainSettings];
  const command = parent
    .command('set')
    .argument('<profile>', 'profile')
    .addArgument(setting)
    .argument('<value>')
    .description('Change a setting of a profile');
  addExamples(command, [
    ['salon profiles set shop time_zone Europe/Berlin', "Show times in the salon's time zone"],
    ['salon profiles set shop protected true', 'Require --confirm for every write'],
    ['salon profiles set shop dialect django', 'Adapt to another kind of server'],
    ['salon profiles set shop timeout default', 'Remove a setting'],
  ]);
  command.action(runner.action(setProfile));
}

async function setProfile(
  context: CommandContext,
  name: string,
  setting: string,
  value: string,
): Promise<CommandResult> {
  const { parseSetting } = await import('../../session/profile-settings.ts');
  const store = await context.profiles();
  const change = await parseSetting(setting, value, context.io);
  await store.change((profiles) => profiles.save(name, change.apply(requireProfile(profiles, name))));
  return { show: 'nothing', message: `Profile ${name}: ${change.setting} is ${change.shown}.` };
}
