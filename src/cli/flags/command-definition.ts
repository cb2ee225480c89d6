import type { Command } from 'commander';
import { ancestry } from '../command-line.ts';
import {
  type ArgumentDefinition,
  createOption,
  DefinedArgument,
  FlagOption,
  type FlagTable,
  type SettingFlag,
} from './flag.ts';

/** What command lines are for. */
export type Examples = Readonly<Record<string, string>>;

/** Everything about a command but what it does. Help, completion, manual pages and `help --json` are made from it. */
export interface CommandDefinition<Table extends FlagTable = FlagTable> {
  /** Left out where the list of commands in the program has it. */
  readonly description?: string;
  /** Another spelling. */
  readonly alias?: string | undefined;
  /** By name as commander takes it, such as `[client...]`. */
  readonly args?: Readonly<Record<string, ArgumentDefinition>>;
  readonly flags?: Table;
  /** Flags of settings that the handler reads together with their variables. */
  readonly settings?: readonly SettingFlag[];
  readonly examples: Examples;
  /** Below the flags in help. */
  readonly notes?: string;
  /** What it can change, where `--confirm` does not say that it is the salon; `the receiver` is where it sends events. */
  readonly changes?: 'this machine' | 'the salon' | 'the receiver';
  /** The command that reverses it, where one does. */
  readonly undo?: string;
  /** Extensions of `--output` that no other command writes, such as `.html`. */
  readonly extensions?: readonly string[];
}

/** A definition that also says what it changes. */
export type DefinedCommand = Omit<CommandDefinition, 'changes'> & {
  readonly changes: 'nothing' | Required<CommandDefinition>['changes'];
};

const definitions = new WeakMap<Command, DefinedCommand>();

/** The words of the command line that a tree of commands is for. */
const wordsOf = new WeakMap<Command, readonly string[]>();

/** Of the commands of a program, only those among the words get arguments and flags. */
export function limitTo(words: readonly string[], program: Command): void {
  wordsOf.set(program, words);
}

function isNamed(command: Command): boolean {
  const words = wordsOf.get(ancestry(command).at(-1) ?? command);
  return words === undefined || [command.name(), ...command.aliases()].some((name) => words.includes(name));
}

/** Gives a command what its definition says. */
export function defineCommand(command: Command, definition: CommandDefinition): Command {
  const { description, alias, args = {}, flags = {}, settings = [], notes } = definition;
  definitions.set(command, { changes: 'confirm' in flags ? 'the salon' : 'nothing', ...definition });
  if (description !== undefined) command.description(description);
  if (alias !== undefined) command.alias(alias);
  if (!isNamed(command)) return command;
  for (const [name, argument] of Object.entries(args))
    command.addArgument(new DefinedArgument(name, argument));
  for (const [key, flag] of Object.entries(flags)) command.addOption(new FlagOption(flag, key));
  for (const setting of settings) command.addOption(createOption(setting));
  return notes === undefined ? command : command.addHelpText('after', `\n${notes}`);
}

/** Undefined for a command that only has others below it. */
export function definitionOf(command: Command): DefinedCommand | undefined {
  return definitions.get(command);
}
