import { type Command, Option } from 'commander';
import type { FlagsOf, SettingDefinition } from '../../settings.ts';
import { settingGroups, type settingTable } from './settings.ts';

/** Flags of a command that prints many records. */
export interface ListFlags extends PrintFlags {
  readonly limit?: string;
  readonly sort?: string;
  readonly param?: readonly string[];
}

/** Flags of a list that can be exported. */
export interface ExportFlags extends ListFlags {
  readonly consistent?: boolean;
  readonly manifest?: boolean;
  readonly sinceLast?: boolean;
  readonly state?: string;
  readonly overlap?: string;
  readonly shard?: string;
}

/** Flags of a command that prints records. */
export interface PrintFlags {
  readonly columns?: string;
  readonly output?: string;
  readonly excel?: boolean;
}

/** Flags of a command that writes one record. */
export interface WriteFlags {
  readonly set?: readonly string[];
  readonly data?: string;
  readonly dryRun?: boolean;
}

/** Flags of a command that changes one record. */
export interface ChangeFlags extends WriteFlags {
  readonly partial?: boolean;
  readonly exitCode?: boolean;
}

/** The flags of every command. */
export type GlobalFlags = FlagsOf<typeof settingTable>;

/** Flags that mean the same on every command, before or after it. */
export function addGlobalOptions(program: Command): Command {
  for (const [group, definitions] of Object.entries(settingGroups)) {
    for (const definition of Object.values<SettingDefinition>(definitions)) {
      if (definition.flag === undefined || definition.commands !== undefined) continue;
      program.addOption(createOption(definition).helpGroup(`${group}:`));
    }
  }
  return program;
}

/** The flag of a setting. Its default is only shown, so that what is not given can still come from elsewhere. */
export function createOption(definition: SettingDefinition): Option {
  const { flag = '', variable, help, choices, default: usual } = definition;
  const option = new Option(flag, variable === undefined ? help : `${help} (${variable})`);
  if (choices !== undefined) option.choices(choices);
  if (definition.type === 'list') option.argParser(collect);
  if (flag.includes(' <a,b>')) option.argParser(joinLists);
  const isSwitch = !flag.includes('<');
  return usual === undefined || isSwitch ? option : option.default(undefined, usual);
}

export function addPrintOptions(command: Command): Command {
  return command
    .option('-c, --columns <a,b,c>', 'Columns to show; +all for every column', joinLists)
    .option('-o, --output <file>', 'Write to a file, in the format of its extension')
    .option('--excel', 'CSV for spreadsheets: local times, decimals');
}

export function addListOptions(command: Command): Command {
  return addPlainListOptions(command).option('--sort <field>', 'Sort by a field; -field for descending');
}

/** For lists with a fixed order. */
export function addPlainListOptions(command: Command): Command {
  return addPrintOptions(command)
    .option('--limit <n>', 'Stop after n records')
    .option('--param <name=value>', 'Extra query parameter, sent unchanged; repeatable', collect);
}

/** For lists that can be exported, whole or only what changed. */
export function addExportOptions(command: Command): Command {
  return addWholeListOptions(command)
    .option('--since-last', 'Export changes since the last run; needs --state')
    .option('--state <file>', 'File where --since-last saves its position')
    .addOption(new Option('--overlap <time>', 'Overlap with the last run (default: 2m)').hideHelp());
}

/** For lists that can be exported whole. */
export function addWholeListOptions(command: Command): Command {
  return addListOptions(command)
    .option('--consistent', 'Read until two passes agree (at most 5 passes)')
    .option('--manifest', 'Write counts and a checksum to <file>.manifest.json')
    .option('--shard <i/n>', 'Write only part i of n, e.g. 2/4');
}

export function addWriteOptions(command: Command): Command {
  return command
    .option('--set <field=value>', 'Set a field; field:=json for JSON; repeatable', collect)
    .option('--data <json>', 'Fields as JSON, @file, or - for stdin')
    .option('-n, --dry-run', 'Check and show what would be sent; change nothing');
}

/** For commands that change one record. */
export function addChangeOptions(command: Command): Command {
  return addWriteOptions(command)
    .option('--partial', 'Send only changed fields, if the server merges them')
    .option('--exit-code', 'With --dry-run: exit with 9 if anything would change');
}

/** For commands that ask before they change something on this machine. */
export function addYesOption(command: Command): Command {
  return command.option('-y, --yes', 'Do not ask for confirmation');
}

/** For commands that change a salon without asking, unless the profile is protected. */
export function addConfirmOption(command: Command): Command {
  return command.option('--confirm <account>', 'Account name or ID, for protected profiles');
}

/** For commands that ask before they change a salon. */
export function addConfirmationOptions(command: Command): Command {
  return addConfirmOption(addYesOption(command));
}

/** Parser of an option with a comma-separated list, which may be given several times. */
export function joinLists(value: string, before?: string): string {
  return before === undefined ? value : `${before},${value}`;
}

/** Parser of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const extensions = new WeakMap<Command, readonly string[]>();

/** Lets `--output` of a command name files that no other command writes, such as `.html`. */
export function addExtensions(command: Command, others: readonly string[]): Command {
  extensions.set(command, others);
  return command;
}

export function extensionsOf(command: Command): readonly string[] {
  return extensions.get(command) ?? [];
}
