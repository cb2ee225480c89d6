import type { Command, Option } from 'commander';

/** Words of a command line, as commander reads them. */
export type ParsedLine = ReturnType<typeof readLine>;

/** Follows the words down the tree of commands as far as possible. */
export function readLine(program: Command, words: readonly string[]) {
  let command = program;
  /** The flag whose value is the next word. */
  let waiting: Option | undefined;
  /** Whether `--` came: what follows are arguments. */
  let isEnded = false;
  const args: string[] = [];
  const used = new Map<Option, string>();
  for (const word of words) {
    if (waiting !== undefined) {
      used.set(waiting, word);
      waiting = undefined;
    } else if (!isEnded && word === '--') {
      isEnded = true;
    } else if (!isEnded && word.startsWith('-')) {
      const flags = readFlags(command, word);
      for (const { option, value = '' } of flags) used.set(option, value);
      const last = flags.at(-1);
      if (last !== undefined && last.value === undefined && takesValue(last.option)) waiting = last.option;
    } else {
      const child = args.length === 0 ? findChild(command, word) : undefined;
      if (child === undefined) args.push(word);
      else command = child;
    }
  }
  return { command, args, used, waiting, isEnded };
}

interface UsedFlag {
  readonly option: Option;
  /** The value, where it is in the same word. */
  readonly value?: string | undefined;
}

/** Splits one word into its flags: `--flag`, `--flag=value`, `-f`, `-fvalue`, or several letters. */
export function readFlags(command: Command, word: string): readonly UsedFlag[] {
  if (word.startsWith('--')) {
    const [, name = '', value] = /^([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const option = findOption(command, name);
    return option === undefined ? [] : [{ option, value }];
  }
  const flags: UsedFlag[] = [];
  for (let index = 1; word.startsWith('-') && index < word.length; index++) {
    const option = findOption(command, `-${word[index]}`);
    if (option === undefined) return flags;
    if (takesValue(option)) {
      return [...flags, { option, value: word.slice(index + 1) || undefined }];
    }
    flags.push({ option });
  }
  return flags;
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function findOption(command: Command, spelling: string): Option | undefined {
  return ancestry(command)
    .flatMap(({ options }) => options)
    .find(({ short, long }) => short === spelling || long === spelling);
}

export function findChild(command: Command, word: string): Command | undefined {
  return command.commands.find((child) => child.name() === word || child.aliases().includes(word));
}

/** Finds a command by the words that lead to it. */
export function findCommand(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>((found, word) => found && findChild(found, word), program);
}

/** A command and those above it. */
export function ancestry(command: Command): readonly Command[] {
  return command.parent === null ? [command] : [command, ...ancestry(command.parent)];
}

/** The words that lead to a command, such as `salon clients list`. */
export function pathOf(command: Command): string {
  const names = ancestry(command).map((above) => above.name());
  return names.reverse().join(' ');
}

/** The places of the first two words that are neither a global flag nor the value of one. */
export function findCommandWords(argv: readonly string[], program: Command): readonly number[] {
  const places: number[] = [];
  let isValue = false;
  for (const [place, word] of argv.entries()) {
    if (word === '--' || places.length === 2) break;
    if (isValue || word.startsWith('-')) {
      isValue =
        !isValue &&
        program.options.some(({ required, short, long }) => required && [short, long].includes(word));
    } else {
      places.push(place);
    }
  }
  return places;
}
