import type { Argument, Command, Option } from 'commander';
import { collect } from '../flags/options.ts';
import { toValue, type Value } from './values.ts';

/** One command as a completion script needs it. */
export interface CommandNode {
  /** The words that lead to it; empty for the program itself. */
  readonly path: readonly string[];
  readonly aliases: readonly string[];
  readonly description: string;
  readonly children: readonly CommandNode[];
  /** Its flags, the global ones included. */
  readonly options: readonly OptionNode[];
  readonly arguments: readonly ArgumentNode[];
}

export interface OptionNode {
  /** All spellings, such as `-f` and `--format`. */
  readonly spellings: readonly string[];
  readonly description: string;
  readonly repeatable: boolean;
  /** Holds on every command, not only on this one. */
  readonly global: boolean;
  /** Undefined for a flag that stands alone. */
  readonly value: Value | undefined;
}

export interface ArgumentNode {
  readonly name: string;
  readonly value: Value;
}

/** The tree of commands; hidden ones are left out. */
export function readCommandTree(program: Command): CommandNode {
  return toNode(program, { path: [], global: toOptions(program, { path: '', global: true }) });
}

/** The command and all below it, each before its children. */
export function listCommands(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.children.flatMap(listCommands)];
}

interface Above {
  readonly path: readonly string[];
  readonly global: readonly OptionNode[];
}

function toNode(command: Command, { path, global }: Above): CommandNode {
  const shown = command.createHelp().visibleCommands(command);
  const place = path.join(' ');
  const own = path.length === 0 ? [] : toOptions(command, { path: place, global: false });
  const taken = new Set(own.flatMap(({ spellings }) => spellings));
  return {
    path,
    aliases: command.aliases(),
    description: command.description(),
    // Left out with the hidden ones: the `help` that every group has beside --help.
    children: command.commands
      .filter((child) => shown.includes(child))
      .map((child) => toNode(child, { path: [...path, child.name()], global })),
    options: [
      ...own,
      ...global.filter(({ spellings }) => !spellings.some((spelling) => taken.has(spelling))),
    ],
    arguments: place === 'help' ? [helpTopics(command)] : command.registeredArguments.map(toArgument(place)),
  };
}

/** `help` takes the words of a command; the first of them is worth offering, and so is its topic. */
function helpTopics(command: Command): ArgumentNode {
  const names = command.parent?.commands.map((sibling) => sibling.name()) ?? [];
  return { name: 'words', value: { kind: 'word', words: [...names, 'exit-codes'] } };
}

function toArgument(path: string): (argument: Argument) => ArgumentNode {
  return (argument) => {
    const name = argument.name();
    return { name, value: toValue({ path, name, placeholder: name, choices: argument.argChoices }) };
  };
}

function toOptions(
  command: Command,
  { path, global }: { readonly path: string; readonly global: boolean },
): readonly OptionNode[] {
  const visible = command.createHelp().visibleOptions(command);
  // Each command shows its own --help, which is the same everywhere and so belongs to the global ones.
  const options = global ? visible : visible.filter(({ long }) => long !== '--help');
  return options.map((option) => ({
    spellings: [option.short, option.long].filter((spelling) => spelling !== undefined && spelling !== null),
    description: option.description,
    repeatable: option.parseArg === collect,
    global,
    value: option.required || option.optional ? optionValue(path, option) : undefined,
  }));
}

function optionValue(path: string, { long, flags, argChoices }: Option): Value {
  const placeholder = /[<[](.+?)[>\]]/.exec(flags)?.[1] ?? '';
  return toValue({ path, name: long ?? flags, placeholder, choices: argChoices });
}
