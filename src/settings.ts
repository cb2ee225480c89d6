import { SalonError } from './contract/errors.ts';

/**
 * One setting of a program. Flags and their help, completion, profiles, `salon doctor`, error messages and the tables of
 * docs/settings.md are made from it.
 */
export interface SettingDefinition {
  readonly help: string;
  /** As commander takes it, such as `-p, --profile <name>`. A flag `--name <a,b>` may be repeated. */
  readonly flag?: string;
  /** The commands that have the flag, where not every command of the program has it. */
  readonly commands?: string;
  /** The environment variable. A flag wins over it. */
  readonly variable?: string;
  /** The default, written as a flag would be. */
  readonly default?: string;
  readonly choices?: readonly string[];
  /** A text where left out. A path is saved in full; a list is a flag that may be repeated, a map has members. */
  readonly type?: 'path' | 'integer' | 'boolean' | 'list' | 'map';
  /** A secret is never shown. */
  readonly isSecret?: boolean;
  /** Parses a text; without it the text is the value. Throws `usage` with `name`: the flag, variable or profile setting. */
  parse?(text: string, name: string): unknown;
}

/** What `parse` of a setting returns. */
export type SettingValue<Definition> = Definition extends { parse: (...args: never[]) => infer Value }
  ? Value
  : string;

type FlagValue<Definition> = Definition extends { type: 'boolean' }
  ? boolean
  : Definition extends { type: 'list' }
    ? readonly string[]
    : string;

/** The flags of a table of settings, as commander parses them. One such as --no-color is false when it is given. */
export type FlagsOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends { flag: string; commands?: never }
    ? Name
    : never]?: FlagValue<Table[Name]>;
};

/** The long name of a flag, such as `--profile`. */
export function toFlagName({ flag = '' }: SettingDefinition): string {
  return /--[a-z-]+/.exec(flag)?.[0] ?? '';
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The text of the setting's variable. An empty variable counts as none. The command line refuses those that are no switch. */
export function readVariable({ variable }: SettingDefinition, env: EnvironmentVariables): string | undefined {
  return (variable === undefined ? undefined : env[variable]) || undefined;
}

/** The value of a flag, else of the variable, else the default. Throws `usage`, naming the flag or variable. */
export function readSetting<Definition extends SettingDefinition>(
  definition: Definition,
  flag: string | undefined,
  env: EnvironmentVariables,
): SettingValue<Definition> | (Definition extends { default: string } ? never : undefined) {
  const fromEnvironment = flag === undefined ? readVariable(definition, env) : undefined;
  const text = flag ?? fromEnvironment ?? definition.default;
  const name = fromEnvironment === undefined ? toFlagName(definition) : (definition.variable ?? '');
  const value = text === undefined || definition.parse === undefined ? text : definition.parse(text, name);
  return value as SettingValue<Definition>;
}

/** Whether a switch is on, by its flag or its variable. One such as --no-input is on unless either turns it off. */
export function isSwitchedOn(
  definition: SettingDefinition,
  flag: boolean | undefined,
  env: EnvironmentVariables,
): boolean {
  const isNamed = isEnabled(readVariable(definition, env));
  return toFlagName(definition).startsWith('--no-') ? flag !== false && !isNamed : flag === true || isNamed;
}

/** Whether the text of a variable turns something on. */
export function isEnabled(text: string | undefined): boolean {
  return text !== undefined && text !== '' && text !== '0' && text !== 'false';
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

// Node's timers fire at once where the delay is longer.
const maxMs = 2_147_483_647;

/** `500ms`, `30s`, `10m` or `1h` as milliseconds. Throws `usage`, naming the flag. */
export function parseDurationMs(text: string, flag: string): number {
  const [, amount, unit = ''] = /^(\d{1,10}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? [];
  const timeMs = Math.round(Number(amount) * (unitMs[unit] ?? Number.NaN));
  if (timeMs > maxMs) throw new SalonError('usage', `${flag} can be at most 24 days, not "${text}".`);
  if (timeMs >= 0) return timeMs;
  throw new SalonError('usage', `${flag} needs a time with a unit, not "${text}".`, {
    hint: 'For example 500ms, 30s, 10m or 1h.',
  });
}

/** `page_parameter` for `pageParameter`. */
export function toSettingName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
