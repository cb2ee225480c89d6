import { basename, dirname, join, resolve } from 'node:path';
import {
  type Checkpoint,
  comparePartial,
  findCheckpoint,
  readResumePoint,
} from '../../bulk/export/checkpoint.ts';
import {
  createExportWriter,
  type ExportRecord,
  finishRecord,
  type ReopenExportOptions,
  reopenExport,
} from '../../bulk/export/export-writer.ts';
import {
  adoptCheckpoint,
  type CheckpointHead,
  checkpointPath,
  keepKilled,
  lockPartialFile,
  readCheckpointHead,
} from '../../bulk/export/partial-checkpoint.ts';
import type { ExportJob, ExportWork } from '../../bulk/jobs/job.ts';
import { createStillRunningError, journalPath, lockJob } from '../../bulk/jobs/job-folder.ts';
import { type ExportEntry, openJournal } from '../../bulk/jobs/journal.ts';
import { keptPath, type OutputTarget, type PartialFile, partialPath } from '../../bulk/jobs/partial-file.ts';
import type { Fields } from '../../client/json-object.ts';
import { keysOf } from '../../client/pagination/page.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { openSeenKeys, type SeenKeys } from '../../client/pagination/seen-keys.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { jobsFolder } from '../folders.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { nouns } from '../nouns/nouns.ts';
import { columnSet, findWantedNames } from '../output/columns.ts';
import type { RecordPage } from '../output/command-result.ts';
import { readStyle } from '../output/format.ts';
import { createListWriter } from '../output/list-writer.ts';
import { readOutputTarget, toShownPath } from '../output/output-file.ts';
import type { NameColumns } from '../people/named-rows.ts';
import { readAccount } from '../session/account.ts';
import { type CommandContext, openJobContext } from '../session/command-context.ts';
import { toKeyFingerprint } from '../session/session.ts';
import { openPages, withNames } from './list-records.ts';
import { finishRun, runExport } from './run-export.ts';

/** Resumes an interrupted export. Does nothing if it is done. Returns the exit code. */
export async function resumeExport(job: ExportJob, context: CommandContext): Promise<number> {
  const { io, messages } = context;
  const { id, work } = job;
  const root = jobsFolder(io);
  await using lock = await lockJob(root, id);
  const target = await readTarget(job);
  await using partialLock = await lockPartialFile(target, id);
  if (partialLock === undefined) throw createStillRunningError(id);
  const sources = [partialPath(target, id), keptPath(target)];
  const checkpoint = await findCheckpoint(journalPath(root, id), { sources, target: target.realPath });
  const output = toShownPath(work.output, io.cwd);
  if (checkpoint.isDone) {
    messages.info(`Job ${id} is already done: ${output}`);
    return exitCodes.done.code;
  }
  const { complete, source, journalBytes } = checkpoint;
  if (checkpoint.isDamaged) messages.warn("The job's last part is damaged or missing. It is read again.");
  const reopening = { root, job, lock, target, checkpoint };
  if (complete === undefined) return await exportRest(reopening, output, context);
  const finish = (record: ExportRecord, file?: PartialFile) => {
    const writer = { position: complete, finish: (at: string) => finishRecord(record, complete, at) };
    return finishRun({ writer, file, target, work, job, report: complete.verdict ?? undefined }, context);
  };
  if (source === target.realPath) {
    await using journal = await openJournal<ExportEntry>(journalPath(root, id), journalBytes);
    await finish({ id, journal, lock });
  } else {
    await using reopened = await reopenExport({ ...reopening, key: '' });
    await finish(reopened.record, reopened.file);
  }
  messages.info(`${countOf(complete.written, work.noun)} written to ${output}`);
  return exitCodes.done.code;
}

async function readTarget({ id, work }: ExportJob): Promise<OutputTarget> {
  const target = await readOutputTarget(work.output);
  if (target !== undefined) return target;
  throw new SalonError('usage', `Cannot resume job ${id}: ${work.output} is no longer a file.`, {
    hint: 'Run the original command again.',
  });
}

/** Reads the rest of a list after a checkpoint and finishes the export. Returns the exit code. */
async function exportRest(
  reopening: Omit<ReopenExportOptions, 'key'>,
  output: string,
  given: CommandContext,
): Promise<number> {
  const { job, checkpoint } = reopening;
  const { work } = job;
  const { position, earlierRuns } = checkpoint;
  given.messages.info(renderStart(checkpoint, work.noun));
  const context = await openJobContext(job, given);
  context.waitForService();
  const client = await context.client();
  using seen = openSeenKeys();
  const pages = await listRest(job, checkpoint, seen, context);
  const { excel, layout, timeZone } = work;
  const style = { ...(await readStyle(context)), excel, layout, timeZone };
  const { written, bytes } = position;
  const key = toKeyFingerprint(await context.session());
  await using reopened = await reopenExport({ ...reopening, key });
  const { file, record } = reopened;
  return await runExport({
    records: {
      show: 'records',
      noun: work.noun,
      columns: columnSet({}),
      pages: await withNames(onlyNewRows(pages, seen), { columns: toNames(work), forPeople: false }, context),
      rateLimit: client.limits,
      report: pages.consistency,
      list: work,
    },
    formatter: createListWriter({
      ...style,
      isFile: true,
      earlier: { columns: work.columns, written, hasBegun: bytes > 0 },
    }),
    writer: createExportWriter({
      file,
      createRecord: async () => record,
      nowMs: () => context.io.now().getTime(),
      resumed: { record, position },
    }),
    file,
    target: reopening.target,
    limit: (work.limit ?? Number.POSITIVE_INFINITY) - position.rows,
    job,
    toWork: () => work,
    output,
    context,
    earlierRuns,
  });
}

/** Drops the rows that `seen` has, and adds all others to it. */
async function* onlyNewRows(
  pages: AsyncIterable<RecordPage>,
  seen: SeenKeys,
): AsyncGenerator<RecordPage, void> {
  for await (const page of pages) {
    const isNew = seen.add(keysOf(page.rows));
    yield { ...page, rows: page.rows.filter((_row, index) => isNew[index]) };
  }
}

/** The columns with names that the first part of the file has. */
function toNames({ noun, columns }: ExportWork): NameColumns {
  return columns === null ? {} : findWantedNames(nouns[noun].columns, { requested: columns.join(',') });
}

function renderStart({ position, earlierRuns, isReadToEnd }: Checkpoint, noun: string): string {
  const rows = renderCount(position.rows);
  const { firstTotal } = earlierRuns;
  if (position.rows === 0) return 'No rows to resume from; starting again.';
  if (isReadToEnd) return `Reading all ${noun} again to find those missing from the ${rows}.`;
  if (firstTotal === undefined) return `Resuming after ${rows} ${noun}.`;
  return `Resuming after ${rows} of ${renderCount(firstTotal)} ${noun}.`;
}

/**
 * Lists the rows after a checkpoint. With --consistent, or if rows were missing at the end of the list, it is read
 * from its start; rows that were written already are dropped later.
 */
async function listRest(
  { work, id }: ExportJob,
  { position, isReadToEnd, ...checkpoint }: Checkpoint,
  seen: SeenKeys,
  context: CommandContext,
): Promise<PagedList<Fields>> {
  const { parameters, consistent } = work;
  const client = await context.client();
  const limit = work.limit ?? undefined;
  const journal = journalPath(jobsFolder(context.io), id);
  const from = position.rows === 0 ? undefined : await readResumePoint(journal, checkpoint, seen);
  if (from === undefined || consistent || isReadToEnd) {
    return openPages(client, work, { parameters, consistent, limit }, context);
  }
  const left = limit === undefined ? undefined : limit - position.rows;
  return openPages(client, work, { parameters, limit: left, from }, context);
}

/**
 * Resumes an export from a file beside its output, or that one's name, as a killed process or another machine left it.
 * Its checkpoint is not trusted: origin and account must be those of this command, and the rows must be those that the
 * checkpoint describes. Returns the exit code.
 */
export async function resumePartial(given: string, context: CommandContext): Promise<number> {
  const output = await findOutput(resolve(context.io.cwd, given));
  const target = await readOutputTarget(output);
  if (target === undefined) {
    throw new SalonError('usage', `Cannot resume ${given}: ${output} is not a file.`);
  }
  const file = toShownPath(keptPath(target), context.io.cwd);
  await keepKilled(target, context.io.now());
  const head = await readCheckpointHead(checkpointPath(target));
  const own = await openJobContext(head.job, context);
  await assertSameAccount(head, file, own);
  const { valid } = await comparePartial(checkpointPath(target), keptPath(target));
  if (valid === 0) {
    throw new SalonError('usage', `${file} does not have the rows that its checkpoint describes.`, {
      hint: 'Copy both files again, or run the export again.',
    });
  }
  const job = await adoptCheckpoint(jobsFolder(context.io), target);
  if (head.job.work.state !== null && job.work.state === null) {
    context.messages.warn('The state of --since-last is not saved: its file belongs to another machine.');
  }
  return resumeExport(job, context);
}

/** The output of an export, from its name, that of its `.partial` file, or of a hidden file of a killed process. */
async function findOutput(path: string): Promise<string> {
  const [, hidden] = /^(.*[\\/]\.salon-[^\\/]+)\.(?:tmp|job|lock)$/.exec(path) ?? [];
  if (hidden === undefined) return path.replace(/\.partial(?:\.job)?$/, '');
  const { job } = await readCheckpointHead(`${hidden}.job`);
  return join(dirname(path), basename(job.work.output));
}

/** Throws `usage` if the rows so far may be those of another account. */
async function assertSameAccount(
  { job, key }: CheckpointHead,
  file: string,
  context: CommandContext,
): Promise<void> {
  const session = await context.session();
  if (key === toKeyFingerprint(session)) return;
  const account = job.account === null ? undefined : (await readAccount(await context.client()))?.id;
  if (account !== undefined && account === job.account) return;
  const whose = account === undefined ? 'its account cannot be compared' : 'that of another account';
  throw new SalonError('usage', `${file} was exported with another API key, and ${whose}.`, {
    hint: 'Use the same key, or run the export again.',
  });
}
