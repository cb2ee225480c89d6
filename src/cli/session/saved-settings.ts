import { resolve } from 'node:path';
import {
  type CommandLineSetting,
  type SettingName,
  settingEntries,
  type settingTable,
} from '../flags/settings.ts';
import { parseBooleanFlag } from '../flags/values.ts';

/** The settings that a profile keeps as one value. Headers and the dialect are maps. */
export type SavedName = {
  [Name in SettingName]: (typeof settingTable)[Name] extends { profileKey: string }
    ? (typeof settingTable)[Name] extends { type: 'list' | 'map' }
      ? never
      : Name
    : never;
}[SettingName];

type SavedValue<Definition> = Definition extends { type: 'boolean' }
  ? boolean
  : Definition extends { type: 'integer' }
    ? number
    : string;

/** Settings by their name in a profile, as its file has them. */
export type SavedSettings = {
  readonly [Name in SavedName as (typeof settingTable)[Name]['profileKey']]?: SavedValue<
    (typeof settingTable)[Name]
  >;
};

/** The settings of the salon that commands need. */
export const knownNames = ['time_zone', 'currency', 'country', 'opening_hours'] as const;

/** What the service says about the salon, its rules of the clock as JSON, and the version of that. What is not set there is missing. */
export type KnownSalon = Readonly<Partial<Record<(typeof knownNames)[number] | 'clock' | 'version', string>>>;

export interface SavedSetting extends CommandLineSetting {
  readonly name: SavedName;
  readonly profileKey: keyof SavedSettings;
}

export const savedSettings: readonly SavedSetting[] = settingEntries.flatMap(([name, definition]) => {
  const { profileKey, type } = definition;
  if (profileKey === undefined || type === 'list' || type === 'map') return [];
  return [{ ...definition, name, profileKey } as SavedSetting];
});

/** What `profiles set` and `--set` take; of the settings of a dialect, the most used. */
export const settableNames: readonly string[] = [
  ...settingEntries.flatMap(([, { profileKey = '', isSavedByLogin }]) =>
    isSavedByLogin || profileKey === '' || profileKey === 'dialect.<setting>' ? [] : [profileKey],
  ),
  'prefix',
  'page_parameter',
  'per_page_parameter',
  'rows_key',
  'total_key',
  'filter.<name>',
  'dialect.<setting>',
];

/** The value to save in a profile: paths become absolute, times and rates remain text. Throws `usage`. */
export function toSavedValue({ type, profileKey, parse }: SavedSetting, text: string, cwd: string) {
  if (type === 'path') return resolve(cwd, text);
  if (type === 'boolean') return parseBooleanFlag(text, profileKey);
  const value = parse?.(text, profileKey);
  if (type === 'integer') return Number(value);
  return typeof value === 'string' ? value : text;
}
