import { createHash } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import type { Dialect } from '../../client/dialect/dialect.ts';
import { SalonError } from '../../contract/errors.ts';
import { type EnvironmentVariables, readVariable } from '../../settings.ts';
import type { GlobalFlags } from '../flags/options.ts';
import { settingTable } from '../flags/settings.ts';
import type { Io } from '../io.ts';
import { isEmbedded } from './embedded.ts';
import type { KnownSalon, Profile } from './profile.ts';
import type { ProfileStore, Profiles } from './profiles.ts';
import { isApiKey, isSameOrigin, resolveSettings, type Settings } from './resolve-settings.ts';

/** The profile and settings of one command. */
export interface Session {
  /** Undefined where flags and environment give everything, as in CI. */
  readonly profileName: string | undefined;
  readonly profile: Profile | undefined;
  readonly settings: Settings;
  /** The environment as far as it counts: without what --profile passes over. */
  readonly env: EnvironmentVariables;
  /** The variables that --profile passes over. */
  readonly passedOver: readonly string[];
  /** How the server differs, where that is not read from the environment and the profile. */
  readonly dialect?: Partial<Dialect>;
}

export interface SessionSources {
  readonly io: Io;
  readonly flags: GlobalFlags;
  /** Not called where the environment gives everything, because loading the profiles is slow. */
  readonly profiles: () => Promise<ProfileStore>;
  /** What the command has learnt of the salons of profiles meanwhile. */
  readonly learnt?: ReadonlyMap<string, KnownSalon>;
  /** Whether the command sends no requests: it must not fail because of a key that it does not use. */
  readonly isLocal?: boolean;
  /** Whether the profile is that of a job, over which the environment wins as it did when the job began. */
  readonly isOfJob?: boolean;
}

/** Finds the profile and resolves the settings. Throws `usage` for a profile that does not exist. */
export async function resolveSession({
  io,
  flags,
  profiles,
  learnt,
  isLocal,
  isOfJob,
}: SessionSources): Promise<Session> {
  const named = isOfJob || flags.profile === undefined ? undefined : (await profiles()).find(flags.profile);
  const { env, passedOver } = passOver(io.env, flags, named);
  const environmentKey = isLocal ? undefined : await readEnvironmentKey(io, env);
  const requested = flags.profile ?? readVariable(settingTable.profile, io.env);
  const variable = flags.profile === undefined ? settingTable.profile.variable : undefined;
  const baseUrl = flags.baseUrl ?? readVariable(settingTable.baseUrl, env);
  const needsProfile = environmentKey === undefined || !baseUrl;
  const store = requested === undefined && !needsProfile ? undefined : await profiles();
  const name = requested ?? store?.currentName();
  const saved =
    store && requested !== undefined ? requireProfile(store, requested, variable) : store?.find(name ?? '');
  const salon = learnt?.get(name ?? '');
  const profile = saved && salon ? { ...saved, salon } : saved;
  // The current profile may have been removed.
  const profileName = profile && name;
  const settings = resolveSettings({
    flags,
    env,
    profile,
    profileName,
    environmentKey,
    keyVariable: findKeyVariables({ env })[0],
    io,
  });
  return { profileName, profile, settings, env, passedOver };
}

/**
 * The environment without what a profile that --profile names decides: base URL, dialect and its key. A key of the
 * environment is for a profile without one, and neither it nor headers and certificates go to another origin.
 */
export function passOver(env: EnvironmentVariables, flags: GlobalFlags, profile: Profile | undefined) {
  if (profile === undefined) return { env, passedOver: [] };
  const { baseUrl, dialect, header, caFile, clientCert, clientKey } = settingTable;
  const own = profile.base_url;
  const target = flags.baseUrl ?? own;
  const given = readVariable(baseUrl, env) ?? target;
  const isElsewhere = !isSameOrigin(given, target);
  const hasKey = (profile.credential ?? profile.oauth) !== undefined;
  const usesKey = !hasKey && !isElsewhere && isSameOrigin(target, own);
  const names: readonly string[] = [
    ...([own, target].includes(given) ? [] : [baseUrl.variable]),
    ...(usesKey ? [] : findKeyVariables({ env })),
    ...(isElsewhere ? [header, caFile, clientCert, clientKey].map(({ variable }) => variable) : []),
  ];
  const isOfDialect = (name: string) => name === dialect.variable || name.startsWith(`${dialect.variable}_`);
  const passedOver = Object.keys(env).filter(
    (name) => env[name] && (names.includes(name) || isOfDialect(name)),
  );
  const left = Object.entries(env).filter(([name]) => !passedOver.includes(name));
  return { env: Object.fromEntries(left), passedOver };
}

/** A session with a profile that is not saved: a new or a removed one. `key`: an API key that was entered. */
export function createUnsavedSession(
  profile: Profile,
  { flags, io, key }: Pick<SessionSources, 'flags' | 'io'> & { readonly key?: string },
): Session {
  const settings = resolveSettings({
    flags: { ...flags, baseUrl: profile.base_url },
    env: io.env,
    profile,
    io,
    environmentKey: key,
  });
  return { profileName: undefined, profile, settings, env: io.env, passedOver: [] };
}

/** Throws `usage` where no base URL is set. */
export function requireBaseUrl(session: Session): string {
  const setting = session.settings.baseUrl;
  if (setting) return setting.value;
  throw new SalonError('usage', 'Not connected to a salon.', {
    hint: 'Run "salon demo" or "salon auth login".',
  });
}

/** Throws `not_signed_in` where neither the environment nor the profile has an API key or a sign-in. */
export function requireCredential({ settings, passedOver }: Pick<Session, 'settings' | 'passedOver'>) {
  if (settings.credential) return settings.credential.value;
  const unused = passedOver.find((name) => name.startsWith('SALON_API_KEY'));
  throw new SalonError('not_signed_in', 'Not signed in to this salon.', {
    hint: unused
      ? `Run "salon auth login". ${unused} is sent to the profile's own base URL only, if no other one is given.`
      : 'Run "salon auth login", or set SALON_API_KEY.',
  });
}

/** The service of a session: an origin, or an embedded address. Files on disk are bound to it. */
export function toServiceOrigin(session: Session): string {
  const baseUrl = requireBaseUrl(session);
  return isEmbedded(baseUrl) ? baseUrl : (URL.parse(baseUrl)?.origin ?? baseUrl);
}

/** The account of the saved credential. A key from the environment may belong to another one. */
export function findSavedAccount({ settings, profile }: Session): Profile['account'] {
  return settings.credential?.source === 'environment' ? undefined : profile?.account;
}

/** The account of the credential; where that is unknown, the key itself or the name of the sign-in. */
export function toOwner(session: Session): string {
  return findSavedAccount(session)?.id ?? toCredentialName(session.settings);
}

/** Identifies the API key or sign-in on disk, where the account is unknown. */
export function toKeyFingerprint({ settings }: Session): string {
  return `key:${createHash('sha256').update(toCredentialName(settings)).digest('hex').slice(0, 16)}`;
}

function toCredentialName({ credential }: Settings): string {
  if (credential === undefined) return '';
  return isApiKey(credential.value) ? credential.value.key : credential.value.id;
}

/** Finds a profile by its name, which may come from a variable. Throws `usage` naming the existing ones. */
export function requireProfile(store: Profiles, name: string, variable?: string): Profile {
  const profile = store.find(name);
  if (profile) return profile;
  const names = Object.keys(store.all());
  throw new SalonError('usage', `No profile named "${name}"${variable ? `, which ${variable} names` : ''}.`, {
    hint:
      names.length > 0
        ? `Profiles: ${names.join(', ')}.`
        : 'Create one with "salon demo" or "salon auth login".',
  });
}

/** Variables that a command without --profile obeys instead of the stored profile, each with what it changes. */
export function findOverrides(
  { env }: Pick<Io, 'env'>,
  stored: { readonly name: string; readonly baseUrl: string },
): { readonly variable: string; readonly effect: string }[] {
  const name = readVariable(settingTable.profile, env);
  const baseUrl = readVariable(settingTable.baseUrl, env);
  const [key, next] = findKeyVariables({ env });
  const isOtherProfile = name && name !== stored.name;
  const isOtherSalon = baseUrl && baseUrl !== stored.baseUrl;
  const overrides = [
    [key, 'commands without --profile use that key instead'],
    [next, `commands without --profile use that key once ${key} is unset`],
    [isOtherProfile && settingTable.profile.variable, `commands without --profile use the profile ${name}`],
    [isOtherSalon && settingTable.baseUrl.variable, `commands without --profile connect to ${baseUrl}`],
  ] as const;
  return overrides.flatMap(([variable, effect]) => (variable ? [{ variable, effect }] : []));
}

/** The variables that are set for an API key; the first one wins. */
export function findKeyVariables({ env }: Pick<Io, 'env'>): readonly string[] {
  return [settingTable.apiKey.variable, settingTable.apiKeyFile.variable].filter((name) => env[name]);
}

async function readEnvironmentKey(
  io: Pick<Io, 'cwd' | 'platform' | 'userId'>,
  env: Io['env'],
): Promise<string | undefined> {
  const given = readVariable(settingTable.apiKey, env);
  if (given !== undefined) return given.trim();
  const file = readVariable(settingTable.apiKeyFile, env);
  if (file === undefined) return undefined;
  const key = await readKeyFile(file, `SALON_API_KEY_FILE ${file}`, io);
  if (key.trim() === '') throw new SalonError('usage', `SALON_API_KEY_FILE is an empty file: ${file}`);
  return key.trim();
}

/**
 * Reads the file of an API key; `shown` is its name in errors. Throws `usage` for a file that cannot be read, and for
 * one that other users can read although its owner runs this command.
 */
export async function readKeyFile(
  file: string,
  shown: string,
  { cwd, platform, userId }: Pick<Io, 'cwd' | 'platform' | 'userId'>,
): Promise<string> {
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw createUnreadableError(shown, cause);
  });
  const found = statSync(path);
  const mode = found.mode & 0o777;
  const isOwnFile = found.isFile() && found.uid === userId;
  if (platform === 'win32' || (mode & 0o007) === 0 || !isOwnFile || !canSetMode(path, mode)) return text;
  throw new SalonError('usage', `Other users can read the API key in ${file} (mode ${mode.toString(8)}).`, {
    hint: `Run: chmod 600 ${file}`,
  });
}

/** False for a secret that is mounted into a container, whose mode is not this user's choice. */
function canSetMode(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
