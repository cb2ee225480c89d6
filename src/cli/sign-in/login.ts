import { assertHeaders } from '../../client/http/credential.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import { SalonError } from '../../contract/errors.ts';
import { readVariable } from '../../settings.ts';
import { readAll } from '../flags/fields.ts';
import { parseHeader } from '../flags/headers.ts';
import type { GlobalFlags } from '../flags/options.ts';
import { settingTable } from '../flags/settings.ts';
import { parseKeyValue } from '../flags/values.ts';
import type { Io } from '../io.ts';
import { nameKeyring } from '../oauth/keyring.ts';
import { parseSetting, readEnvironmentDialect, type SettingChange } from '../session/change-setting.ts';
import type { CommandContext } from '../session/command-context.ts';
import { isEmbedded } from '../session/embedded.ts';
import { endGrant, type GrantWithTokens, storeTokens } from '../session/grant.ts';
import { type Profile, type SavedGrant, savedSettings, toSavedValue } from '../session/profile.ts';
import { assertProfileName } from '../session/profiles.ts';
import { createUnsavedSession, findOverrides, passOver, readKeyFile } from '../session/session.ts';
import { type OAuthFlags, signInWithOAuth } from './oauth-login.ts';
import { signIn } from './verify-key.ts';

export interface LoginFlags extends OAuthFlags {
  readonly dialect?: string;
  readonly set?: readonly string[];
}

/**
 * Signs in with OAuth or verifies a key, and saves the result with the settings given by flags and the environment. Asks
 * for what is missing at a terminal. Throws `usage` for invalid settings before anything is asked or sent.
 */
export async function login(given: CommandContext<LoginFlags>) {
  const { flags } = given;
  const store = await given.profiles();
  const name = flags.profile ?? readVariable(settingTable.profile, given.io.env) ?? 'default';
  assertProfileName(name, store.all());
  const known = store.find(name);
  const { env } = passOver(given.io.env, flags, flags.profile === undefined ? undefined : known);
  // The streams of the process are opened where they are used.
  const io: Io = Object.create(given.io, { env: { value: env } });
  const context = { ...given, io };
  const changes = await readChanges(context);
  const address = flags.baseUrl ?? readVariable(settingTable.baseUrl, env) ?? known?.base_url;
  const baseUrl = address ?? (await askForAddress(context));
  const apply = (profile: Profile | undefined) => {
    const kept = { ...keepSettings(profile, baseUrl), ...toServerSettings(flags, io.cwd), base_url: baseUrl };
    return changes.reduce((changed, change) => change.apply(changed), kept);
  };
  const profile = apply(known);
  // Checks that it can be saved, so that nobody signs in for nothing.
  const signedIn = await signInWithOAuth(context, { profile, former: known?.oauth }, () =>
    store.change(() => {}),
  );
  const key = signedIn?.tokens.access_token ?? (await readKey(context));
  const verify = () =>
    signIn({ ...context, key, profile }).catch(async (error: unknown) => {
      // The salon does not accept what its authorization server issued.
      if (signedIn) {
        const { grant, tokens } = signedIn;
        await endQuietly(profile, { ...grant, storage: 'file', tokens }, context);
      }
      throw error;
    });
  const verified = flags.noVerify ? undefined : await verify();
  const { account, person, salon, dialect } = verified ?? {};
  const origin = isEmbedded(baseUrl) ? baseUrl : parseBaseUrl(baseUrl).origin;
  const grant = signedIn && (await storeGrant(signedIn, context, store.path));
  // What was given is read again, because it may have been changed meanwhile.
  const found = dialect === profile.dialect ? undefined : dialect;
  const former = await store.change((profiles) => {
    const earlier = profiles.find(name);
    const { dialect: saved, ...kept } = apply(earlier);
    profiles.save(name, {
      ...kept,
      ...(saved || found ? { dialect: { ...saved, ...found } } : {}),
      ...(grant ? { oauth: grant } : { credential: { key, origin } }),
      ...(account ? { account } : {}),
      ...(verified ? { salon: salon ?? {} } : {}),
    });
    profiles.use(name);
    return earlier;
  });
  if (former?.oauth) await endQuietly(former, former.oauth, context);
  const overrides = findOverrides(given.io, { name, baseUrl });
  for (const { variable, effect } of overrides) context.messages.warn(`${variable} is set, so ${effect}.`);
  return {
    /** The profile, which is now in use. */
    name,
    baseUrl,
    account,
    /** Name and address of the person who signed in. */
    person,
    /** The saved sign-in; undefined for an API key. */
    grant,
    /** Environment variables that commands obey instead. */
    overriddenBy: overrides.map(({ variable }) => variable),
  };
}

export type Login = Awaited<ReturnType<typeof login>>;

/** Stores the tokens, and says where. */
async function storeGrant(
  signedIn: GrantWithTokens,
  { io, messages }: CommandContext,
  path: string,
): Promise<SavedGrant> {
  const stored = await storeTokens(signedIn, io, (reason) =>
    messages.verbose(`No usable keyring. ${reason}`),
  );
  const place =
    stored.storage === 'keyring' ? `the ${nameKeyring(io.platform)}` : `${path}, which only you can read`;
  messages.info(`Your sign-in is stored in ${place}.`);
  return stored;
}

/** A sign-in that is replaced or of no use would stay valid until it has not been used for long. */
async function endQuietly(
  profile: Profile,
  grant: SavedGrant,
  { flags, io, messages }: CommandContext<LoginFlags>,
): Promise<void> {
  const session = createUnsavedSession(profile, { flags, io });
  const { failure } = await endGrant({ grant, session, io, messages });
  if (failure) messages.verbose(`Could not revoke an unused sign-in: ${failure.message}`);
}

/** The settings that flags and the environment give a new profile. A flag wins. */
async function readChanges({ flags, io }: CommandContext<LoginFlags>): Promise<readonly SettingChange[]> {
  const environment = await readEnvironmentDialect(io, io.env);
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
  const { account: _account, salon: _salon, credential: _key, oauth: _oauth, ...kept } = profile;
  if (profile.base_url === baseUrl) return kept;
  const { dialect: _dialect, headers: _headers, ...others } = kept;
  const ofServer = savedSettings.filter(({ belongsToServer }) => belongsToServer);
  const names = new Set<string>(ofServer.map(({ profileKey }) => profileKey));
  return Object.fromEntries(Object.entries(others).filter(([name]) => !names.has(name)));
}

/** The certificates and headers that the flags give, as a profile keeps them. */
function toServerSettings(flags: LoginFlags & GlobalFlags, cwd: string): Partial<Profile> {
  const given: Readonly<Record<string, unknown>> = { ...flags };
  const files = savedSettings.flatMap((setting) => {
    const text = setting.belongsToServer ? given[setting.name] : undefined;
    return typeof text === 'string' ? [[setting.profileKey, toSavedValue(setting, text, cwd)]] : [];
  });
  const { header } = flags;
  const headers = header && assertHeaders(Object.fromEntries(header.map((text) => parseHeader(text))));
  return { ...Object.fromEntries(files), ...(headers === undefined ? {} : { headers }) };
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
async function readKey(context: CommandContext<LoginFlags>): Promise<string> {
  const key = (await readRawKey(context)).trim();
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

async function readRawKey({ flags: { keyFile }, io, prompts }: CommandContext<LoginFlags>): Promise<string> {
  if (keyFile === undefined && prompts.isInteractive)
    return prompts.secret('API key', { validate: findKeyProblem });
  if (keyFile === undefined || keyFile === '-') return io.terminal.input ? '' : readAll(io.stdin);
  return readKeyFile(keyFile, `--key-file ${keyFile}`, io);
}
