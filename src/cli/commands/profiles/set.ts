import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples } from '../../options.ts';
import type { Outcome } from '../../outcome.ts';
import { parsePatience, parseRate } from '../../parse/duration.ts';
import { closest } from '../../parse/suggest.ts';
import { parseConcurrency, parseFormat } from '../../parse/values.ts';
import type { Profile } from '../../profiles.ts';
import { requireProfile } from '../../session.ts';
import { parseRetries, parseTimeZone } from '../../settings.ts';

type Change = (profile: Profile, value: string) => Profile;

/** Every setting a person may give by hand, and how its text is checked. */
const settings: Readonly<Record<string, Change>> = {
  time_zone: (profile, value) => ({ ...profile, time_zone: parseTimeZone(value) }),
  format: (profile, value) => ({ ...profile, format: parseFormat(value, 'format') }),
  timeout: (profile, value) => ({
    ...profile,
    timeout: checked(value, (text) => parsePatience(text, 'timeout')),
  }),
  max_wait: (profile, value) => ({
    ...profile,
    max_wait: checked(value, (text) => parsePatience(text, 'max_wait')),
  }),
  rate: (profile, value) => ({ ...profile, rate: checked(value, (text) => parseRate(text, 'rate')) }),
  concurrency: (profile, value) => ({ ...profile, concurrency: parseConcurrency(value, 'concurrency') }),
  retries: (profile, value) => ({ ...profile, retries: parseRetries(value, 'retries') }),
  prefix: (profile, value) => ({ ...profile, dialect: { ...profile.dialect, prefix: parsePrefix(value) } }),
};

export function registerProfilesSet(parent: Command, frame: Frame): void {
  const command = parent
    .command('set')
    .argument('<name>', 'a profile')
    .argument('<setting>', Object.keys(settings).join(', '))
    .argument('<value>')
    .description('Change a setting of a profile');
  addExamples(command, [
    ['salon profiles set shop time_zone Europe/Berlin', 'days and times are the salon’s, wherever you are'],
    ['salon profiles set shop timeout 60s', 'more patience with a slow server'],
    ['salon profiles set shop rate 3000/h', 'leave the rest of the plan to others'],
  ]);
  command.action(frame.action(setProfile));
}

async function setProfile(call: Call, name: string, setting: string, value: string): Promise<Outcome> {
  const store = await call.profiles();
  const profile = requireProfile(store, name);
  const change = Object.hasOwn(settings, setting) ? settings[setting] : undefined;
  if (change === undefined) throw unknownSetting(setting);
  store.save(name, change(profile, value));
  return { show: 'nothing', said: `Profile ${name}: ${setting} is ${value}.` };
}

function unknownSetting(setting: string): SalonError {
  const names = Object.keys(settings);
  const near = closest(setting, names);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  return new SalonError('usage', `There is no setting "${setting}".${question}`, {
    hint: `Settings: ${names.join(', ')}`,
  });
}

function checked(text: string, parse: (text: string) => unknown): string {
  parse(text);
  return text;
}

function parsePrefix(text: string): string {
  if (/^(?:\/[A-Za-z0-9._~-]+)*$/.test(text)) return text;
  throw new SalonError('usage', `prefix cannot be "${text}".`, {
    hint: 'A path such as /api/v1, or nothing.',
  });
}
