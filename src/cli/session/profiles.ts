import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Conf from 'conf';
import { replaceFile } from '../../bulk/jobs/file-access.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { type LocalState, openLocalState } from '../../local-state/local-state.ts';
import { configFolder, type FolderSources } from '../folders.ts';
import { checkProfileFile, foldName, type Profile, parseProfileFile } from './profile.ts';

/** Profiles that no other process changes at the same time. */
export interface EditableProfiles extends Profiles {
  save(name: string, profile: Profile): void;
  /** Removes a profile, with its key. It is no longer in use. */
  remove(name: string): void;
  use(name: string): void;
}

interface Stored {
  current?: string;
  profiles?: Record<string, Profile>;
}

const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** How long a change waits for those of other processes: a hundred of them on a busy machine may take a minute. */
const changeTimeoutMs = 120_000;

/** The profile file. Every read returns what is saved now. */
export type ProfileStore = ReturnType<typeof openProfileStore>;

/**
 * Opens the profile file; creates it at the first change. Throws `usage` when other users can read it or it cannot be
 * parsed.
 */
export function openProfileStore(io: FolderSources) {
  const folder = configFolder(io);
  const path = join(folder, 'config.json');
  assertPrivate(path, io.platform);
  let conf = existsSync(path) ? attempt(path, () => openConf(folder)) : undefined;
  return {
    path,
    ...toProfiles(() => conf?.store ?? {}),
    /**
     * Changes the profiles as they are saved now, in one write and one process at a time. If the function throws,
     * nothing is changed.
     */
    async change<Result>(act: (profiles: EditableProfiles) => Result): Promise<Result> {
      using state = await openLock(folder, path);
      return state.exclusively(() =>
        attempt(path, () => {
          assertPrivate(path, io.platform);
          conf ??= openConf(folder);
          return edit(conf, act);
        }),
      );
    },
  };
}

async function openLock(folder: string, path: string): Promise<LocalState> {
  try {
    return await openLocalState(folder, { busyTimeoutMs: changeTimeoutMs });
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'output_failed') throw error;
    throw withContext(error, {
      message: `Cannot save profiles in ${path}: ${error.message}`,
      hint: 'Set SALON_CONFIG_DIR to a folder that you can write to.',
    });
  }
}

function toProfiles(read: () => Stored) {
  const all = () => read().profiles ?? {};
  return {
    all,
    find: (name: string) => (Object.hasOwn(all(), name) ? all()[name] : undefined),
    currentName: () => read().current,
  };
}

/** The saved profiles and which one is in use. */
export type Profiles = ReturnType<typeof toProfiles>;

function edit<Result>(conf: Conf<Stored>, act: (profiles: EditableProfiles) => Result): Result {
  const before = conf.store;
  checkProfileFile(before, '');
  let { current } = before;
  const { current: _current, ...others } = before;
  let profiles = before.profiles ?? {};
  const result = act({
    ...toProfiles(() => ({ profiles, ...(current === undefined ? {} : { current }) })),
    save(name, profile) {
      assertProfileName(name, profiles);
      profiles = { ...profiles, [name]: profile };
    },
    remove(name) {
      const { [name]: _removed, ...kept } = profiles;
      profiles = kept;
      if (current === name) current = undefined;
    },
    use(name) {
      current = name;
    },
  });
  const after = { ...others, profiles, ...(current === undefined ? {} : { current }) };
  // On a full disk, conf would save the part that fits.
  if (!isDeepStrictEqual(after, { ...before }))
    replaceFile(conf.path, JSON.stringify(after, undefined, '\t'));
  return result;
}

function openConf(folder: string): Conf<Stored> {
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  const conf = new Conf<Stored>({
    cwd: folder,
    configName: 'config',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    deserialize: parseProfileFile,
  });
  checkProfileFile(conf.store, '');
  return conf;
}

/** A key that other users could have read is not used. */
function assertPrivate(path: string, platform: NodeJS.Platform): void {
  if (platform === 'win32' || !existsSync(path)) return;
  const mode = attempt(path, () => statSync(path).mode) & 0o777;
  if ((mode & 0o077) === 0) return;
  const message = `${path} contains API keys and other users can read it (mode ${mode.toString(8)}).`;
  throw new SalonError('usage', message, { hint: `Run: chmod 600 ${path}` });
}

/** Throws `usage` for a name that a profile cannot have, such as that of another one in capitals. */
export function assertProfileName(name: string, profiles: Readonly<Record<string, Profile>>): void {
  const same = Object.keys(profiles).find((other) => foldName(other) === foldName(name)) ?? name;
  if (same === name && profileName.test(name)) return;
  const problem = same === name ? 'is not a valid profile name' : `is too like the profile "${same}"`;
  throw new SalonError('usage', `"${name}" ${problem}.`, {
    hint: 'Use up to 64 letters, digits, dots, dashes and underscores.',
  });
}

function attempt<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof SalonError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SalonError('usage', `Cannot use the profiles in ${path}: ${reason}`, {
      hint: 'Fix the file, or move it away and sign in again.',
      cause,
    });
  }
}
