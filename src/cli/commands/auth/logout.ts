import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerAuthLogout(parent: Command, runner: ActionRunner): void {
  const command = parent.command('logout').description('Forget the key of a profile; its settings stay');
  addExamples(command, [
    ['salon auth logout -p shop', 'the key is gone from this machine, not from the service'],
  ]);
  command.action(runner.action(logout));
}

async function logout(context: CommandContext): Promise<CommandResult> {
  const store = await context.profiles();
  const { profileName, profile } = await context.session();
  if (profileName === undefined || profile === undefined) {
    throw new SalonError('usage', 'No profile is in use.', { hint: 'Name one with --profile.' });
  }
  const { credential, ...kept } = profile;
  if (credential === undefined) return { show: 'nothing', said: `Profile ${profileName} has no key.` };
  store.save(profileName, kept);
  return { show: 'nothing', said: `Forgot the key of profile ${profileName}.` };
}
