import type { Argument, Command, Option } from 'commander';
import { ancestry, findCommand, type ParsedLine, pathOf, readFlags, readLine } from '../command-line.ts';
import { FlagOption } from '../flags/flag.ts';
import { type Io, write } from '../io.ts';
import type { Candidate } from './local-values.ts';
import type { ValueCompletion } from './value-completion.ts';

export interface CompleteOptions {
  readonly io: Io;
  /** Builds the part of the command tree that the words name. */
  readonly program: (words: readonly string[]) => Promise<Command>;
}

/**
 * Prints what the last of the words can become, for the scripts in `completions/`: a line each, with a tab before its
 * description. `:nospace` means that the word is not finished, `:files <prefix>` that file names follow the prefix.
 * Words come as arguments, or by line in SALON_COMPLETE. Prints nothing on any error.
 */
export async function complete(words: readonly string[], { io, program }: CompleteOptions): Promise<number> {
  try {
    const line = words.length > 0 ? words : (io.env['SALON_COMPLETE'] ?? '').split('\n');
    const { candidates, files, isOpen } = await findCompletion(line, { io, program: await program(line) });
    const lines = candidates
      .filter(({ text }) => isPrintable(text))
      .map(({ text, description = '' }) => (isPrintable(description) ? `${text}\t${description}` : text));
    if (isOpen) lines.push(':nospace');
    if (files !== undefined) lines.push(`:files ${files}`);
    if (lines.length > 0) await write(io.stdout, `${lines.join('\n')}\n`);
  } catch {
    // A message in the middle of a command line is no help.
  }
  return 0;
}

function isPrintable(text: string): boolean {
  return text !== '' && !/^:|\p{Cc}/u.test(text);
}

interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether more is to come in the same word, so that no space belongs after it. */
  readonly isOpen?: boolean;
  /** Where file names fit: what comes before them in the word. */
  readonly files?: string | undefined;
}

/** What the last word can become in a tree of commands. */
async function findCompletion(
  words: readonly string[],
  { io, program }: { readonly io: Io; readonly program: Command },
): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const line = readLine(program, words.slice(0, -1));
  const { command, args, waiting, isEnded } = line;
  const path = pathOf(command).replace(/^salon ?/, '');
  const completeValue = async (target: Option | Argument, prefix = ''): Promise<Completion> => {
    const { findValueCompletion: findValue } = await import('./value-completion.ts');
    const value = await findValue({ path, target, line }, io);
    const { candidates, files, ...rest } = fillIn(value, typed.slice(prefix.length));
    return {
      ...rest,
      candidates: candidates.map(({ text, description }) => ({ text: prefix + text, description })),
      files: files === undefined ? undefined : prefix + files,
    };
  };
  if (waiting !== undefined) return completeValue(waiting);
  const attached = isEnded ? undefined : readFlags(command, typed).at(-1);
  if (attached?.value !== undefined && typed !== '-') {
    return completeValue(attached.option, typed.slice(0, typed.length - attached.value.length));
  }
  if (typed.startsWith('-') && !isEnded) return { candidates: startingWith(typed, listFlags(line, typed)) };
  const children = listChildren(command.name() === 'help' ? findCommand(program, args) : command);
  if (children.length > 0) {
    const isFirst = args.length === 0 || command.name() === 'help';
    const topics = command.name() === 'help' && args.length === 0 ? helpTopics : [];
    const own = command === program && isFirst ? (await import('./local-values.ts')).readAliasNames(io) : [];
    return { candidates: isFirst ? startingWith(typed, [...children, ...topics, ...own]) : [] };
  }
  const last = command.registeredArguments.at(-1);
  const target = command.registeredArguments[args.length] ?? (last?.variadic === true ? last : undefined);
  if (target !== undefined) return completeValue(target);
  return { candidates: typed === '' && !isEnded ? listFlags(line, '--') : [] };
}

const helpTopics: readonly Candidate[] = [
  { text: 'flags', description: 'Flags of every command' },
  { text: 'bulk-edits', description: 'How commands work on the rows of a file' },
  { text: 'exit-codes', description: 'What the exit codes mean' },
];

function listChildren(command: Command | undefined): readonly Candidate[] {
  const children = command?.createHelp().visibleCommands(command) ?? [];
  return children.map((child) => ({ text: child.name(), description: child.description() }));
}

/** The flags a command takes that are not used up, its own first; short ones after a single dash only. */
function listFlags({ command, used }: ParsedLine, typed: string): readonly Candidate[] {
  const help = command.createHelp();
  const options = ancestry(command).flatMap((above) => help.visibleOptions(above));
  const flags = options
    .filter((option) => !used.has(option) || (option instanceof FlagOption && option.isRepeatable))
    .flatMap(({ short, long, description }) =>
      [typed.startsWith('--') ? undefined : short, long].map((text) => ({ text: text ?? '', description })),
    );
  const seen = new Set<string>();
  return flags.filter(({ text }) => text !== '' && !seen.has(text) && seen.add(text));
}

function fillIn(value: ValueCompletion | undefined, typed: string): Completion {
  if (value === undefined) return { candidates: [] };
  if (value.kind === 'file') {
    if (typed.startsWith(value.mark)) return { candidates: [], files: value.mark };
    return { candidates: startingWith(typed, [{ text: value.mark }]), isOpen: true };
  }
  const { kind, candidates } = value;
  if (kind === 'list') {
    const before = typed.slice(0, typed.lastIndexOf(',') + 1);
    const chosen = before.split(',');
    const open = candidates.filter(({ text }) => !chosen.includes(text));
    const whole = open.map(({ text, description }) => ({ text: before + text, description }));
    return { candidates: startingWith(typed, whole), isOpen: true };
  }
  if (kind === 'assignment') {
    const fields = candidates.map(({ text, description }) => ({ text: `${text}=`, description }));
    return { candidates: startingWith(typed, fields), isOpen: true };
  }
  const fitting = startingWith(typed, candidates);
  return {
    candidates: fitting,
    isOpen: fitting.length > 0 && fitting.every(({ text }) => /[/.]$/.test(text)),
  };
}

function startingWith(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ text }) => text.startsWith(typed));
}
