import { type CommandNode, listCommands, type OptionNode } from './command-tree.ts';
import { escapePattern } from './escape-pattern.ts';
import type { Value } from './values.ts';

/** The script for fish: two functions that know where the line is, and a `complete` for everything there is. */
export function renderFish(tree: CommandNode): string {
  const commands = listCommands(tree);
  return [
    '# Completes salon in fish. Made by: salon completion fish',
    renderTakesValue(commands),
    renderPlace(commands),
    fishHelpers.trim(),
    'complete -c salon -f',
    tree.options.map((option) => renderOption(option)).join('\n'),
    ...commands.map(renderCommand).filter((lines) => lines !== ''),
    '',
  ].join('\n\n');
}

function renderTakesValue(commands: readonly CommandNode[]): string {
  const [root, ...below] = commands.map(({ path, options }) => ({
    path,
    valued: options.filter(({ value, global }) => value !== undefined && global === (path.length === 0)),
  }));
  const cases = below
    .filter(({ valued }) => valued.length > 0)
    .map(
      ({ path, valued }) =>
        `        case ${quote(path.join(' '))}\n            contains -- $argv[2] ${spellings(valued)}`,
    );
  return `# Whether a flag of a command takes a value.
function __salon_takes_value
    contains -- $argv[2] ${spellings(root?.valued ?? [])}
    and return
    switch $argv[1]
${cases.join('\n')}
        case '*'
            return 1
    end
end`;
}

function renderPlace(commands: readonly CommandNode[]): string {
  const cases = commands
    .filter(({ path }) => path.length > 0)
    .map(({ path, aliases }) => {
      const names = [...path.slice(-1), ...aliases].map((name) =>
        quote([...path.slice(0, -1), name].join(' ')),
      );
      return `            case ${names.join(' ')}\n                set path ${quote(path.join(' '))}`;
    });
  return `# Prints the command that the words before the cursor lead to, how many arguments it has so far, and the last of them.
function __salon_place
    set -l path ''
    set -l count 0
    set -l last ''
    set -l flag ''
    for word in (commandline -opc)[2..]
        if test -n "$flag"
            set flag ''
            continue
        end
        if string match -qr '^-.' -- $word
            set flag (__salon_waiting_flag $path $word)
            continue
        end
        if test $count -gt 0
            set count (math $count + 1)
            set last $word
            continue
        end
        switch (string trim "$path $word")
${cases.join('\n')}
            case '*'
                set count (math $count + 1)
                set last $word
        end
    end
    echo $path
    echo $count
    echo -- $last
end`;
}

function renderCommand({ path, children, options, arguments: given }: CommandNode): string {
  const place = path.join(' ');
  return [
    ...children.map(
      (child) =>
        `complete -c salon -n ${condition(place, 0)} -a ${quote(child.path.at(-1) ?? '')} -d ${quote(child.description)}`,
    ),
    ...given.flatMap(({ value }, index) =>
      value.kind === 'free' ? [] : [`complete -c salon -n ${condition(place, index)} ${renderValue(value)}`],
    ),
    ...options.filter(({ global }) => !global).map((option) => renderOption(option, condition(place))),
  ].join('\n');
}

function renderOption({ spellings, description, value }: OptionNode, where?: string): string {
  const names = spellings.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  return [
    'complete -c salon',
    ...(where === undefined ? [] : [`-n ${where}`]),
    ...names,
    `-d ${quote(description)}`,
    ...(value === undefined ? [] : [renderValue(value)]),
  ].join(' ');
}

function renderValue(value: Value): string {
  switch (value.kind) {
    case 'free':
      return '-x';
    case 'word':
      return `-x -a ${quote(value.words.join(' '))}`;
    case 'list':
      return `-x -a ${quote(`(__salon_list ${value.words.map(escapePattern).join(' ')})`)}`;
    case 'after':
      return `-x -a ${quote(`(__salon_after ${value.words.join(' ')})`)}`;
    case 'assignment':
      return `-x -a ${quote(value.words.map((word) => `${word}=`).join(' '))}`;
    case 'file':
      return value.mark === '' ? '-r -F' : `-x -a ${quote(`(__salon_marked_file ${value.mark})`)}`;
    case 'profile':
      return "-x -a '(__salon_profiles)'";
  }
}

function condition(place: string, count?: number): string {
  return quote(`__salon_at "${place}"${count === undefined ? '' : ` ${count}`}`);
}

function spellings(options: readonly OptionNode[]): string {
  return options.flatMap((option) => option.spellings).join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}

const fishHelpers = `
# Prints the flag in a word whose value is the next word, if there is one.
function __salon_waiting_flag
    set -l path $argv[1]
    set -l word $argv[2]
    if string match -q -- '--*' $word
        if __salon_takes_value "$path" $word
            echo -- $word
        end
        return
    end
    set -l letters (string split '' -- (string sub -s 2 -- $word))
    for letter in $letters[1..-2]
        if __salon_takes_value "$path" -$letter
            return
        end
    end
    if __salon_takes_value "$path" -$letters[-1]
        echo -- -$letters[-1]
    end
end

# Whether the line is at a command, and at the argument of that number.
function __salon_at
    set -l place (__salon_place)
    test "$place[1]" = "$argv[1]"
    and begin
        not set -q argv[2]
        or test "$place[2]" = "$argv[2]"
    end
end

# The value at the cursor, without the flag and the quote in front of it.
function __salon_value
    string replace -r '^(?:--[a-z-]+=|-[a-zA-Z])?["\\']?' '' -- (commandline -ct)
end

# Several of the words, with commas between them.
function __salon_list
    set -l chosen (string replace -rf '^(.*,).*$' '$1' -- (__salon_value))
    for word in $argv
        if not string match -q "*,$word,*" -- ",$chosen"
            echo "$chosen$word"
        end
    end
end

# What goes with the argument before.
function __salon_after
    set -l place (__salon_place)
    for word in $argv
        if string match -q -- "$place[3]=*" $word
            string replace -r '^[^=]*=' '' -- $word
        end
    end
end

# A file behind a mark such as @.
function __salon_marked_file
    set -l mark $argv[1]
    set -l value (__salon_value)
    if string match -q "$mark*" -- $value
        set -l start (string sub -s (math (string length -- $mark) + 1) -- $value)
        for file in (complete -C "'' $start")
            echo $mark$file
        end
    else
        echo $mark
    end
end

# The profiles, as the program itself lists them below a heading.
function __salon_profiles
    set -l program (commandline -opc)[1]
    $program profiles list -c name -f csv 2>/dev/null </dev/null | tail -n +2 | string trim
end
`;
