import {
  type ExportRecord,
  type ExportRun,
  type Kept,
  startExport,
} from '../../bulk/export/export-writer.ts';
import { finishExport } from '../../bulk/export/finish-export.ts';
import {
  createPartialFile,
  type FilePlace,
  type PartialFile,
  partialPath,
} from '../../bulk/export/partial-file.ts';
import type { Poured } from '../../bulk/export/write-pages.ts';
import type { ExportJob, ExportWork } from '../../bulk/jobs/job.ts';
import { createJobId } from '../../bulk/jobs/job-folder.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { type SalonError, withContext } from '../../contract/errors.ts';
import { renderCount } from '../../contract/numbers.ts';
import type { ListFlags } from '../flags/options.ts';
import type { Interrupt } from '../io.ts';
import { version } from '../io.ts';
import { toSalonError } from '../messages/errors.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { AskedList, Records } from '../output/command-result.ts';
import { disagreement, tellCounts, tellReconciliation } from '../output/consistency-text.ts';
import { type Layout, readLayout, readStyle } from '../output/format.ts';
import { toShownPath, writeWhole } from '../output/output-file.ts';
import { pourRecords, readLimit, reportPartly } from '../output/print-records.ts';
import { createRowLayout } from '../output/row-layout.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { toServiceOrigin } from '../session/session.ts';

export interface RunningExport {
  readonly run: ExportRun;
  readonly file: PartialFile;
  /** Where the file lies until it is in its place. */
  readonly dataPath: string;
  /** What it is; its columns are known once rows have come. */
  readonly work: () => ExportWork;
  /** The file as people know it. */
  readonly output: string;
  readonly origin: string;
  readonly startedAt: string;
  readonly context: CommandContext;
  pour(): Promise<Poured>;
  /** How sure it is that no row is missing. */
  judge(): ConsistencyReport | undefined;
}

/** Takes an export from its rows to its place. What has come is kept when something fails. Answers the exit code. */
export async function runExport(running: RunningExport): Promise<number> {
  const { run, file, dataPath, work, output, origin, startedAt, context } = running;
  const { io, messages } = context;
  try {
    const { ending, total } = await running.pour();
    const { noun, limit } = work();
    const verdict = running.judge();
    tellReconciliation(verdict, noun, messages);
    if (verdict?.kind === 'disagreement') throw disagreement(verdict, noun);
    await run.complete(ending, verdict);
    await finishExport({
      run,
      file,
      dataPath,
      work: work(),
      origin,
      verdict,
      startedAt,
      now: io.now,
      salonVersion: version,
      writeWhole,
    });
    const counted = { noun, limit: limit ?? Number.POSITIVE_INFINITY, output, messages };
    tellCounts({ ...run.position, total }, counted);
    return exitCodes.done.code;
  } catch (thrown) {
    return endUnfinished(thrown, { run, noun: work().noun, context });
  }
}

export interface ListExport {
  readonly outcome: Records;
  readonly list: AskedList;
  readonly context: CommandContext<ListFlags>;
  readonly place: FilePlace;
}

/** Exports a list into a file, whole or not at all. One of several pages is a job, which can be gone on with. */
export async function exportList({ outcome, list, context, place }: ListExport): Promise<number> {
  const { flags, io } = context;
  const layout = await readLayout(context);
  const startedAt = io.now();
  const id = createJobId(startedAt, io.random);
  const facts = { id, createdAt: startedAt.toISOString() };
  const limit = readLimit(flags);
  const origin = toServiceOrigin(await context.session());
  const style = await readStyle(context);
  const rowLayout = createRowLayout({
    ...style,
    layout,
    columns: outcome.columns,
    requested: flags.columns,
    tell: context.messages.info,
  });
  const work = (): ExportWork => ({
    ...list,
    layout,
    excel: style.excel,
    columns: rowLayout.columns(),
    timeZone: style.timeZone,
    output: place.path,
  });
  await using file = await createPartialFile(place, id);
  const run = startExport({
    file,
    openRecord: async () =>
      canGoOn(outcome, layout) ? keepRecord({ ...facts, origin, work: work() }, context) : undefined,
    now: () => io.now().getTime(),
  });
  return await runExport({
    run,
    file,
    dataPath: partialPath(place, id),
    work,
    output: flags.output ?? place.path,
    origin,
    startedAt: facts.createdAt,
    context,
    pour: () => pourRecords(outcome, context, { layout: rowLayout, limit, isFile: true, take: run.take }),
    judge: () => outcome.verdict?.(),
  });
}

/** How wide a table is depends on its first rows, and which rows come first in an order made here on all of them. */
function canGoOn({ isSortedHere }: Records, layout: Layout): boolean {
  return layout !== 'table' && isSortedHere?.() !== true;
}

/** Makes the job of an export. That none can be kept is no reason not to export. */
async function keepRecord(
  facts: Pick<ExportJob, 'id' | 'createdAt' | 'origin' | 'work'>,
  { io, session, messages }: CommandContext,
): Promise<ExportRecord | undefined> {
  const { createJobRecord: startRecord } = await import('../../bulk/jobs/job-folder.ts');
  const { profileName, profile } = await session();
  const owner = { profile: profileName ?? null, account: profile?.account?.id ?? null };
  try {
    return await startRecord(jobsFolder(io), { version: 1, kind: 'export', ...facts, ...owner });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    messages.warn(`Should this export stop, it will have to start again: no job can be kept (${reason}).`);
    return undefined;
  }
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
  return withContext(error, {
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
