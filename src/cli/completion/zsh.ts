import { type CommandNode, listCommands, type OptionNode } from './command-tree.ts';
import { escapePattern } from './escape-pattern.ts';
import type { Value } from './values.ts';

/** The script for zsh: a function for every command, in the words of its completion system. */
export function renderZsh(tree: CommandNode): string {
  return [
    '#compdef salon\n# Completes salon in zsh. Made by: salon completion zsh',
    ...listCommands(tree).map(renderCommand),
    zshHelpers.trim(),
    '',
  ].join('\n\n');
}

function renderCommand(node: CommandNode): string {
  return node.children.length > 0 ? renderGroup(node) : renderVerb(node);
}

function renderVerb(node: CommandNode): string {
  const specs = node.arguments.map(({ name, value }, index) =>
    quote(`${index + 1}:${name.replaceAll('_', ' ')}:${renderAction(value)}`),
  );
  return `${functionName(node)}() {
${renderArguments(node, specs)}
}`;
}

function renderGroup(node: CommandNode): string {
  const described = node.children.map(({ path, description }) =>
    quote(`${escapeColons(path.at(-1) ?? '')}:${description}`),
  );
  const branches = node.children.map(
    (child) =>
      `        ${[...child.path.slice(-1), ...child.aliases].join(' | ')}) ${functionName(child)} ;;`,
  );
  // The program's own name is needed later to ask it for profiles; below, words begins with a command.
  const start = node.path.length === 0 ? `  local program=$words[1]\n` : '';
  return `${functionName(node)}() {
  local curcontext=$curcontext state state_descr line
  typeset -A opt_args
  local -a commands=(
    ${described.join('\n    ')}
  )
${start}${renderArguments(node, ["'(-): :->command'", "'(-)*:: :->rest'"], '-C -A "-*"')}
  case $state in
    command) _describe -t commands command commands ;;
    rest)
      case \${(Q)words[1]} in
${branches.join('\n')}
      esac
      ;;
  esac
}`;
}

function renderArguments(node: CommandNode, specs: readonly string[], flags = ''): string {
  const lines = [...node.options.flatMap(renderOption), ...specs];
  return `  _arguments -s -S ${flags}${flags && ' '}\\\n    ${lines.join(' \\\n    ')}`;
}

/** A spec for each spelling; once one is used, all are, unless the flag may be repeated. */
function renderOption({ spellings, description, repeatable, value }: OptionNode): readonly string[] {
  const exclusive = repeatable ? '*' : `(${spellings.join(' ')})`;
  const text = description.replaceAll(/[\\[\]]/g, '\\$&');
  return spellings.map((spelling) => {
    const joint = value === undefined ? '' : spelling.startsWith('--') ? '=' : '+';
    const action = value === undefined ? '' : `:${spellings.at(-1)?.slice(2)}:${renderAction(value)}`;
    return quote(`${exclusive}${spelling}${joint}[${text}]${action}`);
  });
}

/** A space before a function's name keeps _arguments from handing over flags of compadd. */
function renderAction(value: Value): string {
  switch (value.kind) {
    case 'free':
      return '';
    case 'word':
      return `(${value.words.map(escapeColons).join(' ')})`;
    case 'list':
      return ` __salon_list ${value.words.map(escapeColons).map(escapePattern).join(' ')}`;
    case 'assignment':
      return ` __salon_assignment ${value.words.map(escapeColons).join(' ')}`;
    case 'after':
      return ` __salon_after ${value.words.map(escapeColons).join(' ')}`;
    case 'file':
      return value.mark === '' ? '_files' : ` __salon_marked_file ${escapeColons(value.mark)}`;
    case 'profile':
      return ' __salon_profiles';
  }
}

function functionName({ path }: CommandNode): string {
  return ['_salon', ...path].join('_').replaceAll('-', '_');
}

function escapeColons(text: string): string {
  return text.replaceAll(':', '\\:');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const zshHelpers = `
# Several of the words, with commas between them.
__salon_list() {
  local expl
  _wanted values expl value _sequence compadd - "$@"
}

# A field, an equals sign, and then anything.
__salon_assignment() {
  local expl
  if compset -P '*='; then
    _message value
  else
    _wanted fields expl field compadd -S = -q - "$@"
  fi
}

# What goes with the argument before. A path that goes on gets no space.
__salon_after() {
  local expl
  local -a fitting=(\${\${(M)@:#\${(b)line[1]}=*}#*=})
  _wanted paths expl path compadd -S '' - \${(M)fitting:#*/}
  _wanted paths expl path compadd - \${fitting:#*/}
}

# A file behind a mark such as @.
__salon_marked_file() {
  local expl
  if compset -P "$1"; then
    _files
  else
    _wanted marks expl file compadd -S '' - "$1"
  fi
}

# The profiles, as the program itself lists them below a heading.
__salon_profiles() {
  local expl
  local -a lines=(\${(f)"$(_call_program profiles $program profiles list -c name -f csv 2>/dev/null </dev/null)"})
  _wanted profiles expl profile compadd - \${\${lines[2,-1]}%$'\\r'}
}

# Read from $fpath, this file is the function itself; read with source, it registers it.
if [[ $funcstack[1] == _salon ]]; then
  _salon "$@"
else
  compdef _salon salon
fi
`;
