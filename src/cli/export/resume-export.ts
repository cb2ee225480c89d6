import {
  type Checkpoint,
  findCheckpoint,
  findResumePoint,
  joinVerdicts,
} from '../../bulk/export/checkpoint.ts';
import {
  closeRecord,
  continueExport,
  type ExportRecord,
  type Reopening,
  reopenExport,
} from '../../bulk/export/export-writer.ts';
import { finishExport } from '../../bulk/export/finish-export.ts';
import { type FilePlace, keptPath, type PartialFile, partialPath } from '../../bulk/export/partial-file.ts';
import { onlyNewRows, type Row } from '../../bulk/export/write-pages.ts';
import type { ExportJob } from '../../bulk/jobs/job.ts';
import { jobPath, journalPath, reopenJobRecord } from '../../bulk/jobs/job-folder.ts';
import { acquireJobLock } from '../../bulk/jobs/job-lock.ts';
import type { CompleteEntry } from '../../bulk/jobs/journal-entries.ts';
import type { SalonClient } from '../../client/client.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { openSeenKeys, type SeenKeys } from '../../client/pagination/seen-keys.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import { version } from '../io.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { columnSet } from '../output/columns.ts';
import { readStyle } from '../output/format.ts';
import { readFilePlace, toShownPath, writeWhole } from '../output/output-file.ts';
import { pourRecords } from '../output/print-records.ts';
import { createResumedLayout } from '../output/row-layout.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { toJobCall } from './job-context.ts';
import { runExport } from './run-export.ts';

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
    const { continueList } = await import('./resume-export.ts');
    return await continueList({ job, reopening, output, context });
  }
  if (source === place.target) {
    const record = await reopenJobRecord({ root, id, lock: hold, journalBytes: footing.journalBytes });
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

export interface ContinuedList {
  readonly job: ExportJob;
  readonly reopening: Reopening;
  readonly output: string;
  readonly context: CommandContext;
}

/** Reads the rest of a list that was exported in part, and finishes its export. Answers the exit code. */
export async function continueList(continued: ContinuedList): Promise<number> {
  const { job, reopening, output } = continued;
  const { footing } = reopening;
  const { work, origin, createdAt: startedAt } = job;
  const { position } = footing;
  const context = await toJobCall(job, continued.context);
  const { io } = context;
  const client = await context.client();
  using sightings = openSeenKeys();
  const journal = journalPath(jobsFolder(io), job.id);
  const pages = await walkRest(client, { job, footing, journal, sightings });
  const style = { ...(await readStyle(context)), excel: work.excel, layout: work.layout };
  const { written, bytes } = position;
  const layout = createResumedLayout(style, { columns: work.columns, written, hasBegun: bytes > 0 });
  await using reopened = await reopenExport(reopening);
  const { file, dataPath, record } = reopened;
  const run = continueExport({ file, now: () => io.now().getTime() }, { record, position });
  const outcome = {
    show: 'records',
    noun: work.noun,
    columns: columnSet({}),
    pages: onlyNewRows(pages as PagedList<Row>, sightings),
    limit: client.limits,
    list: work,
  } as const;
  return await runExport({
    run,
    file,
    dataPath,
    work: () => work,
    output,
    origin,
    startedAt,
    context,
    pour: () =>
      pourRecords(outcome, context, {
        layout,
        limit: (work.limit ?? Number.POSITIVE_INFINITY) - position.rows,
        isFile: true,
        before: position.rows,
        take: run.take,
      }),
    judge: () => {
      const verdict = pages.consistency();
      const isWhole = verdict === undefined || position.rows === 0;
      return isWhole ? verdict : joinVerdicts(footing.before, verdict, run.position.rows);
    },
  });
}

interface Rest {
  readonly job: ExportJob;
  readonly footing: Checkpoint;
  readonly journal: string;
  readonly sightings: SeenKeys;
}

/**
 * The walk behind what is there. A list whose passes have to agree, or that was read to its end without giving all
 * of its rows, is walked from its start: what is there already is left out when it is poured.
 */
async function walkRest(
  client: SalonClient,
  { job: { work }, footing, journal, sightings }: Rest,
): Promise<PagedList<unknown>> {
  const { query, parameters, consistent, noun } = work;
  const { position, isReadToEnd } = footing;
  const limit = work.limit ?? undefined;
  if (position.rows === 0) return client[noun].list(query, { parameters, consistent, limit });
  const from = await findResumePoint(journal, footing, sightings);
  if (from === undefined || consistent || isReadToEnd)
    return client[noun].list(query, { parameters, consistent, limit });
  const left = limit === undefined ? undefined : limit - position.rows;
  return client[noun].list(query, { parameters, limit: left, from });
}
