import { join, resolve } from 'node:path';
import type { Io } from '../io.ts';

type Place = Pick<Io, 'env' | 'homeFolder' | 'platform' | 'cwd'>;

/** Where profiles are kept: SALON_CONFIG_DIR, else the system's folder for settings. */
export function configFolder(place: Place): string {
  return chosen(place, 'SALON_CONFIG_DIR', { windows: 'APPDATA', xdg: 'XDG_CONFIG_HOME', home: ['.config'] });
}

/** Where embedded salons are kept: SALON_DATA_DIR, else the system's folder for data. */
export function dataFolder(place: Place): string {
  return chosen(place, 'SALON_DATA_DIR', {
    windows: 'LOCALAPPDATA',
    xdg: 'XDG_DATA_HOME',
    home: ['.local', 'share'],
  });
}

/** Where processes note the pace they share: in the folder for data. */
export function paceFolder(place: Place): string {
  return join(dataFolder(place), 'pace');
}

/** Where jobs are kept: in the folder for data. */
export function jobsFolder(place: Place): string {
  return join(dataFolder(place), 'jobs');
}

function chosen(place: Place, own: string, system: { windows: string; xdg: string; home: string[] }): string {
  const { env } = place;
  const asked = env[own];
  if (asked) return resolve(place.cwd, asked);
  const base = place.platform === 'win32' ? env[system.windows] : env[system.xdg];
  return join(base || join(place.homeFolder, ...system.home), 'salon');
}
