import { join, resolve } from 'node:path';
import type { Io } from '../io.ts';

type FolderSources = Pick<Io, 'env' | 'homeFolder' | 'platform' | 'cwd'>;

/** The folder of profiles: SALON_CONFIG_DIR, else the system's configuration folder. */
export function configFolder(io: FolderSources): string {
  return findFolder(io, 'SALON_CONFIG_DIR', {
    windows: 'APPDATA',
    xdg: 'XDG_CONFIG_HOME',
    home: ['.config'],
  });
}

/** SALON_DATA_DIR, else the system's data folder. */
export function dataFolder(io: FolderSources): string {
  return findFolder(io, 'SALON_DATA_DIR', {
    windows: 'LOCALAPPDATA',
    xdg: 'XDG_DATA_HOME',
    home: ['.local', 'share'],
  });
}

export function jobsFolder(io: FolderSources): string {
  return join(dataFolder(io), 'jobs');
}

function findFolder(
  io: FolderSources,
  variable: string,
  system: { windows: string; xdg: string; home: string[] },
): string {
  const { env } = io;
  const requested = env[variable];
  if (requested) return resolve(io.cwd, requested);
  const base = io.platform === 'win32' ? env[system.windows] : env[system.xdg];
  return join(base || join(io.homeFolder, ...system.home), 'salon');
}
