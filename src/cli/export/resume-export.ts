import { type Checkpoint, findCheckpoint } from '../../bulk/export/checkpoint.ts';
import type { CompleteEntry } from '../../bulk/export/export-entry.ts';
import { closeRecord, type ExportRecord } from '../../bulk/export/export-run.ts';
import { finishExport } from '../../bulk/export/finish-export.ts';
import { type FilePlace, keptPath, type PartialFile, partialPath } from '../../bulk/export/partial-file.ts';
import { reopenExport } from '../../bulk/export/reopen-export.ts';
import type { ExportJob } from '../../bulk/job.ts';
import { continueRecord } from '../../bulk/job-record.ts';
import { jobPath, journalPath } from '../../bulk/jobs/job-folder.ts';
import { acquireJobLock } from '../../bulk/jobs/job-lock.ts';
import { countOf, renderCount } from '../../contract/count-text.ts';
import { SalonError } from '../../contract/errors.ts';
import { version } from '../io.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { readFilePlace, writeWhole } from '../output/output-file.ts';
import { toShownPath } from '../output/shown-path.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';

/** Goes on with an export where it stopped; does nothing where it is done. Answers the exit code. */
export async function resumeExport(job: ExportJob, context: CommandContext): Promise<number> {
  const { io, messages } = context;
  const { id } = job;
  const root = jobsFolder(io);
  await using hold = await acquireJobLock(jobPath(root, id));
  if (hold === undefined) {
    throw new SalonError('conflict', `Job ${id} is still running.`, {
      hint: 'Wait for it, or stop its process first.',
    });
  }
  const place = await readPlace(job);
  const sources = [partialPath(place, id), keptPath(place)];
  const footing = await findCheckpoint(journalPath(root, id), { sources, target: place.target });
  const output = toShownPath(job.work.output, io.cwd);
  if (footing.isDone) {
    messages.info(`Job ${id} is done: ${output} was written.`);
    return exitCodes.done.code;
  }
  tellFooting(footing, { job, context });
  const reopening = { root, id, hold, place, footing };
  const { complete, source } = footing;
  if (complete === undefined) {
    const { continueList } = await import('./continue-list.ts');
    return await continueList({ job, reopening, output, context });
  }
  if (source === place.target) {
    const record = await continueRecord({ root, id, hold, journalBytes: footing.journalBytes });
    await using _journal = record.journal;
    await finishComplete({ job, complete, record, file: undefined, dataPath: place.target, context });
  } else {
    await using reopened = await reopenExport(reopening);
    await finishComplete({ job, complete, ...reopened, context });
  }
  messages.info(`${countOf(complete.written, job.work.noun)} written to ${output}`);
  return exitCodes.done.code;
}

async function readPlace({ id, work }: ExportJob): Promise<FilePlace> {
  const place = await readFilePlace(work.output);
  if (place !== undefined) return place;
  throw new SalonError('usage', `Job ${id} cannot go on: ${work.output} is no file any more.`, {
    hint: 'Run the command again that started it.',
  });
}

function tellFooting(
  { complete, isDamaged, position, before, isReadToEnd }: Checkpoint,
  { job: { work }, context: { messages } }: { readonly job: ExportJob; readonly context: CommandContext },
): void {
  if (isDamaged) messages.warn('What the job wrote last is damaged or gone; that part is read again.');
  if (complete !== undefined) return;
  const rows = renderCount(position.rows);
  if (position.rows === 0) messages.info('Starting again: there is nothing sound to go on with.');
  else if (isReadToEnd)
    messages.info(`Reading all ${work.noun} again for those that are not among the ${rows}.`);
  else if (before.firstTotal === undefined) messages.info(`Going on behind ${rows} ${work.noun}.`);
  else messages.info(`Going on behind ${rows} of ${renderCount(before.firstTotal)} ${work.noun}.`);
}

interface Completing {
  readonly job: ExportJob;
  readonly complete: CompleteEntry;
  readonly record: ExportRecord;
  readonly file: PartialFile | undefined;
  readonly dataPath: string;
  readonly context: CommandContext;
}

/** Every row had come: what is left needs no server. */
async function finishComplete({ job, complete, record, file, dataPath, context }: Completing): Promise<void> {
  await finishExport({
    run: { position: complete, finish: (at) => closeRecord(record, complete, at) },
    file,
    dataPath,
    work: job.work,
    origin: job.origin,
    verdict: complete.verdict ?? undefined,
    startedAt: job.createdAt,
    now: context.io.now,
    salonVersion: version,
    writeWhole,
  });
}
