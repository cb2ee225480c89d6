import { type Command, CommanderError } from 'commander';
import { SalonError } from '../contract/errors.ts';
import { createActionRunner } from './action-runner.ts';
import { findChild, findCommandWords, pathOf, readLine } from './command-line.ts';
import { type Interrupt, type Io, isClosedPipe, systemIo } from './io.ts';
import { exitCodes, NotSent, toExitCode } from './messages/exit-codes.ts';
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
  const build = (words?: readonly string[]): Promise<Command> => buildProgram({ runner, io, argv: words });
  const runner = createActionRunner({ io, run, program: build });
  if (argv[0] === '__complete') {
    const { complete } = await import('./completion/complete.ts');
    return complete(argv.slice(1), { io, program: build });
  }
  let program = await build(argv);
  let words = argv;
  try {
    words = await replaceAliases(argv, program, io);
    if (words !== argv) program = await build(words);
    const fields = jsonFields.exec(words.join(' '))?.[1];
    if (fields !== undefined)
      throw new SalonError('usage', '--json takes no fields.', { hint: `Use --json -c ${fields}` });
    await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
    return runner.exitCode;
  } catch (thrown) {
    const isHelp = thrown instanceof CommanderError && thrown.exitCode === 0;
    if (isHelp || isClosedPipe(thrown)) return exitCodes.done.code;
    if (thrown instanceof NotSent) {
      io.stderr.write(`${thrown.message}\n`);
      return exitCodes.done.code;
    }
    const { renderError, toSalonError } = await import('./messages/errors.ts');
    const interrupt = io.signal.aborted ? (io.signal.reason as Interrupt) : undefined;
    const error = toSalonError(
      thrown instanceof CommanderError ? toUsageError(thrown, program, words) : thrown,
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
  const [first = -1, second = -1] = findCommandWords(argv, program);
  const [name, verb] = [argv[first], argv[second]];
  if (name === undefined) return argv;
  const command = findChild(program, name);
  // The words after a command without verbs are its own, except for those of help, which name another one.
  const hasVerbs = name === 'help' || command?.commands.length !== 0;
  if (command && (!hasVerbs || verb === undefined || findChild(command, verb))) return argv;
  const { replaceGuess } = await import('./guesses.ts');
  if (command !== undefined) return replaceGuess(argv, program);
  const { expandAlias, readAliases } = await import('./aliases.ts');
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

function toUsageError(failure: CommanderError, program: Command, argv: readonly string[]): SalonError {
  const { command } = readLine(program, argv);
  const path = pathOf(command);
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
