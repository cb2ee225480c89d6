import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerAuthStatus(parent: Command, runner: ActionRunner): void {
  const command = parent.command('status').description('Say whether the key in use is accepted');
  addExamples(command, [['salon auth status || salon auth login', 'sign in only when it is needed']]);
  command.action(runner.action(readStatus));
}

async function readStatus(context: CommandContext): Promise<CommandResult> {
  const { readAccount } = await import('../../session/account.ts');
  const { profileName } = await context.session();
  const account = await readAccount(await context.client());
  const who = account
    ? `${account.name} (${account.plan}), as ${account.role}`
    : 'a service that does not say who';
  return {
    show: 'record',
    record: {
      profile: profileName ?? null,
      signed_in: true,
      account: account?.name ?? null,
      role: account?.role ?? null,
    },
    said: `Signed in to ${who}.`,
  };
}
