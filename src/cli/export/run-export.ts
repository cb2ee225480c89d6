import type { EarlierRuns } from '../../bulk/export/checkpoint.ts';
import { createExportWriter, type ExportRecord, type ExportWriter } from '../../bulk/export/export-writer.ts';
import { type FinishOptions, finishExport } from '../../bulk/export/finish-export.ts';
import {
  checkpointPath,
  keepCheckpoint,
  keepKilled,
  lockPartialFile,
  readCheckpointHead,
  withCheckpoint,
} from '../../bulk/export/partial-checkpoint.ts';
import type { ExportJob, ExportWork } from '../../bulk/jobs/job.ts';
import { createJobId } from '../../bulk/jobs/job-folder.ts';
import type { ExportEntry } from '../../bulk/jobs/journal.ts';
import {
  createPartialFile,
  keptPath,
  type OutputTarget,
  type PartialFile,
} from '../../bulk/jobs/partial-file.ts';
import { withContext } from '../../contract/errors.ts';
import { renderCount } from '../../text/numbers.ts';
import type { ListFlags } from '../flags/options.ts';
import { jobsFolder } from '../folders.ts';
import { type Interrupt, version } from '../io.ts';
import { toSalonError } from '../messages/errors.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { ListRequest, Records } from '../output/command-result.ts';
import { type Layout, readLayout, readStyle } from '../output/format.ts';
import { createListWriter, type ListWriter } from '../output/list-writer.ts';
import { toShownPath, writeOutputFile } from '../output/output-file.ts';
import {
  findInconsistency,
  printPartialError,
  readLimit,
  reportConsistency,
  reportCounts,
  writeRecords,
} from '../output/print-records.ts';
import { readMe } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { findSavedAccount, toKeyFingerprint, toServiceOrigin } from '../session/session.ts';

interface ListExport {
  readonly records: Records;
  readonly list: ListRequest;
  readonly target: OutputTarget;
  readonly context: CommandContext<ListFlags>;
}

/** Exports a list into a file. An export of several pages is a job that can be resumed. Returns the exit code. */
export async function exportList({ records, list, target, context }: ListExport): Promise<number> {
  const { flags, io, messages } = context;
  const startedAt = io.now();
  const job = { id: createJobId(startedAt, io.random), createdAt: startedAt.toISOString() };
  const limit = readLimit(flags);
  const origin = toServiceOrigin(await context.session());
  const { columns } = records;
  const [layout, style] = [await readLayout(context), await readStyle(context, columns)];
  const format = { ...style, layout, isFile: true, columns, requested: flags.columns, report: messages.info };
  const formatter = createListWriter(format);
  const { excel, timeZone } = style;
  const facts = { ...list, layout, excel, timeZone, output: target.path };
  const toWork = (): ExportWork => ({ ...facts, columns: formatter.columns() });
  await mentionUnfinished(target, context);
  await using _lock = await lockPartialFile(target, job.id);
  await using file = await createPartialFile(target, job.id);
  const writer = createExportWriter({
    file,
    createRecord: async () =>
      isResumable(records, layout)
        ? createRecord({ ...job, origin, work: toWork() }, target, context)
        : undefined,
    nowMs: () => io.now().getTime(),
    // A part of an .xlsx cannot be opened.
    isWhole: layout === 'xlsx',
  });
  return await runExport({
    records,
    formatter,
    writer,
    file,
    target,
    limit,
    job: { ...job, origin },
    toWork,
    output: flags.output ?? target.path,
    context,
  });
}

/** The widths of a table depend on its first rows; the first rows of a list sorted here, on all of them. */
function isResumable({ isSortedHere }: Records, layout: Layout): boolean {
  return layout !== 'table' && layout !== 'xlsx' && isSortedHere?.() !== true;
}

/** Creates the job of an export, which continues without one if that fails. */
async function createRecord(
  facts: Pick<ExportJob, 'id' | 'createdAt' | 'origin' | 'work'>,
  target: OutputTarget,
  { io, session, messages, client }: CommandContext,
): Promise<ExportRecord | undefined> {
  const { createJobRecord } = await import('../../bulk/jobs/job-folder.ts');
  const open = await session();
  try {
    // For another key of the account, which may resume it elsewhere.
    const ask = async () => (await readMe(await client()))?.account;
    const account = findSavedAccount(open) ?? (await ask().catch(() => undefined));
    const owner = { profile: open.profileName ?? null, account: account?.id ?? null };
    const root = jobsFolder(io);
    const job: ExportJob = { version: 1, kind: 'export', ...facts, ...owner };
    const record = await createJobRecord<ExportEntry>(root, job);
    return await withCheckpoint(record, target, { root, job, key: toKeyFingerprint(open) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    messages.warn(`This export cannot be resumed: ${reason}`);
    return undefined;
  }
}

/** Starting again is right where the first run cannot be resumed, but wasteful if the user does not know of it. */
async function mentionUnfinished(target: OutputTarget, { io, messages }: CommandContext): Promise<void> {
  await keepKilled(target, io.now());
  const head = await readCheckpointHead(checkpointPath(target)).catch(() => undefined);
  if (head === undefined) return;
  const file = toShownPath(keptPath(target), io.cwd);
  messages.info(`An earlier export to this file is unfinished. Resume it with: salon jobs resume ${file}`);
}

interface ExportRun {
  readonly records: Records;
  readonly formatter: ListWriter;
  readonly writer: ExportWriter;
  readonly file: PartialFile;
  readonly target: OutputTarget;
  /** Rows to read at most. */
  readonly limit: number;
  readonly job: Pick<ExportJob, 'id' | 'createdAt' | 'origin'>;
  /** The export; its columns are known after the first page. */
  readonly toWork: () => ExportWork;
  /** The output path in messages. */
  readonly output: string;
  readonly context: CommandContext<ListFlags>;
  /** Set if the export is resumed. */
  readonly earlierRuns?: EarlierRuns;
}

/** Writes the rows of a new or resumed export and finishes it. Rows are kept if it fails. Returns the exit code. */
export async function runExport(run: ExportRun): Promise<number> {
  const { records, formatter, writer, file, target, limit, job, output, context } = run;
  const { noun } = records;
  const doneBefore = writer.position.rows;
  try {
    const { write } = writer;
    const options = { formatter, limit, isFile: true, doneBefore, write };
    const { ending, total } = await writeRecords(records, context, options);
    const report = await toReport(run);
    reportConsistency(report, noun, context.messages);
    const inconsistency = findInconsistency(report, { noun, isStrict: context.flags.strict === true });
    if (inconsistency !== undefined) throw inconsistency;
    await writer.complete(ending, report);
    const work = run.toWork();
    await finishRun({ writer, file, target, work, job, report }, context);
    const counted = { noun, limit: work.limit ?? Number.POSITIVE_INFINITY, output };
    reportCounts({ ...writer.position, total }, counted, context.messages);
    return exitCodes.done.code;
  } catch (thrown) {
    return stopExport(thrown, run);
  }
}

/** Finishes an export that has all rows; this needs no server. */
export function finishRun(
  run: Omit<FinishOptions, 'now' | 'salonVersion' | 'writeFile'>,
  { io }: CommandContext,
): Promise<void> {
  return finishExport({ ...run, now: io.now, salonVersion: version, writeFile: writeOutputFile });
}

async function toReport({ records, earlierRuns, writer }: ExportRun) {
  const report = records.report?.();
  if (report === undefined || earlierRuns === undefined || earlierRuns.rows === 0) return report;
  const { mergeReports } = await import('../../bulk/export/checkpoint.ts');
  return mergeReports(earlierRuns, report, writer.position.rows);
}

/**
 * Keeps the rows of a failed export, and adds to its error where they are and how to continue. Throws if there are none,
 * and if it was interrupted.
 */
async function stopExport(thrown: unknown, run: ExportRun): Promise<number> {
  const { writer, records, context } = run;
  const { io, flags } = context;
  const interrupt = io.signal.aborted ? (io.signal.reason as Interrupt) : undefined;
  const error = toSalonError(thrown, interrupt);
  const { code, message } = error;
  // The whole list was read, so that reading on would add nothing.
  const isReadToEnd = error.members['verdict'] !== undefined;
  const stopCode = isReadToEnd ? 'disagreement' : code;
  const { path, jobId } = await writer.stop({ code: stopCode, message, at: io.now().toISOString() });
  if (path === undefined && jobId === undefined) throw thrown;
  const { rows } = writer.position;
  const file = path === undefined ? undefined : toShownPath(path, io.cwd);
  const baseUrl = flags.baseUrl === undefined ? '' : ` --base-url ${flags.baseUrl}`;
  const isPortable = path !== undefined && jobId !== undefined && (await keepCheckpoint(run.target, jobId));
  const hints = [
    file === undefined ? undefined : `${renderCount(rows)} ${records.noun} are in ${file}.`,
    jobId === undefined ? error.hint : `Resume with: salon jobs resume ${jobId}${baseUrl}`,
    isPortable ? `On another machine: salon jobs resume ${file}${baseUrl}` : undefined,
  ];
  const partialError = withContext(error, {
    hint: hints.filter((hint) => hint !== undefined).join('\n  '),
    members: {
      ...error.members,
      rows_kept: rows,
      ...(file !== undefined && { partial_file: file }),
      ...(jobId !== undefined && { job: jobId }),
    },
  });
  if (path === undefined || code === 'interrupted' || code === 'bug') throw partialError;
  return printPartialError(partialError, context);
}
