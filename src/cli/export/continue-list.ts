import { tmpdir } from 'node:os';
import { type Checkpoint, findResumePoint } from '../../bulk/export/checkpoint.ts';
import { continueExport } from '../../bulk/export/export-run.ts';
import { joinVerdicts } from '../../bulk/export/export-verdict.ts';
import { onlyNewRows } from '../../bulk/export/only-new-rows.ts';
import type { Row } from '../../bulk/export/pour.ts';
import { type Reopening, reopenExport } from '../../bulk/export/reopen-export.ts';
import type { ExportJob } from '../../bulk/jobs/job.ts';
import { journalPath } from '../../bulk/jobs/job-folder.ts';
import type { SalonClient } from '../../client/client.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { openSeenKeys, type SeenKeys } from '../../client/pagination/seen-keys.ts';
import { columnSet } from '../output/columns.ts';
import { pourRecords } from '../output/pour-records.ts';
import { readStyle } from '../output/print-style.ts';
import { createResumedLayout } from '../output/row-layout.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { toJobCall } from './job-context.ts';
import { runExport } from './run-export.ts';

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
  using sightings = openSeenKeys(tmpdir());
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
