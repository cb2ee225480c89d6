import { Argument, type Command, Option } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import { type SettingDefinition, toFlagName } from '../../settings.ts';

/** What completion offers: words, what only this machine, the salon or the command's noun knows, or files after a mark. */
export type Completer =
  | readonly string[]
  | (() => Promise<readonly string[]>)
  | 'profiles'
  | 'stylists'
  | 'stylists after with'
  | 'jobs'
  | 'aliases'
  | 'settings'
  | 'paths'
  | 'periods'
  | 'columns'
  | 'fields'
  | 'sort fields'
  | 'statuses'
  | { readonly filesAfter: string };

/**
 * A flag of a command. Its key in a table is its name in the flags of a handler. `default` is the text that counts where
 * the flag is not given. `parse` may throw `usage`, and may return a promise.
 */
export interface FlagDefinition extends SettingDefinition {
  readonly flag: string;
  readonly complete?: Completer;
  /** The heading in help. */
  readonly group?: string;
  /** Few people need it. */
  readonly isAdvanced?: true;
  /** Left out of help. */
  readonly isHidden?: true;
  readonly isRequired?: true;
  /** The key of a flag that cannot be given as well. */
  readonly conflicts?: string;
}

/** The flag of a setting that its command or help treats as any other. */
export type SettingFlag = SettingDefinition & Partial<Pick<FlagDefinition, 'complete' | 'isAdvanced'>>;

export type FlagTable = Readonly<Record<string, FlagDefinition>>;

type OneValue<Definition> = Definition extends { parse(...args: never[]): infer Value }
  ? Awaited<Value>
  : Definition extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type Value<Definition extends FlagDefinition> = Definition['flag'] extends `${string}<${string}`
  ? Definition extends { type: 'list' }
    ? readonly OneValue<Definition>[]
    : OneValue<Definition>
  : boolean;

type GivenKeys<Table extends FlagTable> = {
  [Key in keyof Table]: Table[Key] extends { isRequired: true } | { default: string } ? Key : never;
}[keyof Table];

/** What a handler gets: the parsed values of the flags that are given, or have a default. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Key in GivenKeys<Table>]: Value<Table[Key]>;
} & {
  readonly [Key in Exclude<keyof Table, GivenKeys<Table>>]?: Value<Table[Key]>;
};

/** A flag with its table entry. One of a setting has no key: its text is not parsed, since it may come from elsewhere. */
export class FlagOption extends Option {
  readonly key: string | undefined;
  readonly definition: FlagDefinition;

  constructor(definition: FlagDefinition, key?: string) {
    super(definition.flag, definition.help);
    this.key = key;
    this.definition = definition;
    const { choices, isHidden, isRequired, conflicts, group, default: usual } = definition;
    // A flag such as --no-email is true when it is given, whether or not there is an --email.
    if (key !== undefined) this.negate = false;
    if (choices !== undefined) this.choices(choices);
    if (isRequired) this.makeOptionMandatory();
    if (conflicts !== undefined) this.conflicts(conflicts);
    if (group !== undefined) this.helpGroup(group);
    this.hideHelp(isHidden === true);
    if (this.isRepeatable)
      this.argParser((value, before: readonly string[] = []): readonly string[] => [...before, value]);
    else if (definition.flag.includes(' <a,b'))
      this.argParser((value, before?: string) => (before === undefined ? value : `${before},${value}`));
    const parse = this.parseArg;
    this.argParser((value, before: unknown) => {
      assertGiven(value, this.long ?? this.flags);
      return parse === undefined ? value : parse(value, before);
    });
    // Only shown: what is not given can still come from elsewhere.
    if (usual !== undefined && this.required) this.default(undefined, usual);
  }

  /** The value as help names it, such as `file`; undefined for a switch. */
  get placeholder(): string | undefined {
    return /<(.+)>/.exec(this.flags)?.[1];
  }

  get isRepeatable(): boolean {
    return this.definition.type === 'list';
  }

  override attributeName(): string {
    return this.key ?? super.attributeName();
  }
}

/** The flag of a setting. */
export function createOption({ flag = '', help, ...definition }: SettingFlag): FlagOption {
  const { variable } = definition;
  return new FlagOption({
    ...definition,
    flag,
    help: variable === undefined ? help : `${help} (${variable})`,
  });
}

/**
 * Throws `usage` for a value that is empty or blank. It usually comes from something that is not set, and taken for no
 * value it would mean everything, or another salon.
 */
export function assertGiven(value: string | undefined, name: string, hint = unsetHint): void {
  if (value?.trim() === '') throw new SalonError('usage', `${name} is empty.`, { hint });
}

const unsetHint = 'If the value comes from a variable, that variable is not set. Set it, or leave this out.';

/** The values of all flags of a command, parsed as its tables say. Throws what a parser throws. */
export async function readFlagValues(command: Command): Promise<Record<string, unknown>> {
  const values = command.optsWithGlobals();
  for (const option of command.options) {
    if (!(option instanceof FlagOption) || option.key === undefined) continue;
    const { key, definition } = option;
    const given: unknown = values[key] ?? definition.default;
    if (given === undefined) continue;
    const parse = (text: string) => definition.parse?.(text, toFlagName(definition)) ?? text;
    if (typeof given === 'string') values[key] = await parse(given);
    else if (Array.isArray(given)) values[key] = await Promise.all(given.map(parse));
  }
  return values;
}

/** An argument of a command: what it is, or that and what it can be. */
export type ArgumentDefinition =
  | string
  | {
      readonly help?: string;
      readonly choices?: readonly string[];
      readonly default?: string;
      /** Named in help and completion, while others are accepted, too. */
      readonly suggested?: readonly string[];
      readonly complete?: Completer;
    };

/** An argument with the table entry that it comes from. */
export class DefinedArgument extends Argument {
  readonly complete: Completer | undefined;

  constructor(name: string, definition: ArgumentDefinition) {
    const known: Exclude<ArgumentDefinition, string> =
      typeof definition === 'string' ? { help: definition } : definition;
    const { help = '', choices, suggested, default: usual } = known;
    super(name, help);
    this.complete = known.complete;
    if (choices !== undefined) this.choices(choices);
    if (suggested !== undefined) this.argChoices = [...suggested];
    if (usual !== undefined) this.default(usual);
  }
}

/** The same flags under another heading of help. */
export function under<Table extends FlagTable>(group: string, table: Table): Table {
  return mapTable(table, (definition) => ({ ...definition, group }));
}

/** The same flags, where help has no room for them. */
export function withoutHelp<Table extends FlagTable>(table: Table): Table {
  return mapTable(table, (definition) => ({ ...definition, isHidden: true }));
}

function mapTable<Table extends FlagTable>(
  table: Table,
  map: (one: FlagDefinition) => FlagDefinition,
): Table {
  return Object.fromEntries(Object.entries(table).map(([key, one]) => [key, map(one)])) as Table;
}
