import { bashEngine } from './bash-engine.ts';
import { type CommandNode, listCommands } from './command-tree.ts';
import { escapePattern } from './escape-pattern.ts';
import type { Value } from './values.ts';

/** The script for bash: what the commands are, as `case` tables, and below them the code that reads a line. */
export function renderBash(tree: CommandNode): string {
  const commands = listCommands(tree);
  return [
    '# Completes salon in bash. Made by: salon completion bash',
    renderSteps(commands),
    renderValues(commands),
    renderFlags(commands),
    bashEngine.trim(),
    '',
  ].join('\n\n');
}

function renderSteps(commands: readonly CommandNode[]): string {
  const steps = commands
    .filter(({ path }) => path.length > 0)
    .map(({ path, aliases }) => {
      const parent = path.slice(0, -1);
      const names = [...path.slice(-1), ...aliases].map((name) => `'${[...parent, name].join(' ')}'`);
      return `    ${names.join(' | ')}) path='${path.join(' ')}' ;;`;
    });
  return `# Goes from a command to the one below it that a word names. Sets path.
_salon_step() {
  case "$1\${1:+ }$2" in
${steps.join('\n')}
    *) return 1 ;;
  esac
}`;
}

/** The patterns that match on any command stand last, so that a command's own flag comes before a global one. */
function renderValues(commands: readonly CommandNode[]): string {
  const places = commands.flatMap(toPlaces);
  const cases = [
    ...renderCases(places.filter(({ global }) => !global)),
    ...renderCases(places.filter(({ global }) => global)),
  ];
  return `# What the value of a flag can be, or the argument of that number. Sets kind and candidates.
_salon_value() {
  candidates=()
  case "$1 $2" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}`;
}

function renderCases(places: readonly CasePlace[]): readonly string[] {
  const patternsOf = Map.groupBy(places, ({ value }) => renderValue(value));
  return [...patternsOf].map(([setting, alike]) => {
    const patterns = new Set(alike.map(({ pattern }) => pattern));
    return `    ${[...patterns].join(' | \\\n    ')})\n      ${setting} ;;`;
  });
}

interface CasePlace {
  readonly pattern: string;
  readonly global: boolean;
  readonly value: Value;
}

/** Places as patterns: of a global flag any path will do. */
function toPlaces({ path, children, options, arguments: given }: CommandNode): readonly CasePlace[] {
  const place = path.join(' ');
  const positions = children.length === 0 ? given.map(({ value }) => value) : [childNames(children)];
  return [
    ...positions.map((value, index) => ({ pattern: `'${place} ${index}'`, global: false, value })),
    ...options.flatMap(({ spellings, global, value }) => {
      if (value === undefined) return [];
      return spellings.map((flag) => ({
        pattern: global ? `*' ${flag}'` : `'${place} ${flag}'`,
        global,
        value,
      }));
    }),
  ];
}

function childNames(children: readonly CommandNode[]): Value {
  return { kind: 'word', words: children.map(({ path }) => path.at(-1) ?? '') };
}

function renderValue(value: Value): string {
  switch (value.kind) {
    case 'free':
    case 'profile':
      return `kind=${value.kind}`;
    case 'file':
      return `kind=file candidates=('${value.mark}')`;
    default:
      return `kind=${value.kind} candidates=(${value.words.map(escapePattern).join(' ')})`;
  }
}

function renderFlags(commands: readonly CommandNode[]): string {
  const global = spellings(commands[0]?.options ?? []);
  const cases = commands
    .map(({ path, options }) => ({ path, own: spellings(options.filter((option) => !option.global)) }))
    .filter(({ own }) => own !== '')
    .map(({ path, own }) => `    '${path.join(' ')}') candidates=(${own}) ;;`);
  return `# The flags of a command. Sets candidates.
_salon_flags() {
  candidates=()
  case "$1" in
${cases.join('\n')}
  esac
  candidates+=(${global})
}`;
}

function spellings(options: CommandNode['options']): string {
  return options.flatMap((option) => option.spellings).join(' ');
}
