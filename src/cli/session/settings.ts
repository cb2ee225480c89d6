import { defaultRetries } from '../../client/http/retry.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseWeekHours, renderWeekHours } from '../../contract/week-hours.ts';
import { parseHeader, parseHeaders } from '../flags/headers.ts';
import { isTimeZone } from '../flags/moments.ts';
import { type Format, parseConcurrency, parseDurationMs, parseFormat, parseRate } from '../flags/values.ts';
import { type Io, isEnabled } from '../io.ts';
import type { Profile } from './profiles.ts';
import type { SavedGrant } from './saved-grant.ts';

/** Where a value comes from, highest precedence first. */
export type Source = 'flag' | 'environment' | 'profile' | 'default';

export interface Setting<Value> {
  readonly value: Value;
  readonly source: Source;
  /** The environment variable that it comes from. */
  readonly variable?: string | undefined;
}

/** The flags of every command, as commander parses them. */
export interface GlobalFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly format?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly debug?: boolean;
  readonly trace?: string;
  readonly curl?: boolean;
  /** False with --no-mask. */
  readonly mask?: boolean;
  readonly strict?: boolean;
  readonly timeout?: string;
  readonly retries?: string;
  readonly maxWait?: string;
  readonly rate?: string;
  readonly concurrency?: string;
  readonly caFile?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly header?: readonly string[];
  readonly color?: boolean;
  readonly input?: boolean;
  readonly pager?: boolean;
  readonly plain?: boolean;
}

/** The settings of one command. */
export interface Settings {
  readonly baseUrl: Setting<string> | undefined;
  readonly credential: Setting<OriginBoundKey | SavedGrant> | undefined;
  /** If undefined: a table on a terminal, tab-separated values in a pipe. */
  readonly format: Setting<Format> | undefined;
  readonly timeZone: Setting<string>;
  /** Weekly hours of the salon, such as `mon-fri 09:00-18:00`. */
  readonly openingHours: Setting<string> | undefined;
  readonly timeoutMs: Setting<number>;
  readonly retries: Setting<number>;
  readonly maxWaitMs: Setting<number>;
  /** Requests per hour; if undefined, as many as the server allows. */
  readonly ratePerHour: Setting<number> | undefined;
  readonly concurrency: Setting<number>;
  /** Certificate authorities to trust in addition to the usual ones; a PEM file. */
  readonly caFile: Setting<string> | undefined;
  readonly clientCert: Setting<string> | undefined;
  readonly clientKey: Setting<string> | undefined;
  /** Sent with every request, by their names. Their values are secrets. */
  readonly headers: Readonly<Record<string, Setting<string>>>;
  /** Whether every write must be confirmed with the name of the account. */
  readonly protected: Setting<boolean>;
  /** Whether writes are refused. */
  readonly readOnly: Setting<boolean>;
  /** Whether output is whole lines, for a screen reader. */
  readonly plain: Setting<boolean>;
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
  readonly env: Io['env'];
  readonly profile: Profile | undefined;
  readonly systemTimeZone: string;
  /** From SALON_API_KEY or SALON_API_KEY_FILE. */
  readonly environmentKey: string | undefined;
  /** Which of the two; undefined for a key that is not saved yet. */
  readonly keyVariable?: string | undefined;
}

/** Resolves all settings. Throws `usage` for an invalid value. */
export function resolveSettings(sources: SettingSources): Settings {
  const { flags, env, profile, environmentKey, keyVariable } = sources;
  const read = <Value>(flag: string | undefined, saved: string | undefined, parse: (text: string) => Value) =>
    parsed(given('flag', flag) ?? given('profile', saved), parse);
  const baseUrl =
    given('flag', flags.baseUrl) ??
    fromEnvironment(env, 'SALON_BASE_URL') ??
    given('profile', profile?.base_url);
  return {
    baseUrl,
    ...resolveNetworkSettings(sources, baseUrl?.value),
    credential:
      (environmentKey === undefined
        ? undefined
        : { value: { key: environmentKey }, source: 'environment', variable: keyVariable }) ??
      given('profile', profile?.credential ?? profile?.oauth),
    format: read(flags.json ? 'json' : flags.format, profile?.format, parseFormat),
    timeZone:
      (isTimeZone(env['TZ'] ?? '') ? fromEnvironment(env, 'TZ') : undefined) ??
      read(undefined, profile?.time_zone, parseTimeZone) ??
      byDefault(sources.systemTimeZone),
    openingHours: read(undefined, profile?.opening_hours, parseOpeningHours),
    timeoutMs:
      read(flags.timeout, profile?.timeout, (text) => parseDurationMs(text, '--timeout')) ??
      byDefault(30_000),
    retries:
      read(flags.retries, profile?.retries?.toString(), (text) => parseRetries(text)) ??
      byDefault(defaultRetries),
    maxWaitMs:
      read(flags.maxWait, profile?.max_wait, (text) => parseDurationMs(text, '--max-wait')) ??
      byDefault(600_000),
    ratePerHour: read(flags.rate, profile?.rate, (text) => parseRate(text)),
    concurrency:
      read(flags.concurrency, profile?.concurrency?.toString(), (text) => parseConcurrency(text)) ??
      byDefault(8),
    protected: given('profile', profile?.protected) ?? byDefault(false),
    readOnly: given('profile', profile?.read_only) ?? byDefault(false),
    plain: resolvePlainSetting(sources),
  };
}

/** Certificates and headers of a profile are for its own origin alone, as its key is. */
function resolveNetworkSettings({ flags, env, profile: saved }: SettingSources, baseUrl: string | undefined) {
  const profile = isSameOrigin(baseUrl, saved?.base_url) ? saved : undefined;
  const variable = 'SALON_HEADERS';
  const shared = env[variable] ? parseHeaders(env[variable], variable) : [];
  return {
    caFile:
      given('flag', flags.caFile) ??
      fromEnvironment(env, 'SALON_CA_FILE') ??
      given('profile', profile?.ca_file),
    clientCert:
      given('flag', flags.clientCert) ??
      fromEnvironment(env, 'SALON_CLIENT_CERT') ??
      given('profile', profile?.client_cert),
    clientKey:
      given('flag', flags.clientKey) ??
      fromEnvironment(env, 'SALON_CLIENT_KEY') ??
      given('profile', profile?.client_key),
    headers: {
      ...toHeaderSettings('profile', Object.entries(profile?.headers ?? {})),
      ...toHeaderSettings('environment', shared, variable),
      ...toHeaderSettings(
        'flag',
        (flags.header ?? []).map((text) => parseHeader(text)),
      ),
    },
  };
}

function isSameOrigin(one: string | undefined, other: string | undefined): boolean {
  const [origin, otherOrigin] = [one, other].map((url) => url && (URL.parse(url)?.origin ?? url));
  return one === other || origin === otherOrigin;
}

function toHeaderSettings(
  source: Source,
  headers: readonly (readonly [string, string])[],
  variable?: string,
): Settings['headers'] {
  return Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), { value, source, variable }]),
  );
}

/** The only setting that is needed without a session, too. */
export function resolvePlainSetting({
  flags,
  env,
  profile,
}: Omit<SettingSources, 'systemTimeZone' | 'environmentKey'>) {
  return (
    given('flag', flags.plain) ??
    parsed(fromEnvironment(env, 'SALON_PLAIN'), isEnabled) ??
    given('profile', profile?.plain) ??
    byDefault(false)
  );
}

/** Parses an IANA zone name, such as `Europe/Berlin`. Throws `usage`. */
export function parseTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new SalonError('usage', `"${text}" is not a time zone.`, {
    hint: 'Use a name such as Europe/Berlin or UTC.',
  });
}

/** Parses weekly hours, such as `mon-fri 9-18, sat 9-14`, into their usual form. Throws `usage`. */
export function parseOpeningHours(text: string): string {
  const week = parseWeekHours(text);
  if (week !== undefined) return renderWeekHours(week);
  throw new SalonError('usage', `"${text}" is not a week of opening hours.`, {
    hint: 'For example "mon-fri 9-18, sat 9-14" or "tue-sat 9:30-13:00 14:00-18:30".',
  });
}

/** Parses a number of retries. Throws `usage` naming the flag or setting. */
export function parseRetries(text: string, name = '--retries'): number {
  const count = Number(text);
  if (/^\d{1,2}$/.test(text)) return count;
  throw new SalonError('usage', `${name} takes a whole number from 0 to 99, not "${text}".`, {
    hint: `The default is ${defaultRetries}.`,
  });
}

function fromEnvironment(env: Io['env'], variable: string): Setting<string> | undefined {
  const setting = given('environment', env[variable]);
  return setting && { ...setting, variable };
}

function given<Value>(source: Source, value: Value | undefined): Setting<Value> | undefined {
  return value === undefined || value === '' ? undefined : { value, source };
}

function byDefault<Value>(value: Value): Setting<Value> {
  return { value, source: 'default' };
}

function parsed<From, To>(
  setting: Setting<From> | undefined,
  parse: (value: From) => To,
): Setting<To> | undefined {
  return setting && { ...setting, value: parse(setting.value) };
}
