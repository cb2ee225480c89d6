import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import {
  parseBooleanFlag,
  parseConcurrency,
  parseDurationMs,
  parseFormat,
  parseRate,
} from '../flags/values.ts';
import type { Io } from '../io.ts';
import { readDialect } from './configured-dialect.ts';
import { dialectSettings, type SavedDialect, setDialectPart } from './dialect-settings.ts';
import { isSecretSetting, setNetwork } from './network-settings.ts';
import type { Profile } from './profiles.ts';
import { mainSettings, networkSettingNames, type PlainSetting, plainSettingNames } from './setting-names.ts';
import { parseOpeningHours, parseRetries, parseTimeZone } from './settings.ts';

/** Parses the value of a setting, as the profile keeps it. Throws `usage`. */
type Parse = (value: string) => Profile[PlainSetting];

const plainSettings: Readonly<Record<PlainSetting, Parse>> = {
  time_zone: parseTimeZone,
  opening_hours: parseOpeningHours,
  format: (value) => parseFormat(value, 'format'),
  timeout: (value) => checked(value, (text) => parseDurationMs(text, 'timeout')),
  max_wait: (value) => checked(value, (text) => parseDurationMs(text, 'max_wait')),
  rate: (value) => checked(value, (text) => parseRate(text, 'rate')),
  concurrency: (value) => parseConcurrency(value, 'concurrency'),
  retries: (value) => parseRetries(value, 'retries'),
  protected: (value) => parseBooleanFlag(value, 'protected'),
  read_only: (value) => parseBooleanFlag(value, 'read_only'),
  plain: (value) => parseBooleanFlag(value, 'plain'),
};

const allSettings = [...plainSettingNames, ...networkSettingNames, ...dialectSettings];

/** A change to a profile, applied to the version that is saved at that moment. */
export interface SettingChange {
  /** The saved name. */
  readonly setting: string;
  /** The value as it may be shown. */
  readonly shown: string;
  apply(profile: Profile): Profile;
}

/**
 * Parses a setting and its value; `default` removes the setting. Reads the file of a dialect. Throws `usage` for an
 * unknown setting; `apply` throws it for an invalid value.
 */
export async function parseSetting(
  given: string,
  value: string,
  io: Pick<Io, 'cwd'>,
): Promise<SettingChange> {
  const [name = '', ...keys] = given.split('.');
  const setting = [name.replaceAll('-', '_'), ...keys].join('.');
  const dialect = setting === 'dialect' ? await readDialect(value, io) : undefined;
  return {
    setting,
    shown: isSecretSetting(setting) && !['none', 'default'].includes(value) ? 'set' : value,
    apply(profile) {
      const changed = dialect ? withDialect(profile, dialect) : change(profile, setting, value, io.cwd);
      if (changed === undefined) throw unknownSetting(setting);
      return changed;
    },
  };
}

function change(profile: Profile, setting: string, value: string, cwd: string): Profile | undefined {
  if (Object.hasOwn(plainSettings, setting)) {
    const name = setting as PlainSetting;
    const { [name]: _former, ...others } = profile;
    return value === 'default' ? others : { ...others, [name]: plainSettings[name](value) };
  }
  const network = setNetwork(profile, setting, { value: value === 'default' ? 'none' : value, cwd });
  if (network !== undefined) return network;
  const dialect = setDialectPart(profile.dialect ?? {}, setting, value);
  return dialect && withDialect(profile, dialect);
}

function withDialect({ dialect: _former, ...others }: Profile, dialect: SavedDialect): Profile {
  return Object.keys(dialect).length === 0 ? others : { ...others, dialect };
}

function unknownSetting(setting: string): SalonError {
  const near = closest(setting, allSettings);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  return new SalonError('usage', `No setting "${setting}".${question}`, {
    hint: `Settings: ${mainSettings.join(', ')}`,
  });
}

function checked(text: string, parse: (text: string) => unknown): string {
  parse(text);
  return text;
}
