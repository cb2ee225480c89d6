import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readAll } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { verifyKey } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readKeyFile } from '../../session/key-file.ts';
import { toProfileNetwork, withoutNetwork } from '../../session/network-settings.ts';
import type { Profile } from '../../session/profiles.ts';

interface Flags {
  readonly keyFile?: string;
}

export function registerAuthLogin(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('login')
    .description('Verify an API key and save it')
    .option('--key-file <file>', 'Read the API key from a file; - for stdin');
  addExamples(command, [
    ['salon auth login --base-url https://api.example-salon.com', 'Sign in; prompts for the API key'],
    [
      'pass salon-key | salon auth login --base-url https://… -p shop',
      'Read the API key from a password manager',
    ],
  ]);
  command.addHelpText(
    'after',
    '\nCreate an API key in your account settings:\nIntegrations → API Keys → Generate New Key.',
  );
  command.action(runner.action(login));
}

async function login(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io } = context;
  const store = await context.profiles();
  const name = flags.profile ?? (io.env['SALON_PROFILE'] || 'default');
  const known = store.find(name);
  const baseUrl =
    flags.baseUrl ?? io.env['SALON_BASE_URL'] ?? known?.base_url ?? (await askForAddress(context));
  const key = await readKey(context);
  const profile = keepSettings(known, baseUrl);
  const { account, origin } = await verifyKey({
    baseUrl,
    key,
    io,
    messages: context.messages,
    flags,
    profile,
  });
  await store.change((profiles) => {
    profiles.save(name, {
      ...keepSettings(profiles.find(name), baseUrl),
      ...toProfileNetwork(flags, io.cwd),
      base_url: baseUrl,
      credential: { key, origin },
      ...(account ? { account } : {}),
    });
    profiles.use(name);
  });
  const identity = account ? `${account.name} (${account.plan}) as ${account.role}` : baseUrl;
  return {
    show: 'record',
    record: { profile: name, base_url: baseUrl, account: account?.name ?? null, role: account?.role ?? null },
    message: `Signed in to ${identity}. Now using profile ${name}.`,
  };
}

/** The settings of a profile that a new key leaves as they are. What belongs to another server is dropped. */
function keepSettings(profile: Profile | undefined, baseUrl: string): Partial<Profile> {
  if (profile === undefined) return {};
  const { account: _account, credential: _credential, ...kept } = profile;
  if (profile.base_url === baseUrl) return kept;
  const { dialect: _dialect, ...others } = withoutNetwork(kept);
  return others;
}

async function askForAddress({ prompts }: CommandContext<Flags>): Promise<string> {
  if (prompts.isInteractive) return prompts.text('Base URL of the salon (https://…)');
  throw new SalonError('usage', 'No base URL given.', { hint: 'Pass it with --base-url.' });
}

/** From --key-file, a prompt or standard input. Not from a flag, which other users of the machine could see. */
async function readKey({ flags, io, prompts }: CommandContext<Flags>): Promise<string> {
  const key = (await rawKey(flags, io, prompts)).trim();
  if (key !== '' && !/\s/.test(key)) return key;
  throw new SalonError('usage', key === '' ? 'No API key given.' : 'An API key contains no spaces.', {
    hint: 'Enter it at the prompt, pipe it in, or use --key-file.',
  });
}

async function rawKey(
  flags: Flags,
  io: CommandContext['io'],
  prompts: CommandContext['prompts'],
): Promise<string> {
  const { keyFile } = flags;
  if (keyFile === undefined && prompts.isInteractive) return prompts.secret('API key');
  if (keyFile === undefined || keyFile === '-') return io.terminal.input ? '' : readAll(io.stdin);
  return readKeyFile(keyFile, `--key-file ${keyFile}`, io);
}
