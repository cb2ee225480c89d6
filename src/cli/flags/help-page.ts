import type { Argument, Command, Help, HelpConfiguration, Option } from 'commander';
import { pathOf } from '../command-line.ts';
import { definitionOf, type Examples } from './command-definition.ts';
import { FlagOption } from './flag.ts';

/** A page for every command: purpose, usage, examples, its own flags. Flags of every command have a page of their own. */
export const helpPage: HelpConfiguration = {
  formatHelp: (command, help) => {
    const sections = [
      help.boxWrap(command.description(), help.helpWidth ?? 80),
      `Usage: ${toUsage(command)}`,
      renderExamples(definitionOf(command)?.examples ?? {}),
      ...renderCommands(command, help),
      ...renderArguments(command, help),
      ...(command.parent === null ? [] : renderFlags(command, help)),
    ];
    return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
  },
};

/** The last line of every page. */
export function renderSeeAlso(command: Command): string {
  const topic = isBulkEdit(command)
    ? 'Bulk edits: salon help bulk-edits.'
    : 'Exit codes: salon help exit-codes.';
  return `\nGlobal flags: salon help flags. ${topic}`;
}

/** Whether a command edits many records. Its advanced flags have a page of their own. */
function isBulkEdit(command: Command): boolean {
  return command.options.some(({ long }) => long === '--max-changes');
}

/** The advanced flags of commands that edit many records. */
export function renderBulkFlags(program: Command, width: number): string {
  const commands = program.commands.flatMap((noun) => noun.commands).filter(isBulkEdit);
  const options = commands.flatMap((command) => {
    const help = command.createHelp();
    return help.visibleOptions(command).filter(isAdvancedFlag);
  });
  const named = new Map(options.map((option) => [option.long, option]));
  const items = [...named.values()].map((option) => toItem(option, 'Advanced flags:'));
  const help = program.createHelp();
  help.prepareContext({ helpWidth: width });
  return `${renderGroups(items, help).join('\n\n')}\n`;
}

/** The flags of every command, by topic. */
export function renderGlobalFlags(program: Command, width: number): string {
  const help = program.createHelp();
  help.prepareContext({ helpWidth: width });
  return `${renderFlags(program, help).join('\n\n')}\n`;
}

function toUsage(command: Command): string {
  if (command.commands.length > 0) return `${pathOf(command)} <command> [flags]`;
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [pathOf(command), ...args, '[flags]'].join(' ');
}

function renderExamples(examples: Examples): string {
  const entries = Object.entries(examples);
  if (entries.length === 0) return '';
  return [
    'Examples:',
    ...entries.flatMap(([line, purpose]) => [`  # ${capitalise(purpose)}`, `  $ ${line}`]),
  ].join('\n');
}

function renderCommands(command: Command, help: Help): string[] {
  const children = help.visibleCommands(command).map((child) => ({
    heading: child.helpGroup() || 'Commands:',
    term: child.name(),
    description: child.description(),
  }));
  return renderGroups(children, help);
}

function renderArguments(command: Command, help: Help): string[] {
  const described = command.registeredArguments.filter(
    ({ description, argChoices }) => description || argChoices,
  );
  return renderGroups(
    described.map((argument) => ({
      heading: 'Arguments:',
      term: argument.name(),
      description: describe(argument),
    })),
    help,
  );
}

function renderFlags(command: Command, help: Help): string[] {
  const flags = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const items = flags.flatMap((option) => {
    const isAdvanced = isAdvancedFlag(option);
    if (isAdvanced && isBulkEdit(command)) return [];
    return toItem(option, option.helpGroupHeading ?? (isAdvanced ? 'Advanced flags:' : 'Flags:'));
  });
  return renderGroups(items, help).sort((one, other) => rank(one) - rank(other));
}

function isAdvancedFlag(option: Option): boolean {
  return option instanceof FlagOption && option.definition.isAdvanced === true;
}

function toItem(option: Option, heading: string): Item {
  return { heading, term: option.flags, description: describe(option) };
}

function rank(section: string): number {
  return ['Selection', 'Advanced'].findIndex((word) => section.startsWith(word));
}

/** What a flag or argument is for, with its choices and its default. */
function describe(item: Option | Argument): string {
  const { description, argChoices = [], defaultValue } = item;
  const text = [capitalise(description), argChoices.join(', ')].filter((part) => part !== '').join(': ');
  const usual = item.defaultValueDescription ?? defaultValue;
  const byDefault = typeof usual === 'string' ? ` (default: ${usual})` : '';
  return `${text}${byDefault}${'mandatory' in item && item.mandatory ? ' (required)' : ''}`;
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

interface Item {
  readonly heading: string;
  readonly term: string;
  readonly description: string;
}

function renderGroups(items: readonly Item[], help: Help): string[] {
  const width = Math.max(0, ...items.map(({ term }) => term.length));
  return [...Map.groupBy(items, ({ heading }) => heading)].map(([heading, group]) => {
    const lines = group.map(({ term, description }) => help.formatItem(term, width, description, help));
    return [heading, ...lines].join('\n');
  });
}
