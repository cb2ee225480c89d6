import { SalonError } from '../../contract/errors.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Session } from '../session/session.ts';
import type { Setting } from '../session/settings.ts';
import { type Check, failed, passed, warned } from './check.ts';

/** The profile in use, and where the base URL comes from. */
export function checkProfile({ profileName, settings }: Session, { flags, io }: CommandContext): Check {
  const { baseUrl } = settings;
  if (baseUrl === undefined) {
    const hint = 'Run "salon demo" or "salon auth login".';
    return failed('profile', new SalonError('usage', 'Not connected to a salon', { hint }));
  }
  const why = flags.profile ? '--profile' : io.env['SALON_PROFILE'] ? 'SALON_PROFILE' : 'the current one';
  const profile = profileName === undefined ? 'none' : `${profileName} (${why})`;
  return passed(
    'profile',
    `${profile}; base URL ${baseUrl.value} from ${baseUrl.variable ?? `the ${baseUrl.source}`}`,
    {
      profile: profileName ?? null,
      base_url: baseUrl.value,
      base_url_from: baseUrl.source,
    },
  );
}

/** Where each setting comes from that is not the default. */
export function checkSettings({ settings, profile }: Session): Check {
  const sources = listSources(settings);
  const dialect = Object.keys(profile?.dialect ?? {}).map(
    (part) => [`dialect.${part}`, 'profile', undefined] as const,
  );
  const all = [...sources, ...dialect];
  const text = all.map(([name, source, variable = source]) => `${name} (${variable})`).join(', ');
  const details = Object.fromEntries(all.map(([name, source]) => [name, source]));
  const { source, variable } = settings.credential ?? {};
  if (source !== 'environment' || !(profile?.credential ?? profile?.oauth)) {
    return passed('settings', text === '' ? 'All are defaults' : text, details);
  }
  const hint = `${variable} wins over the stored sign-in. To use that, unset ${variable}.`;
  return warned('settings', text, { hint, details });
}

function listSources(settings: Session['settings']): (readonly [string, string, string | undefined])[] {
  const { headers, credential, baseUrl: _baseUrl, ...others } = settings;
  const given = Object.entries({ key: credential, ...others }) as [string, Setting<unknown> | undefined][];
  return [
    ...given.map(
      ([name, setting]) => [toSettingName(name), setting?.source ?? 'default', setting?.variable] as const,
    ),
    ...Object.entries(headers).map(
      ([name, { source, variable }]) => [`header.${name}`, source, variable] as const,
    ),
  ].filter(([, source]) => source !== 'default');
}

function toSettingName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether there is a key for this salon. */
export function checkKeyIsSet({ settings }: Session): Check | undefined {
  if (settings.credential !== undefined) return undefined;
  const hint = 'Run "salon auth login", or set SALON_API_KEY.';
  return failed('key', new SalonError('not_signed_in', 'Not signed in to this salon', { hint }));
}
