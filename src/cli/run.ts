import type { Command } from 'commander';
import { SalonError } from '../contract/errors.ts';
import { type ActionRunner, createActionRunner } from './action-runner.ts';
import { findCommandWords, replaceGuess } from './guesses.ts';
import { type Interrupt, type Io, isClosedPipe, systemIo } from './io.ts';
import { NotSent } from './messages/curl-command.ts';
import { exitCodes, toExitCode } from './messages/exit-codes.ts';
import { buildProgram } from './program.ts';

/** Runs the command of a process. Returns the exit code. */
export function main(system: NodeJS.Process): Promise<number> {
  return run(system.argv.slice(2), systemIo(system));
}

/**
 * Runs one command and returns its exit code. Contains the only catch of the command line, and never exits the process,
 * so that all output is written.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const runner: ActionRunner = createActionRunner({ io, run, program: () => buildProgram({ runner, io }) });
  if (argv[0] === '__complete') {
    const { complete } = await import('./completion/complete.ts');
    return complete(argv.slice(1), { io, program: (words) => buildProgram({ runner, io, argv: words }) });
  }
  let program = await buildProgram({ runner, io, argv });
  let words = argv;
  try {
    words = await replaceAliases(argv, program, io);
    if (words !== argv) program = await buildProgram({ runner, io, argv: words });
    const fields = jsonFields.exec(words.join(' '))?.[1];
    if (fields !== undefined)
      throw new SalonError('usage', '--json takes no fields.', { hint: `Use --json -c ${fields}` });
    await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
    return runner.exitCode;
  } catch (thrown) {
    if (isHelp(thrown) || isClosedPipe(thrown)) return exitCodes.done.code;
    if (thrown instanceof NotSent) {
      io.stderr.write(`${thrown.message}\n`);
      return exitCodes.done.code;
    }
    const { renderError, toSalonError } = await import('./messages/errors.ts');
    const interrupt = io.signal.aborted ? (io.signal.reason as Interrupt) : undefined;
    const error = toSalonError(
      isCommanderError(thrown) ? toUsageError(thrown, program, words) : thrown,
      interrupt,
    );
    io.stderr.write(
      renderError(error, { json: runner.isJson || wantsJson(words), debug: words.includes('--debug') }),
    );
    return toExitCode(error);
  }
}

/** As in `gh --json id,email`; of words alone, only those that are hardly a name. */
const jsonFields =
  /(?:^| )--json(?:=| (?=\S+,|(?:id|email|phone|notes|tags|status|[a-z]+_(?:id|at|name|time))(?: |$)))([a-z_]+(?:,[a-z_]+)*)(?: |$)/;

/** Replaces a command of the user's own, then an obvious guess, by the command that it means. */
async function replaceAliases(argv: readonly string[], program: Command, io: Io): Promise<readonly string[]> {
  const [first = -1] = findCommandWords(argv, program);
  const name = argv[first];
  const isCommand = program.commands.some(
    (child) => child.name() === name || child.aliases().includes(name ?? ''),
  );
  if (name === undefined || isCommand) return replaceGuess(argv, program);
  const { expandAlias, readAliases } = await import('./session/aliases.ts');
  const aliases = readAliases(io);
  const line = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (line === undefined) return replaceGuess(argv, program);
  const words = [...argv.slice(0, first), ...expandAlias(name, line, argv.slice(first + 1))];
  return replaceGuess(words, program);
}

/** Reads the arguments directly, because parsing them may be what failed. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => {
    const format =
      word === '-f' || word === '--format' ? argv[index + 1] : /^(?:--format=|-f)(.+)$/.exec(word)?.[1];
    return word === '--json' || format === 'json' || format === 'ndjson';
  });
}

interface CommanderFailure extends Error {
  readonly code: string;
  readonly exitCode: number;
}

function isCommanderError(thrown: unknown): thrown is CommanderFailure {
  return thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('commander.');
}

function isHelp(thrown: unknown): boolean {
  return isCommanderError(thrown) && thrown.exitCode === 0;
}

function toUsageError(failure: CommanderFailure, program: Command, argv: readonly string[]): SalonError {
  const { path, command } = findCommand(program, argv);
  const help = `See: ${path} --help`;
  if (failure.code === 'commander.help') {
    const verbs = command.commands.map((child) => child.name());
    return new SalonError('usage', `Choose a command: ${path} ${verbs.join(' | ')}`, { hint: help });
  }
  const [sentence = '', ...more] = failure.message.replace(/^error: /, '').split('\n');
  const suggestion = more.join(' ').replace(/^\(|\)$/g, '');
  const text = sentence.replace(/\.$/, '').replace(/(?<=^|\s)'([^']*)'(?=[\s.]|$)/g, '"$1"');
  const message = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  return new SalonError('usage', message, { hint: suggestion || help });
}

/** Follows the arguments down the command tree as far as possible. The value of an option is not a command. */
function findCommand(program: Command, argv: readonly string[]): { path: string; command: Command } {
  let found = { path: program.name(), command: program };
  let isValue = false;
  for (const word of argv) {
    if (isValue || word.startsWith('-')) {
      isValue = !isValue && takesValue(word, [program, found.command]);
      continue;
    }
    const child = found.command.commands.find(
      (next) => next.name() === word || next.aliases().includes(word),
    );
    if (!child) break;
    found = { path: `${found.path} ${child.name()}`, command: child };
  }
  return found;
}

/** Whether the next word is the value of this option. */
function takesValue(word: string, commands: readonly Command[]): boolean {
  const options = commands.flatMap((command) => command.options);
  return options.some((option) => option.required && (option.short === word || option.long === word));
}
