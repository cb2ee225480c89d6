import type { Command } from 'commander';
import { presetNames } from '../../../client/dialect/presets.ts';
import { parseBaseUrl } from '../../../client/http/base-url.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readAll } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import { collect } from '../../flags/options.ts';
import { parseKeyValue } from '../../flags/values.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { toKeyOrigin } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readEnvironmentDialect } from '../../session/configured-dialect.ts';
import { isEmbedded } from '../../session/embedded.ts';
import { readKeyFile } from '../../session/key-file.ts';
import { toProfileNetwork, withoutNetwork } from '../../session/network-settings.ts';
import { parseSetting, type SettingChange } from '../../session/profile-settings.ts';
import type { Profile } from '../../session/profiles.ts';
import { signIn } from '../../session/sign-in.ts';

interface Flags {
  readonly keyFile?: string;
  readonly dialect?: string;
  readonly set?: readonly string[];
  readonly verify?: boolean;
}

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
  const changes = await readChanges(context);
  const apply = (profile: Profile | undefined) => {
    const kept = { ...keepSettings(profile, baseUrl), ...toProfileNetwork(flags, io.cwd), base_url: baseUrl };
    return changes.reduce((changed, change) => change.apply(changed), kept);
  };
  const server = { baseUrl, key, io, messages: context.messages, flags, profile: apply(known) };
  const { account, origin, dialect } =
    flags.verify === false
      ? { account: undefined, origin: toKeyOrigin(baseUrl), dialect: server.profile.dialect }
      : await signIn(server, context.prompts);
  // What was given is read again, because it may have been changed meanwhile.
  const found = dialect === server.profile.dialect ? undefined : dialect;
  await store.change((profiles) => {
    const { dialect: saved, ...kept } = apply(profiles.find(name));
    profiles.save(name, {
      ...kept,
      ...(saved || found ? { dialect: { ...saved, ...found } } : {}),
      credential: { key, origin },
      ...(account ? { account } : {}),
    });
    profiles.use(name);
  });
  const identity = account ? `${account.name} (${account.plan}) as ${account.role}` : baseUrl;
  const done =
    flags.verify === false ? `Saved an unverified API key for ${baseUrl}` : `Signed in to ${identity}`;
  return {
    show: 'record',
    record: { profile: name, base_url: baseUrl, account: account?.name ?? null, role: account?.role ?? null },
    message: `${done}. Now using profile ${name}.`,
  };
}

/** The settings that flags and the environment give a new profile. A flag wins. */
async function readChanges({ flags, io }: CommandContext<Flags>): Promise<readonly SettingChange[]> {
  const environment = await readEnvironmentDialect(io);
  const fromEnvironment = {
    setting: 'dialect',
    shown: '',
    apply: (profile: Profile) => ({ ...profile, dialect: { ...profile.dialect, ...environment } }),
  };
  const pairs = (flags.set ?? []).map((text) => parseKeyValue(text, '--set'));
  if (flags.dialect !== undefined) pairs.unshift(['dialect', flags.dialect]);
  const given = await Promise.all(pairs.map(([setting, value]) => parseSetting(setting, value, io)));
  return [...(Object.keys(environment).length === 0 ? [] : [fromEnvironment]), ...given];
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
  if (prompts.isInteractive) {
    return prompts.text('Base URL of the salon (https://…)', { validate: findAddressProblem });
  }
  throw new SalonError('usage', 'No base URL given.', { hint: 'Pass it with --base-url.' });
}

function findAddressProblem(answer: string): string | undefined {
  try {
    if (!isEmbedded(answer)) parseBaseUrl(answer);
    return undefined;
  } catch (error) {
    return error instanceof SalonError ? error.message : String(error);
  }
}

/** From --key-file, a prompt or standard input. Not from a flag, which other users of the machine could see. */
async function readKey({ flags, io, prompts }: CommandContext<Flags>): Promise<string> {
  const key = (await rawKey(flags, io, prompts)).trim();
  const problem = findKeyProblem(key);
  if (problem === undefined) return key;
  throw new SalonError('usage', problem, {
    hint: 'Enter it at the prompt, pipe it in, or use --key-file.',
  });
}

function findKeyProblem(key: string): string | undefined {
  if (key.trim() === '') return 'No API key given.';
  return /\s/.test(key.trim()) ? 'An API key contains no spaces.' : undefined;
}

async function rawKey(
  flags: Flags,
  io: CommandContext['io'],
  prompts: CommandContext['prompts'],
): Promise<string> {
  const { keyFile } = flags;
  if (keyFile === undefined && prompts.isInteractive)
    return prompts.secret('API key', { validate: findKeyProblem });
  if (keyFile === undefined || keyFile === '-') return io.terminal.input ? '' : readAll(io.stdin);
  return readKeyFile(keyFile, `--key-file ${keyFile}`, io);
}
