import type { Command } from 'commander';
import { presetNames } from '../../../client/dialect/preset-names.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { collect } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import type { LoginFlags } from '../../session/login.ts';

export function registerAuthLogin(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('login')
    .description('Verify an API key and save it')
    .option('--key-file <file>', 'Read the API key from a file; - for stdin')
    .option('--dialect <name>', `How the server differs: ${presetNames.join(', ')}, or a JSON file`)
    .option('--set <setting=value>', 'A setting, as in "profiles set"; repeatable', collect)
    .option('--no-verify', 'Save the key without a request');
  addExamples(command, [
    ['salon auth login --base-url https://api.example-salon.com', 'Sign in; prompts for the API key'],
    [
      'salon auth login --base-url https://api.example.com --dialect django',
      'Sign in to another kind of server',
    ],
    [
      'pass salon-key | salon auth login --base-url https://… -p shop',
      'Read the API key from a password manager',
    ],
  ]);
  command.addHelpText(
    'after',
    '\nCreate an API key in your account settings:\nIntegrations → API Keys → Generate New Key.',
  );
  command.action(runner.action(showLogin));
}

async function showLogin(context: CommandContext<LoginFlags>): Promise<CommandResult> {
  const { login } = await import('../../session/login.ts');
  const { name, baseUrl, account } = await login(context);
  const identity = account ? `${account.name} (${account.plan}) as ${account.role}` : baseUrl;
  const isVerified = context.flags.verify !== false;
  const done = isVerified ? `Signed in to ${identity}` : `Saved an unverified API key for ${baseUrl}`;
  return {
    show: 'record',
    record: { profile: name, base_url: baseUrl, account: account?.name ?? null, role: account?.role ?? null },
    message: `${done}. Now using profile ${name}.`,
  };
}
