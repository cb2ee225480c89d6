import { isAbsolute, join, resolve } from 'node:path';
import { SalonError } from '../contract/errors.ts';
import { readVariable } from '../settings.ts';
import { settingTable } from './flags/settings.ts';
import type { Io } from './io.ts';

/** What the folders are found by. */
export type FolderSources = Pick<Io, 'env' | 'homeFolder' | 'platform' | 'cwd'>;

/**
 * The folder of profiles: SALON_CONFIG_DIR, else the system's configuration folder. Throws `usage` without a home
 * folder: the working folder is no place for keys.
 */
export function configFolder(io: FolderSources): string {
  return findFolder(io, settingTable.configFolder, {
    windows: 'APPDATA',
    xdg: 'XDG_CONFIG_HOME',
    home: ['.config'],
  });
}

/** SALON_DATA_DIR, else the system's data folder. Throws `usage` without a home folder. */
export function dataFolder(io: FolderSources): string {
  return findFolder(io, settingTable.dataFolder, {
    windows: 'LOCALAPPDATA',
    xdg: 'XDG_DATA_HOME',
    home: ['.local', 'share'],
  });
}

/** The data folder; undefined without a home folder, for what a command can do without. */
export function findDataFolder(io: FolderSources): string | undefined {
  try {
    return dataFolder(io);
  } catch {
    return undefined;
  }
}

export function jobsFolder(io: FolderSources): string {
  return join(dataFolder(io), 'jobs');
}

function findFolder(
  io: FolderSources,
  setting: typeof settingTable.configFolder | typeof settingTable.dataFolder,
  system: { windows: string; xdg: string; home: string[] },
): string {
  const { env } = io;
  const requested = readVariable(setting, env);
  if (requested) return resolve(io.cwd, requested);
  const base = io.platform === 'win32' ? env[system.windows] : env[system.xdg];
  // The XDG specification has relative paths ignored.
  if (base !== undefined && isAbsolute(base)) return join(base, 'salon');
  if (io.homeFolder !== undefined) return join(io.homeFolder, ...system.home, 'salon');
  throw new SalonError('usage', 'There is no home folder to store anything in: HOME is not set.', {
    hint: `Set HOME, or set ${setting.variable} to a folder.`,
  });
}
