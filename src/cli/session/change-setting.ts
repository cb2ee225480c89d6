import { assertHeaders } from '../../client/http/credential.ts';
import { SalonError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/closest.ts';
import type { Io } from '../io.ts';
import { dialectSettings, readDialect, type SavedDialect, setDialectPart } from './configured-dialect.ts';
import type { Profile } from './profile.ts';
import { savedSettings, settableNames, toSavedValue } from './profile.ts';

/**
 * Parses a setting and its value; `default` removes the setting. Reads the file of a dialect. Throws `usage` for an
 * unknown setting; `apply` throws it for an invalid value.
 */
export async function parseSetting(given: string, value: string, io: Pick<Io, 'cwd'>) {
  const [name = '', ...keys] = given.split('.');
  const setting = [name.replaceAll('-', '_'), ...keys].join('.');
  const dialect = setting === 'dialect' ? await readDialect(value, io) : undefined;
  return {
    /** The saved name. */
    setting,
    /** The value as it may be shown. */
    shown: headerSetting.test(setting) && !['none', 'default'].includes(value) ? 'set' : value,
    apply(profile: Profile) {
      const changed = dialect ? withDialect(profile, dialect) : change(profile, setting, value, io.cwd);
      if (changed === undefined) throw unknownSetting(setting);
      return changed;
    },
  };
}

/** A change to a profile, applied to the version that is saved at that moment. */
export type SettingChange = Awaited<ReturnType<typeof parseSetting>>;

const headerSetting = /^header\.(.+)$/;

/** The changed profile; undefined for an unknown setting. */
function change(profile: Profile, setting: string, value: string, cwd: string): Profile | undefined {
  const definition = savedSettings.find(
    ({ profileKey, isSavedByLogin }) => profileKey === setting && !isSavedByLogin,
  );
  const isRemoved = value === 'default' || (value === 'none' && definition?.type === 'path');
  if (definition !== undefined) {
    const { [definition.profileKey]: _former, ...others } = profile;
    // The base URL, which a profile cannot lack, is not among them.
    return (isRemoved ? others : { ...others, [setting]: toSavedValue(definition, value, cwd) }) as Profile;
  }
  const header = headerSetting.exec(setting)?.[1]?.toLowerCase();
  if (header === undefined) {
    const dialect = setDialectPart(profile.dialect ?? {}, setting, value);
    return dialect && withDialect(profile, dialect);
  }
  const { [header]: _former, ...headers } = profile.headers ?? {};
  const given = value === 'none' || value === 'default' ? {} : assertHeaders({ [header]: value });
  return { ...profile, headers: { ...headers, ...given } };
}

function withDialect({ dialect: _former, ...others }: Profile, dialect: SavedDialect): Profile {
  return Object.keys(dialect).length === 0 ? others : { ...others, dialect };
}

function unknownSetting(setting: string): SalonError {
  const question = didYouMean(setting, [...settableNames, ...dialectSettings]);
  return new SalonError('usage', `No setting "${setting}".${question}`, {
    hint: `Settings: ${settableNames.join(', ')}`,
  });
}
