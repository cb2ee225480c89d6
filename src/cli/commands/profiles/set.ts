import { Argument, type Command } from 'commander';
import { closest } from '../../../contract/closest.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  parseBooleanFlag,
  parseConcurrency,
  parseDurationMs,
  parseFormat,
  parseRate,
} from '../../flags/values.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { dialectSettings, setDialect } from '../../session/dialect-settings.ts';
import { isSecretSetting, networkSettings, setNetwork } from '../../session/network-settings.ts';
import type { Profile } from '../../session/profiles.ts';
import { requireProfile } from '../../session/session.ts';
import { parseRetries, parseTimeZone } from '../../session/settings.ts';

type Change = (profile: Profile, value: string) => Profile;

/** The settings of a profile, each with its check. */
const settings: Readonly<Record<string, Change>> = {
  time_zone: (profile, value) => ({ ...profile, time_zone: parseTimeZone(value) }),
  format: (profile, value) => ({ ...profile, format: parseFormat(value, 'format') }),
  timeout: (profile, value) => ({
    ...profile,
    timeout: checked(value, (text) => parseDurationMs(text, 'timeout')),
  }),
  max_wait: (profile, value) => ({
    ...profile,
    max_wait: checked(value, (text) => parseDurationMs(text, 'max_wait')),
  }),
  rate: (profile, value) => ({ ...profile, rate: checked(value, (text) => parseRate(text, 'rate')) }),
  concurrency: (profile, value) => ({ ...profile, concurrency: parseConcurrency(value, 'concurrency') }),
  retries: (profile, value) => ({ ...profile, retries: parseRetries(value, 'retries') }),
  protected: (profile, value) => ({ ...profile, protected: parseBooleanFlag(value, 'protected') }),
  read_only: (profile, value) => ({ ...profile, read_only: parseBooleanFlag(value, 'read_only') }),
  plain: (profile, value) => ({ ...profile, plain: parseBooleanFlag(value, 'plain') }),
};

const settingNames: readonly string[] = [...Object.keys(settings), ...networkSettings, ...dialectSettings];

export function registerProfilesSet(parent: Command, runner: ActionRunner): void {
  const setting = new Argument('<setting>');
  // Only for help and completion: read-only is accepted too.
  setting.argChoices = [...settingNames];
  const command = parent
    .command('set')
    .argument('<profile>', 'profile')
    .addArgument(setting)
    .argument('<value>')
    .description('Change a setting of a profile');
  addExamples(command, [
    ['salon profiles set shop time_zone Europe/Berlin', "Show times in the salon's time zone"],
    ['salon profiles set shop protected true', 'Require --confirm for every write'],
    ['salon profiles set shop filter.start_time_from date_from', 'Adapt to another server'],
  ]);
  command.action(runner.action(setProfile));
}

async function setProfile(
  context: CommandContext,
  name: string,
  given: string,
  value: string,
): Promise<CommandResult> {
  const setting = given.startsWith('header.') ? given : given.replaceAll('-', '_');
  const store = await context.profiles();
  await store.change((profiles) => {
    const profile = requireProfile(profiles, name);
    const changed = Object.hasOwn(settings, setting)
      ? settings[setting]?.(profile, value)
      : (setNetwork(profile, setting, { value, cwd: context.io.cwd }) ?? setDialect(profile, setting, value));
    if (changed === undefined) throw unknownSetting(setting);
    profiles.save(name, changed);
  });
  const shown = isSecretSetting(setting) ? 'set' : value;
  return { show: 'nothing', message: `Profile ${name}: ${setting} is ${shown}.` };
}

function unknownSetting(setting: string): SalonError {
  const near = closest(setting, settingNames);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  return new SalonError('usage', `No setting "${setting}".${question}`, {
    hint: `Settings: ${settingNames.join(', ')}`,
  });
}

function checked(text: string, parse: (text: string) => unknown): string {
  parse(text);
  return text;
}
