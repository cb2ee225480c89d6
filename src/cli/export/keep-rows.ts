import type { KeptRows } from '../../bulk/export/export-writer.ts';
import { writeCheckpoint } from '../../bulk/export/partial-checkpoint.ts';
import type { OutputTarget } from '../../bulk/export/partial-file.ts';
import type { ExportJob } from '../../bulk/jobs/job.ts';
import { readJob } from '../../bulk/jobs/job-folder.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { renderCount } from '../../contract/numbers.ts';
import { toShownPath } from '../output/output-file.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { toKeyFingerprint } from '../session/session.ts';

export interface StoppedExport {
  readonly target: OutputTarget;
  readonly job: Pick<ExportJob, 'id'>;
  readonly context: CommandContext;
}

/** Writes what another machine needs to resume. Returns whether that worked; the job on this machine does not need it. */
export async function saveCheckpoint({ target, job, context }: StoppedExport): Promise<boolean> {
  try {
    const root = jobsFolder(context.io);
    const stored = await readJob(root, job.id);
    if (stored.kind !== 'export') return false;
    await writeCheckpoint(target, { root, job: stored, key: toKeyFingerprint(await context.session()) });
    return true;
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    context.messages.verbose(`Only this machine can resume the export: ${error.message}`);
    return false;
  }
}

export interface KeptExport extends KeptRows {
  /** Whether another machine can resume it. */
  readonly isPortable: boolean;
  readonly rows: number;
  readonly noun: string;
  readonly context: CommandContext;
}

/** Adds to an error where the rows are and how to continue. */
export function withKeptRows(
  error: SalonError,
  { path, jobId, isPortable, rows, noun, context }: KeptExport,
): SalonError {
  const file = path === undefined ? undefined : toShownPath(path, context.io.cwd);
  const baseUrl = context.flags.baseUrl === undefined ? '' : ` --base-url ${context.flags.baseUrl}`;
  const hints = [
    file === undefined ? undefined : `${renderCount(rows)} ${noun} are in ${file}.`,
    jobId === undefined ? error.hint : `Resume with: salon jobs resume ${jobId}${baseUrl}`,
    isPortable ? `On another machine: salon jobs resume ${file}${baseUrl}` : undefined,
  ];
  return withContext(error, {
    hint: hints.filter((hint) => hint !== undefined).join('\n  '),
    members: {
      ...error.members,
      rows_kept: rows,
      ...(file === undefined ? {} : { partial_file: file }),
      ...(jobId === undefined ? {} : { job: jobId }),
    },
  });
}
