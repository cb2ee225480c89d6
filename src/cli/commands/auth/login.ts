import type { Command } from 'commander';
import { presetNames } from '../../../client/dialect/preset-names.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { collect } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import type { Login, LoginFlags } from '../../session/login.ts';

export function registerAuthLogin(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('login')
    .description('Sign in with your browser or an API key')
    .option('--device', 'Sign in with a code, in any browser')
    .option('--with-key', 'Sign in with an API key')
    .option('--key-file <file>', 'Read the API key from a file; - for stdin')
    .option('--no-keyring', 'Store the sign-in in the profile file')
    .option('--dialect <name>', `How the server differs: ${presetNames.join(', ')}, or a JSON file`)
    .option('--set <setting=value>', 'A setting, as in "profiles set"; repeatable', collect)
    .option('--no-verify', 'Save the key without a request')
    .option('--client-id <id>', 'Client ID registered on another server')
    .option('--issuer <url>', 'Authorization server, if it is not the salon')
    .option('--scope <scopes>', 'Scopes to request (default: all that your role allows)')
    .option('--callback-port <port>', 'Local port for the redirect (default: any)');
  addExamples(command, [
    ['salon auth login --base-url https://api.example-salon.com', 'Sign in with your browser'],
    ['salon auth login --base-url https://… --device', 'Sign in with a code, e.g. over SSH'],
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
  const signedIn = await login(context);
  const { name, baseUrl, account, person, grant, overriddenBy } = signedIn;
  return {
    show: 'record',
    record: {
      profile: name,
      base_url: baseUrl,
      account: account?.name ?? null,
      role: account?.role ?? null,
      person: person ?? null,
      stored_in: grant?.storage ?? 'file',
      overridden_by: [...overriddenBy],
    },
    message: `${describe(signedIn, context)}. ${
      overriddenBy.length === 0
        ? `Now using profile ${name}.`
        : `Saved as profile ${name}. To use it, unset ${overriddenBy.join(' and ')}.`
    }`,
  };
}

function describe({ baseUrl, account, person }: Login, { flags }: CommandContext<LoginFlags>): string {
  if (flags.verify === false) return `Saved an unverified API key for ${baseUrl}`;
  const identity = account ? `${account.name} (${account.plan}) as ${account.role}` : baseUrl;
  return `Signed in to ${identity}${person === undefined ? '' : `, ${person}`}`;
}
