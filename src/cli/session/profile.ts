import { resolve } from 'node:path';
import {
  type CommandLineSetting,
  type SettingName,
  settingEntries,
  type settingTable,
} from '../flags/settings.ts';
import { parseBooleanFlag } from '../flags/values.ts';
import type { Tokens } from '../oauth/tokens.ts';

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
type SavedSettings = {
  readonly [Name in SavedName as (typeof settingTable)[Name]['profileKey']]?: SavedValue<
    (typeof settingTable)[Name]
  >;
};

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

/** The settings of the salon that commands need. */
export const knownNames = ['time_zone', 'currency', 'country', 'opening_hours'] as const;

/** What the service says about the salon, its rules of the clock as JSON, and the version of that. What is not set there is missing. */
export type KnownSalon = Readonly<Partial<Record<(typeof knownNames)[number] | 'clock' | 'version', string>>>;

/** Returns the value. Throws a `TypeError` with the path of a member that has another type than a profile file may have. */
type Check<Value> = (value: unknown, path: string) => Value;

type Checks = Readonly<Record<string, Check<unknown>>>;

type Members<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Check<infer Value> ? Value : never;
};

function is<Value>(expected: string, matches: (value: unknown) => boolean): Check<Value> {
  return (value, path) => {
    if (matches(value)) return value as Value;
    throw new TypeError(`${path || 'the whole file'} must be ${expected}.`);
  };
}

const isText = is<string>('text', (value) => typeof value === 'string' && value !== '');
const isString = is<string>('text', (value) => typeof value === 'string');
const isObject = is<object>(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const checkOfType: Checks = {
  boolean: is('true or false', (value) => typeof value === 'boolean'),
  integer: is('a whole number', (value) => Number.isInteger(value) && Number(value) >= 0),
};

function hasMembers<Needed extends Checks, Others extends Checks>(
  needed: Needed,
  others: Others,
): Check<Members<Needed> & Partial<Members<Others>>> {
  return (value, path) => {
    const members = Object.entries(isObject(value, path));
    const checks = Object.entries<Check<unknown>>({ ...others, ...needed });
    for (const [name, check] of checks) {
      const member = members.find(([own]) => own === name)?.[1];
      if (member !== undefined || Object.hasOwn(Object(needed), name)) check(member, `${path}/${name}`);
    }
    return value as never;
  };
}

function eachMember<Value>(check: Check<Value>): Check<Readonly<Record<string, Value>>> {
  return (value, path) => {
    for (const [name, member] of Object.entries(isObject(value, path))) check(member, `${path}/${name}`);
    return value as never;
  };
}

const checkGrant = hasMembers(
  {
    /** Names it in the keyring and in locks; changes with every sign-in. */
    id: isText,
    /** The only origin that its access tokens are sent to. */
    origin: isText,
    /** The server that renews and ends it. */
    issuer: isText,
    client_id: isText,
    storage: is<'keyring' | 'file'>('keyring or file', (value) => value === 'keyring' || value === 'file'),
  },
  /** With the storage `file`. */
  { tokens: hasMembers({ access_token: isText }, {}) as Check<Tokens> },
);

/** A sign-in with OAuth, as a profile keeps it. Its tokens are in the keyring, or in the profile. */
export type SavedGrant = ReturnType<typeof checkGrant>;

const checkProfile = hasMembers(
  { base_url: isText },
  {
    /** The API key, and the only origin it is sent to. */
    credential: hasMembers({ key: isText, origin: isText }, {}),
    /** A sign-in with OAuth, instead of a key. */
    oauth: checkGrant,
    /** The account of the key or the sign-in, read when it was saved. */
    account: hasMembers({ id: isText, name: isString, plan: isText, role: isText }, {}),
    /** The settings of the salon, read when the key was saved and whenever the salon says that they have changed. */
    salon: eachMember(isString) as Check<KnownSalon>,
    ...(Object.fromEntries(
      savedSettings.map(({ profileKey, type }) => [profileKey, checkOfType[type ?? ''] ?? isText]),
    ) as { readonly [Name in keyof SavedSettings]-?: Check<NonNullable<SavedSettings[Name]>> }),
    /** Sent with every request. Their values are secrets. */
    headers: eachMember(isString),
    /** The configured part of the server's dialect. Earlier versions also saved detected values here. */
    dialect: eachMember((value) => value),
  },
);

/** One account on one service, as saved in the profile file. */
export type Profile = ReturnType<typeof checkProfile>;

/**
 * Checks what a profile file contains, which people edit, too. What a newer version saved is allowed. A validator with a
 * schema would take half of the start of a list.
 */
export const checkProfileFile = hasMembers({}, { current: isText, profiles: eachMember(checkProfile) });

/** Equal for names that people may take for one. */
export const foldName = (name: string) => name.normalize('NFKC').trim().toLowerCase();

/** Throws a `TypeError` for two members of one name, of which JSON would take the last without a word. */
export function parseProfileFile(text: string) {
  const parsed = JSON.parse(text);
  const open: string[][] = [];
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push([]);
    else if (token === '}') open.pop();
    if (key === undefined) continue;
    // Profiles are at the second level.
    const name: string = open.length === 2 ? foldName(JSON.parse(key)) : JSON.parse(key);
    if (open.at(-1)?.includes(name)) throw new TypeError(`it has the name "${name}" twice.`);
    open.at(-1)?.push(name);
  }
  return parsed;
}
