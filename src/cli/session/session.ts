import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { unreadableFile } from '../unreadable-file.ts';
import type { Profile, ProfileStore } from './profiles.ts';
import { type GlobalFlags, resolveSettings, type Settings } from './settings.ts';

/** Whose salon one invocation works on, and with which settings. */
export interface Session {
  /** Undefined where flags and environment say everything, as in CI. */
  readonly profileName: string | undefined;
  readonly profile: Profile | undefined;
  readonly settings: Settings;
}

export interface SessionSources {
  readonly io: Io;
  readonly flags: GlobalFlags;
  /** Loads the profile store: a cost that a run with everything in its environment is spared. */
  readonly profiles: () => Promise<ProfileStore>;
}

/** Finds the profile and resolves the settings. Throws `usage` for a profile that does not exist. */
export async function readSession({ io, flags, profiles }: SessionSources): Promise<Session> {
  const environmentKey = await readEnvironmentKey(io);
  const named = flags.profile ?? (io.env['SALON_PROFILE'] || undefined);
  const selfContained = environmentKey !== undefined && Boolean(flags.baseUrl ?? io.env['SALON_BASE_URL']);
  const current = named === undefined && !selfContained ? currentProfile(await profiles()) : undefined;
  const profileName = named ?? current?.name;
  const profile = named === undefined ? current?.profile : requireProfile(await profiles(), named);
  const settings = resolveSettings({
    flags,
    env: io.env,
    profile,
    environmentKey,
    systemTimeZone: io.timeZone,
  });
  return { profileName, profile, settings };
}

/** The profile in use, unless it has been removed meanwhile. */
function currentProfile(store: ProfileStore): { name: string; profile: Profile } | undefined {
  const name = store.currentName();
  const profile = name === undefined ? undefined : store.find(name);
  return name === undefined || profile === undefined ? undefined : { name, profile };
}

/** The base address. Throws `usage` naming both ways to get one. */
export function requireBaseUrl(session: Session): string {
  const setting = session.settings.baseUrl;
  if (setting) return setting.value;
  throw new SalonError('usage', 'There is no salon to work on: no profile, and no base address.', {
    hint: 'Try a sample salon with "salon demo", or sign in to yours with "salon auth login".',
  });
}

/** A profile by its name. Throws `usage`, naming the ones there are. */
export function requireProfile(store: ProfileStore, name: string): Profile {
  const profile = store.find(name);
  if (profile) return profile;
  const names = Object.keys(store.all());
  throw new SalonError('usage', `There is no profile "${name}".`, {
    hint:
      names.length > 0
        ? `There are: ${names.join(', ')}.`
        : 'Make one with "salon demo" or "salon auth login".',
  });
}

async function readEnvironmentKey({ env, cwd }: Io): Promise<string | undefined> {
  if (env['SALON_API_KEY']) return env['SALON_API_KEY'].trim();
  const file = env['SALON_API_KEY_FILE'];
  if (!file) return undefined;
  const key = await readFile(resolve(cwd, file), 'utf8').catch((cause: Error) => {
    throw unreadableFile(`SALON_API_KEY_FILE ${file}`, cause);
  });
  if (key.trim() === '') throw new SalonError('usage', `SALON_API_KEY_FILE names an empty file: ${file}`);
  return key.trim();
}
