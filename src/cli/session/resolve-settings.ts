import { SalonError, withContext } from '../../contract/errors.ts';
import {
  type EnvironmentVariables,
  isEnabled,
  readVariable,
  type SettingValue,
  toFlagName,
} from '../../settings.ts';
import { parseHeader, parseHeaders } from '../flags/headers.ts';
import type { GlobalFlags } from '../flags/options.ts';
import { settingTable } from '../flags/settings.ts';
import type { Io } from '../io.ts';
import {
  type KnownSalon,
  type Profile,
  type SavedGrant,
  type SavedName,
  type SavedSetting,
  savedSettings,
} from './profile.ts';

/** Where a value comes from, highest precedence first. */
export type Source = 'flag' | 'environment' | 'profile' | 'salon' | 'default';

export interface Setting<Value> {
  readonly value: Value;
  readonly source: Source;
  /** The environment variable that it comes from. */
  readonly variable?: string | undefined;
  /** A text in the profile or of the salon that cannot be used, and the error that reading `value` throws. */
  readonly unusable?: { readonly text: string; readonly error: SalonError };
}

type ValueOf<Definition> = Definition extends { type: 'boolean' } ? boolean : SettingValue<Definition>;

type PlainSettings = {
  readonly [Name in SavedName]:
    | Setting<ValueOf<(typeof settingTable)[Name]>>
    | ((typeof settingTable)[Name] extends { default: string } ? never : undefined);
};

/** The settings of one command. Times are in milliseconds, the rate in requests per hour. */
export interface Settings extends PlainSettings {
  readonly timeZone: Setting<string>;
  readonly credential: Setting<OriginBoundKey | SavedGrant> | undefined;
  /** Sent with every request, by their names. Their values are secrets. */
  readonly headers: Readonly<Record<string, Setting<string>>>;
}

/** Tells an API key from a sign-in with OAuth. */
export function isApiKey(credential: OriginBoundKey | SavedGrant): credential is OriginBoundKey {
  return 'key' in credential;
}

/** An API key, and the only origin it may be sent to. A key from the environment has none. */
export interface OriginBoundKey {
  readonly key: string;
  readonly origin?: string;
}

export interface SettingSources {
  readonly flags: GlobalFlags;
  readonly env: EnvironmentVariables;
  readonly profile: Profile | undefined;
  readonly profileName?: string | undefined;
  /** Asked where nothing else names a time zone. */
  readonly io: Pick<Io, 'timeZone'>;
  /** From SALON_API_KEY or SALON_API_KEY_FILE. */
  readonly environmentKey?: string | undefined;
  /** Which of the two; undefined for a key that is not saved yet. */
  readonly keyVariable?: string | undefined;
}

type PlainSources = Pick<SettingSources, 'flags' | 'env' | 'profile' | 'profileName'> & {
  /** The salon of the credential, as the service describes it. */
  readonly salon?: KnownSalon | undefined;
};

/**
 * Resolves all settings. Throws `usage` for an invalid value, naming the flag or variable. What the profile or the salon
 * has fails only the commands that read it, so that the others can correct it.
 */
export function resolveSettings(given: SettingSources): Settings {
  const { flags, env, profile, profileName, environmentKey, keyVariable } = given;
  const own = { flags: flags.json ? { ...flags, format: 'json' } : flags, env, profile, profileName };
  const baseUrl = resolveSetting('baseUrl', own)?.value;
  const isOwnSalon = environmentKey === undefined && isSameOrigin(baseUrl, profile?.base_url);
  const sources = { ...own, salon: isOwnSalon ? profile?.salon : undefined };
  // The certificates and headers of a profile are for its own origin alone, as its key is.
  const ofServer = isSameOrigin(baseUrl, profile?.base_url) ? sources : { ...sources, profile: undefined };
  const resolved = savedSettings.map(({ name, belongsToServer }) => [
    name,
    resolveSetting(name, belongsToServer ? ofServer : sources),
  ]);
  const saved = profile?.credential ?? profile?.oauth;
  const settings = {
    ...(Object.fromEntries(resolved) as PlainSettings),
    headers: resolveHeaders(ofServer),
    credential:
      environmentKey === undefined
        ? saved && { value: saved, source: 'profile' as const }
        : { value: { key: environmentKey }, source: 'environment' as const, variable: keyVariable },
  };
  return { ...settings, timeZone: settings.timeZone ?? readMachineZone(given) };
}

/** What Node does not understand, it takes for UTC without a word. */
function readMachineZone({ io, env: { TZ } }: SettingSources): Setting<string> {
  if (io.timeZone !== undefined) return { value: io.timeZone, source: 'default' };
  const which = TZ === undefined ? 'The time zone of this machine is not known' : `TZ is "${TZ}"`;
  const problem =
    TZ === undefined
      ? ''
      : TZ === ''
        ? ', which names no time zone'
        : ', which is not the name of a time zone';
  const error = new SalonError('usage', `${which}${problem}, and the salon names none.`, {
    hint: 'Set SALON_TIME_ZONE, e.g. SALON_TIME_ZONE=Europe/Berlin',
  });
  return toUnusable({ source: 'default' }, TZ ?? '', error);
}

function toUnusable(origin: Omit<Setting<never>, 'value'>, text: string, error: SalonError): Setting<never> {
  return {
    ...origin,
    unusable: { text, error },
    get value(): never {
      throw error;
    },
  };
}

/** Resolves one setting. Throws like `resolveSettings`. */
export function resolveSetting<Name extends SavedName>(
  name: Name,
  { flags, env, profile, profileName = '<profile>', salon }: PlainSources,
): PlainSettings[Name] {
  const definition = savedSettings.find((setting) => setting.name === name) as SavedSetting;
  const { variable = '', profileKey } = definition;
  const candidates = [
    { source: 'flag', text: (flags as SavedFlags)[name], shownAs: toFlagName(definition) },
    { source: 'environment', text: readVariable(definition, env), variable, shownAs: variable },
    {
      source: 'profile',
      text: profile?.[profileKey],
      shownAs: `${profileKey} in the profile`,
      toCorrect: `salon profiles set ${profileName}`,
    },
    {
      source: 'salon',
      text: Object.entries(salon ?? {}).find(([key]) => key === profileKey)?.[1],
      shownAs: `The salon's ${profileKey}`,
      toCorrect: 'salon settings set',
    },
    { source: 'default', text: definition.default, shownAs: name },
  ] as const;
  const found = candidates.find(({ text }) => text !== undefined && text !== '');
  if (found === undefined) return undefined as PlainSettings[Name];
  const { text: given, shownAs, toCorrect, ...origin } = { toCorrect: undefined, ...found };
  const text = String(given);
  const { type, parse, parseStored = parse } = definition;
  const read = toCorrect === undefined ? parse : parseStored;
  const readValue = () =>
    type === 'boolean' ? isEnabled(text) : read === undefined ? text : read(text, shownAs);
  if (toCorrect === undefined) return { ...origin, value: readValue() } as PlainSettings[Name];
  // Read when it is used, since many commands use no time zone: Intl takes 15 ms for the first one.
  let stored: Pick<Setting<unknown>, 'value' | 'unusable'> | undefined;
  const readStored = () => {
    try {
      return { value: readValue() };
    } catch (error) {
      if (!(error instanceof SalonError)) throw error;
      const hint = [error.hint, `To correct it: ${toCorrect} ${profileKey} <value>`]
        .filter(Boolean)
        .join(' ');
      return toUnusable(origin, text, withContext(error, { hint }));
    }
  };
  return {
    ...origin,
    get value() {
      stored ??= readStored();
      return stored.value;
    },
    get unusable() {
      stored ??= readStored();
      return stored.unusable;
    },
  } as PlainSettings[Name];
}

/** A setting as the service has just described it. Throws like `resolveSettings`. */
export function readSalonSetting<Name extends SavedName>(name: Name, salon: KnownSalon | undefined) {
  return resolveSetting(name, { flags: {}, env: {}, profile: undefined, salon })?.value;
}

type SavedFlags = Partial<Record<SavedName, string | boolean>>;

export function isSameOrigin(one: string | undefined, other: string | undefined): boolean {
  const [origin, otherOrigin] = [one, other].map((url) => url && (URL.parse(url)?.origin ?? url));
  return one === other || origin === otherOrigin;
}

function resolveHeaders({ flags, env, profile }: PlainSources): Settings['headers'] {
  const { variable } = settingTable.header;
  const text = readVariable(settingTable.header, env);
  const given = [
    { source: 'profile', headers: Object.entries(profile?.headers ?? {}) },
    { source: 'environment', variable, headers: text === undefined ? [] : parseHeaders(text, variable) },
    { source: 'flag', headers: (flags.header ?? []).map((header) => parseHeader(header)) },
  ] as const;
  return Object.fromEntries(
    given.flatMap(({ headers, ...origin }) =>
      headers.map(([name, value]) => [name.toLowerCase(), { value, ...origin }]),
    ),
  );
}

/** What is to be said where a setting is not that of the salon: the profile knows both. */
export function describeOverride(
  name: 'timeZone' | 'currency' | 'openingHours',
  { settings, profile }: { readonly settings: Settings; readonly profile: Profile | undefined },
): string | undefined {
  const definition = savedSettings.find((one) => one.name === name) as SavedSetting;
  const { profileKey } = definition;
  const own = Object.entries(profile?.salon ?? {}).find(([key]) => key === profileKey)?.[1];
  const { source = 'default', variable, unusable } = settings[name] ?? {};
  const isOwn = source === 'salon' || source === 'default' || settings.credential?.source !== 'profile';
  const value = isOwn || unusable ? undefined : settings[name]?.value;
  if (value === undefined || own === undefined || own === value) return undefined;
  const where = source === 'flag' ? toFlagName(definition) : (variable ?? 'the profile');
  return `Using the ${profileKey.replace('_', ' ')} ${value} from ${where}; that of the salon is ${own}.`;
}

/** The settings as `profiles show` and `salon doctor` list them and `profiles set` takes them, without values of headers. */
export function listSettings(settings: Settings) {
  const plain = savedSettings.map(({ name, profileKey, unit = '' }) => {
    const setting = settings[name];
    const { source = 'default', variable } = setting ?? {};
    // An unusable value is its text: to read the value would fail.
    const value = setting?.unusable === undefined ? setting?.value : undefined;
    const shown = value === undefined ? undefined : `${value}${unit}`.replace(/000ms$/, 's');
    return { name: profileKey, value: setting?.unusable?.text ?? shown ?? null, source, variable };
  });
  const headers = Object.entries(settings.headers).map(([name, { source, variable }]) => {
    return { name: `header.${name}`, value: '…', source, variable };
  });
  return [...plain, ...headers];
}

/** Whether nothing configures the time zone of the salon: what a profile knows is not that of another key. */
export function asksForZone({ timeZone, credential, baseUrl }: Settings): boolean {
  return timeZone.source === 'default' && credential?.source === 'environment' && baseUrl !== undefined;
}
