import { SalonError } from '../../contract/errors.ts';
import { isTimeZone } from '../flags/days.ts';
import { parsePatience, parseRate } from '../flags/duration.ts';
import { type Format, parseConcurrency, parseFormat } from '../flags/values.ts';
import type { Io } from '../io.ts';
import type { Profile } from './profiles.ts';

/** Where a value came from. Flags win over the environment, it over the profile, and that over the default. */
export type Source = 'flag' | 'environment' | 'profile' | 'default';

export interface Setting<Value> {
  readonly value: Value;
  readonly source: Source;
}

/** The flags every command takes, as commander hands them over. */
export interface GlobalFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly format?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly debug?: boolean;
  readonly timeout?: string;
  readonly retries?: string;
  readonly maxWait?: string;
  readonly rate?: string;
  readonly concurrency?: string;
  readonly color?: boolean;
  readonly input?: boolean;
  readonly pager?: boolean;
  readonly plain?: boolean;
}

/** What one invocation works with. */
export interface Settings {
  readonly baseUrl: Setting<string> | undefined;
  readonly credential: Setting<Credential> | undefined;
  /** Undefined: a table on a terminal, tab-separated values in a pipe. */
  readonly format: Setting<Format> | undefined;
  readonly timeZone: Setting<string>;
  readonly timeoutMs: Setting<number>;
  readonly retries: Setting<number>;
  readonly maxWaitMs: Setting<number>;
  /** Requests an hour; undefined: as many as the server allows. */
  readonly ratePerHour: Setting<number> | undefined;
  readonly concurrency: Setting<number>;
  /** Whether every write wants the account named. */
  readonly protected: Setting<boolean>;
  /** Whether nothing that writes is sent. */
  readonly readOnly: Setting<boolean>;
  /** Whether people get whole lines one after the other, which a screen reader can read out. */
  readonly plain: Setting<boolean>;
}

/** A key, and the origin it was stored for; one from the environment goes wherever the command goes. */
export interface Credential {
  readonly key: string;
  readonly origin?: string;
}

export interface SettingSources {
  readonly flags: GlobalFlags;
  readonly env: Io['env'];
  readonly profile: Profile | undefined;
  readonly systemTimeZone: string;
  /** The key of SALON_API_KEY or SALON_API_KEY_FILE, already read. */
  readonly environmentKey: string | undefined;
}

/** Resolves every setting once, with where it came from. Throws `usage` for a value that is not right. */
export function resolveSettings(sources: SettingSources): Settings {
  const { flags, env, profile } = sources;
  const zoneOfEnvironment = env['TZ'] !== undefined && isTimeZone(env['TZ']) ? env['TZ'] : undefined;
  return {
    baseUrl:
      given('flag', flags.baseUrl) ??
      given('environment', env['SALON_BASE_URL']) ??
      given('profile', profile?.base_url),
    credential: given('environment', environmentCredential(sources)) ?? given('profile', profile?.credential),
    format: parsed(
      given('flag', flags.json ? 'json' : flags.format) ?? given('profile', profile?.format),
      parseFormat,
    ),
    timeZone:
      given('environment', zoneOfEnvironment) ??
      parsed(given('profile', profile?.time_zone), parseTimeZone) ??
      byDefault(sources.systemTimeZone),
    timeoutMs:
      parsed(given('flag', flags.timeout) ?? given('profile', profile?.timeout), (text) =>
        parsePatience(text, '--timeout'),
      ) ?? byDefault(30_000),
    retries:
      parsed(given('flag', flags.retries) ?? given('profile', profile?.retries?.toString()), (text) =>
        parseRetries(text),
      ) ?? byDefault(2),
    maxWaitMs:
      parsed(given('flag', flags.maxWait) ?? given('profile', profile?.max_wait), (text) =>
        parsePatience(text, '--max-wait'),
      ) ?? byDefault(600_000),
    ratePerHour: parsed(given('flag', flags.rate) ?? given('profile', profile?.rate), (text) =>
      parseRate(text),
    ),
    concurrency:
      parsed(given('flag', flags.concurrency) ?? given('profile', profile?.concurrency?.toString()), (text) =>
        parseConcurrency(text),
      ) ?? byDefault(8),
    protected: given('profile', profile?.protected) ?? byDefault(false),
    readOnly: given('profile', profile?.read_only) ?? byDefault(false),
    plain: readPlain(sources),
  };
}

/** Whether output is to be plain; the only setting that is also asked for where there may be no salon. */
export function readPlain({
  flags,
  env,
  profile,
}: Omit<SettingSources, 'systemTimeZone' | 'environmentKey'>) {
  return (
    given('flag', flags.plain) ??
    parsed(given('environment', env['SALON_PLAIN']), isOn) ??
    given('profile', profile?.plain) ??
    byDefault(false)
  );
}

/** What a variable of the environment says that is on or off. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** An IANA zone name, such as `Europe/Berlin`. Throws `usage` for anything else. */
export function parseTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new SalonError('usage', `"${text}" is not a time zone.`, {
    hint: 'Use a name such as Europe/Berlin or UTC.',
  });
}

/** How often a request is tried again. Throws `usage`, naming the flag or setting. */
export function parseRetries(text: string, name = '--retries'): number {
  const count = Number(text);
  if (/^\d{1,2}$/.test(text)) return count;
  throw new SalonError('usage', `${name} takes a whole number from 0 to 99, not "${text}".`, {
    hint: 'The default is 2.',
  });
}

function environmentCredential(sources: SettingSources): Credential | undefined {
  return sources.environmentKey === undefined ? undefined : { key: sources.environmentKey };
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
  return setting && { value: parse(setting.value), source: setting.source };
}
