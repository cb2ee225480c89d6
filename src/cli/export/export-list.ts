import { type ExportRecord, startExport } from '../../bulk/export/export-run.ts';
import type { ExportWork } from '../../bulk/export/export-work.ts';
import { createPartialFile, type FilePlace, partialPath } from '../../bulk/export/partial-file.ts';
import type { ExportJob } from '../../bulk/job.ts';
import { createJobId } from '../../bulk/jobs/job-folder.ts';
import type { ListFlags } from '../flags/options.ts';
import type { AskedList, Records } from '../output/command-result.ts';
import type { Layout } from '../output/format.ts';
import { pourRecords, readLimit } from '../output/pour-records.ts';
import { readStyle } from '../output/print-style.ts';
import { createRowLayout } from '../output/row-layout.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { toServiceOrigin } from '../session/session.ts';
import { runExport } from './run-export.ts';

export interface ListExport {
  readonly outcome: Records;
  readonly list: AskedList;
  readonly context: CommandContext<ListFlags>;
  readonly layout: Layout;
  readonly place: FilePlace;
}

/** Exports a list into a file, whole or not at all. One of several pages is a job, which can be gone on with. */
export async function exportList({ outcome, list, context, layout, place }: ListExport): Promise<number> {
  const { flags, io } = context;
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
  const { startRecord } = await import('../../bulk/job-record.ts');
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
