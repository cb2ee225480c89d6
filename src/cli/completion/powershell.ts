import { type CommandNode, listCommands, type OptionNode } from './command-tree.ts';
import { powershellEngine } from './powershell-engine.ts';
import type { Value } from './values.ts';

/**
 * The script for PowerShell: one completer that holds what the commands are, as tables, and below them the
 * code that reads a line. All of it is in the completer, because a variable outside would be gone when it runs.
 */
export function renderPowerShell(tree: CommandNode): string {
  const commands = listCommands(tree);
  const tables = [
    renderTable('salonSteps', 'Where a word leads from a command.', commands.flatMap(toSteps)),
    renderTable('salonChildren', 'What is below a command.', commands.flatMap(toChildren)),
    renderTable('salonFlags', 'The flags of a command; of all of them under *.', commands.flatMap(toFlags)),
    renderTable('salonValues', 'What a flag or an argument takes: kind, words.', commands.flatMap(toValues)),
  ];
  return `# Completes salon in PowerShell. Made by: salon completion powershell

Register-ArgumentCompleter -Native -CommandName salon -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

${tables.join('\n\n')}

    ${powershellEngine.trim()}
}
`;
}

function toSteps({ path, aliases }: CommandNode): readonly string[] {
  const parent = path.slice(0, -1);
  return [...path.slice(-1), ...aliases].map((name) =>
    renderEntry([...parent, name].join(' '), quote(path.join(' '))),
  );
}

function toChildren({ path, children }: CommandNode): readonly string[] {
  if (children.length === 0) return [];
  const described = children.map((child) => renderDescribed(child.path.at(-1) ?? '', child.description));
  return [renderEntry(path.join(' '), renderRows(described))];
}

function toFlags({ path, options }: CommandNode): readonly string[] {
  const root = path.length === 0;
  const described = options
    .filter(({ global }) => global === root)
    .flatMap(({ spellings, description }) => spellings.map((flag) => renderDescribed(flag, description)));
  return described.length === 0 ? [] : [renderEntry(root ? '*' : path.join(' '), renderRows(described))];
}

function toValues({ path, options, arguments: given }: CommandNode): readonly string[] {
  const root = path.length === 0;
  const place = path.join(' ');
  return [
    ...given.map(({ value }, index) => renderEntry(`${place} ${index}`, renderValue(value))),
    ...options
      .filter(({ global }) => global === root)
      .flatMap((option) => toFlagValues(root ? '*' : place, option)),
  ];
}

function toFlagValues(place: string, { spellings, value }: OptionNode): readonly string[] {
  if (value === undefined) return [];
  return spellings.map((flag) => renderEntry(`${place} ${flag}`, renderValue(value)));
}

function renderValue(value: Value): string {
  switch (value.kind) {
    case 'free':
    case 'profile':
      return `@(${quote(value.kind)})`;
    case 'file':
      return `@('file', ${quote(value.mark)})`;
    default:
      return `@(${[value.kind, ...value.words].map(quote).join(', ')})`;
  }
}

/** Keys of a plain hash table know no case, and -p is not -P: so these tables are dictionaries that do. */
function renderTable(name: string, what: string, entries: readonly string[]): string {
  const lines = [
    `# ${what}`,
    `$${name} = [System.Collections.Generic.Dictionary[string, object]]::new()`,
    ...entries.map((entry) => `$${name}${entry}`),
  ];
  return lines.map((line) => `    ${line}`).join('\n');
}

function renderEntry(key: string, value: string): string {
  return `[${quote(key)}] = ${value}`;
}

function renderRows(rows: readonly string[]): string {
  return `@(\n        ${rows.join('\n        ')}\n    )`;
}

/** The comma in front keeps PowerShell from flattening a row into the list. */
function renderDescribed(text: string, description: string): string {
  return `, @(${quote(text)}, ${quote(description)})`;
}

/** PowerShell takes typographic quotes for quotes as well, so they are doubled too. */
function quote(text: string): string {
  return `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`;
}
