import { parseBaseUrl } from '../../client/http/base-url.ts';
import { SalonError } from '../../contract/errors.ts';
import { readAll } from '../flags/fields.ts';
import { parseKeyValue } from '../flags/values.ts';
import { type Account, toKeyOrigin } from './account.ts';
import type { CommandContext } from './command-context.ts';
import { readEnvironmentDialect } from './configured-dialect.ts';
import { isEmbedded } from './embedded.ts';
import { readKeyFile } from './key-file.ts';
import { toProfileNetwork, withoutNetwork } from './network-settings.ts';
import { parseSetting, type SettingChange } from './profile-settings.ts';
import type { Profile } from './profiles.ts';
import { signIn } from './sign-in.ts';

export interface LoginFlags {
  readonly keyFile?: string;
  readonly dialect?: string;
  readonly set?: readonly string[];
  readonly verify?: boolean;
}

export interface Login {
  /** The profile, which is now in use. */
  readonly name: string;
  readonly baseUrl: string;
  readonly account: Account | undefined;
}

/**
 * Verifies a key and saves it with the settings given by flags and the environment. Asks for what is missing at a
 * terminal. Throws `usage` for invalid settings before anything is asked or sent.
 */
export async function login(context: CommandContext<LoginFlags>): Promise<Login> {
  const { flags, io } = context;
  const changes = await readChanges(context);
  const store = await context.profiles();
  const name = flags.profile ?? (io.env['SALON_PROFILE'] || 'default');
  const known = store.find(name);
  const baseUrl =
    flags.baseUrl ?? io.env['SALON_BASE_URL'] ?? known?.base_url ?? (await askForAddress(context));
  const key = await readKey(context);
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
  return { name, baseUrl, account };
}

/** The settings that flags and the environment give a new profile. A flag wins. */
async function readChanges({ flags, io }: CommandContext<LoginFlags>): Promise<readonly SettingChange[]> {
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

async function askForAddress({ prompts }: CommandContext<LoginFlags>): Promise<string> {
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
async function readKey({ flags, io, prompts }: CommandContext<LoginFlags>): Promise<string> {
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
  flags: LoginFlags,
  io: CommandContext['io'],
  prompts: CommandContext['prompts'],
): Promise<string> {
  const { keyFile } = flags;
  if (keyFile === undefined && prompts.isInteractive)
    return prompts.secret('API key', { validate: findKeyProblem });
  if (keyFile === undefined || keyFile === '-') return io.terminal.input ? '' : readAll(io.stdin);
  return readKeyFile(keyFile, `--key-file ${keyFile}`, io);
}
