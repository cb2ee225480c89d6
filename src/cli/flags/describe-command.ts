import type { Argument, Command, Option } from 'commander';
import { pathOf } from '../command-line.ts';
import { version } from '../io.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { type DefinedCommand, definitionOf } from './command-definition.ts';
import { FlagOption } from './flag.ts';

/**
 * What `salon help <command> --json` prints: a command and those below it, from the tables that help, completion and
 * manual pages are made from. `flags` of the program are those of every command; hidden flags and commands are left out.
 */
export function describeCommands(command: Command): Readonly<Record<string, unknown>> {
  const meanings = Object.values(exitCodes).map(({ code, meaning }) => [code, meaning]);
  return { ...describe(command), version, exit_code_meanings: Object.fromEntries(meanings) };
}

function describe(command: Command): object {
  const help = command.createHelp();
  const definition = definitionOf(command);
  const below = help.visibleCommands(command);
  return {
    command: pathOf(command),
    description: command.description(),
    aliases: command.aliases(),
    changes: definition?.changes ?? null,
    undo: definition?.undo ?? null,
    arguments: command.registeredArguments.map(describeArgument),
    flags: help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((option) => describeFlag(option, command)),
    examples: Object.entries(definition?.examples ?? {}).map(([line, purpose]) => ({
      command: line,
      purpose,
    })),
    notes: definition?.notes ?? null,
    exit_codes: definition === undefined ? [] : listExitCodes(command, definition),
    commands: below.map(describe),
  };
}

function describeArgument(argument: Argument) {
  return {
    name: argument.name(),
    description: argument.description,
    required: argument.required,
    repeatable: argument.variadic,
    choices: argument.argChoices ?? null,
    default: argument.defaultValue ?? null,
  };
}

function describeFlag(option: Option, command: Command) {
  const definition = option instanceof FlagOption ? option.definition : undefined;
  const { placeholder, isRepeatable = false } = option instanceof FlagOption ? option : {};
  const other = command.options.find((one) => one.attributeName() === definition?.conflicts);
  return {
    flag: option.long,
    short: option.short ?? null,
    description: option.description,
    type: toType(placeholder),
    value: placeholder ?? null,
    choices: option.argChoices ?? null,
    default: definition?.default ?? null,
    required: option.mandatory,
    repeatable: isRepeatable,
    advanced: definition?.isAdvanced === true,
    variable: definition?.variable ?? null,
    conflicts_with: other?.long ?? null,
  };
}

/** Of one value; a flag that can be repeated takes several. */
function toType(placeholder: string | undefined): 'boolean' | 'integer' | 'list' | 'text' {
  if (placeholder === undefined) return 'boolean';
  if (placeholder === 'n') return 'integer';
  return placeholder.includes(',') ? 'list' : 'text';
}

/** Those that a command can have: only some can leave changes pending, or need a confirmation. */
function listExitCodes({ options }: Command, { changes }: DefinedCommand): readonly number[] {
  const isPossible = (exit: (typeof exitCodes)[keyof typeof exitCodes]) => {
    if (exit === exitCodes.pending) return options.some(({ long }) => long === '--exit-code');
    return exit !== exitCodes.confirmation || changes !== 'nothing';
  };
  return Object.values(exitCodes)
    .filter(isPossible)
    .map(({ code }) => code);
}
