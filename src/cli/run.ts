import { SalonError } from '../contract/errors.ts';
import { exitCodes, toExitCode } from './exit-codes.ts';
import { createFrame } from './frame.ts';
import { type Interrupt, type Io, isClosedPipe } from './io.ts';
import { buildProgram } from './program.ts';
import { renderError, toSalonError } from './report.ts';

/**
 * Runs one command and answers its exit code: what bin/salon.js and every test call. The only catch of the
 * command line. It never exits the process, so that what was written is drained.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const frame = createFrame({ io, run });
    await buildProgram(frame, io).parseAsync(argv, { from: 'user' });
    return frame.exitCode;
  } catch (thrown) {
    if (isHelp(thrown)) return exitCodes.done.code;
    if (isClosedPipe(thrown)) return exitCodes.done.code;
    const interrupt = io.signal.aborted ? (io.signal.reason as Interrupt) : undefined;
    const error = toSalonError(isCommanderError(thrown) ? toUsageError(thrown) : thrown, interrupt);
    io.stderr.write(renderError(error, { json: wantsJson(argv), debug: argv.includes('--debug') }));
    return toExitCode(error);
  }
}

/** Read from the words themselves, because an error may come before the flags are understood. */
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

function toUsageError(failure: CommanderFailure): SalonError {
  const [sentence = '', ...more] = failure.message.replace(/^error: /, '').split('\n');
  const suggestion = more.join(' ').replace(/^\(|\)$/g, '');
  const message = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  return new SalonError('usage', message, { hint: suggestion || 'See --help for what there is.' });
}
