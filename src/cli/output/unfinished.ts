import type { ExportRun, Kept } from '../../bulk/export/export-run.ts';
import { renderCount } from '../../contract/count-text.ts';
import { retell, type SalonError } from '../../contract/errors.ts';
import type { Interrupt } from '../io.ts';
import { renderError, toSalonError } from '../messages/errors.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toShownPath } from './shown-path.ts';

/** Prints the error that ended a list of which a part is there. Answers the exit code. */
export async function reportPartly(
  error: SalonError,
  { io, flags, session }: CommandContext,
): Promise<number> {
  const { format } = (await session()).settings;
  const json = format?.value === 'json' || format?.value === 'ndjson';
  io.stderr.write(renderError(error, { json, debug: flags.debug === true }));
  return exitCodes.partly.code;
}

export interface Unfinished {
  readonly run: Pick<ExportRun, 'stop' | 'position'>;
  readonly noun: string;
  readonly context: CommandContext;
}

/**
 * Ends an export that has failed: its rows are kept, and the command that goes on with it is said. Answers the exit
 * code of an export that finished partly; throws where nothing is kept, and when it was interrupted.
 */
export async function endUnfinished(thrown: unknown, { run, noun, context }: Unfinished): Promise<number> {
  const { io } = context;
  const interrupt = io.signal.aborted ? (io.signal.reason as Interrupt) : undefined;
  const error = toSalonError(thrown, interrupt);
  const { code, message } = error;
  const isDisagreement = error.members['verdict'] === 'disagreement';
  const kept = await run.stop({
    code: isDisagreement ? 'disagreement' : code,
    message,
    at: io.now().toISOString(),
  });
  if (kept.path === undefined && kept.jobId === undefined) throw thrown;
  const told = withWhatIsKept(error, kept, { rows: run.position.rows, noun, context });
  if (kept.path === undefined || code === 'interrupted' || code === 'bug') throw told;
  return reportPartly(told, context);
}

function withWhatIsKept(
  error: SalonError,
  { path, jobId }: Kept,
  { rows, noun, context }: { readonly rows: number; readonly noun: string; readonly context: CommandContext },
): SalonError {
  const { hint, members } = error;
  const place = path === undefined ? undefined : toShownPath(path, context.io.cwd);
  const command = jobId === undefined ? undefined : resumeCommand(jobId, context);
  const facts = [
    place === undefined ? undefined : `${renderCount(rows)} ${noun} are in ${place}.`,
    command === undefined ? hint : `Go on with: ${command}`,
  ];
  return retell(error, {
    hint: facts.filter((fact) => fact !== undefined).join(' '),
    members: {
      ...members,
      rows_kept: rows,
      ...(place === undefined ? {} : { partial_file: place }),
      ...(jobId === undefined ? {} : { job: jobId }),
    },
  });
}

/** The words that go on with a job, as somebody would type them in the same place. */
function resumeCommand(id: string, { flags }: CommandContext): string {
  const address = flags.baseUrl === undefined ? '' : ` --base-url ${flags.baseUrl}`;
  return `salon jobs resume ${id}${address}`;
}
