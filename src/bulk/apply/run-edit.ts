import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { isSameValue } from '../input/cell-values.ts';
import { openPlan, type Plan, writePlan } from '../plan/plan-file.ts';
import { openDraft } from '../plan/plan-rows.ts';
import type { PlannedRow } from '../plan/planned-row.ts';
import type { KeyedRow } from '../plan/record-join.ts';
import { type ApplyEnd, type Applying, applyPlan, countErrors } from './apply-plan.ts';
import type { OpenEditJob } from './edit-job.ts';
import { createTakenIds } from './edit-progress.ts';
import { createRemoteRecords, type RemoteRecords } from './remote-records.ts';
import { type Reports, writeReports } from './reports.ts';

export interface EditRun extends Omit<Applying, 'readRows' | 'records' | 'isTaken' | 'now'> {
  readonly plan: Plan;
  readonly client: SalonClient;
  /** Where temporary files may lie: they hold records. */
  readonly folder: string;
  /** Where the journal lies. */
  readonly journalPath: string;
  readonly now: () => Date;
  /** Writes down what became of every row. */
  readonly report: () => Promise<void>;
}

/** Carries out what is left of a plan, reports it, and writes down how it ended. */
export async function runEdit({
  plan,
  client,
  folder,
  journalPath,
  now,
  report,
  ...run
}: EditRun): Promise<ApplyEnd> {
  const records = createRemoteRecords({ client, edit: plan.head.edit, isSameValue });
  const path = join(folder, 'current.json');
  await using files = new AsyncDisposableStack();
  files.defer(() => rm(path, { force: true }));
  let current: Promise<Plan['rows']> | undefined;
  async function* readRows() {
    current ??= readCurrentRows({ plan, client, records, path, folder });
    yield* (await current)();
  }

  const end = await applyPlan({
    ...run,
    records,
    readRows,
    isTaken: createTakenIds(journalPath),
    now: () => now().getTime(),
  });
  const unreported = await attempt(report);
  const stop = end.stop ?? unreported;
  const at = now().toISOString();
  if (stop === undefined) await run.journal.append({ type: 'done', at });
  // A journal that cannot be written says so by its missing end.
  else
    await run.journal.append({ type: 'stopped', at, code: stop.code, message: stop.message }).catch(() => {});
  await run.journal.commit().catch(() => {});
  return { ...end, stop };
}

/** The error that an act ends with, if any. */
async function attempt(act: () => Promise<void>): Promise<SalonError | undefined> {
  try {
    await act();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof SalonError) return thrown;
    throw thrown;
  }
}

export interface EditRunning {
  readonly client: SalonClient;
  /** Connections that the client has at once. */
  readonly concurrency: number;
  readonly now: () => Date;
  /** After so many failures of this run nothing more is sent; left out: as many as the job says. */
  readonly maxErrors?: number | undefined;
  /** Nothing new is sent once it fires; what is under way is waited for. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many rows of how many it is known of what became of them. */
  readonly watch?: ((settled: number, changes: number) => void) | undefined;
}

export interface EditEnd extends ApplyEnd {
  /** Undefined where they could not be written. */
  readonly reports: Reports | undefined;
}

/** Updates and removals that go to disk together: after a kill each of them has to be looked at. */
const announcedAtOnce = 64;

/** Carries out what is left of a job's plan, and writes down what became of every row. */
export async function runEditJob(
  { job, plan, progress, journal, folder, journalPath }: OpenEditJob,
  { client, concurrency, now, signal, watch, ...running }: EditRunning,
): Promise<EditEnd> {
  const { edit, changes, undoes } = job.work;
  const maxErrors = running.maxErrors ?? job.work.maxErrors;
  let settled = Object.values(progress.tally).reduce((sum, times) => sum + times, 0);
  let reports: Reports | undefined;
  const end = await runEdit({
    jobId: job.id,
    plan,
    client,
    folder,
    journalPath,
    journal,
    progress,
    width: concurrency,
    atOnce: edit.verb === 'create' ? concurrency : announcedAtOnce,
    // Those of an earlier run were looked at before this one was started.
    maxErrors: maxErrors === null ? null : countErrors(progress.tally) + maxErrors,
    now,
    signal,
    settled: () => {
      settled += 1;
      watch?.(settled, changes);
    },
    report: async () => {
      reports = await writeReports({ plan, journalPath, folder, hasSheet: undoes === null });
    },
  });
  return { ...end, reports };
}

export interface Refreshing {
  readonly plan: Plan;
  readonly client: SalonClient;
  readonly records: RemoteRecords;
  /** Where the rows can be kept meanwhile. */
  readonly path: string;
  readonly folder: string;
}

/**
 * The rows of a plan as they are carried out. Where the server can be asked for single records each is looked at in
 * its turn; where not, the whole list is read once more, and rows come with what their records hold now.
 */
export async function readCurrentRows({
  plan,
  client,
  records,
  path,
  folder,
}: Refreshing): Promise<Plan['rows']> {
  const first = await findFirst(plan);
  if (first === undefined || (await records.readsOne(first))) return plan.rows;
  const { noun } = plan.head.edit;
  using refreshed = await openDraft<PlannedRow>({
    client,
    folder,
    noun,
    match: 'id',
    rows: toKeyed(plan.rows()),
    plan: ({ item, found }) => ({ ...item, present: found?.record ?? null }),
  });
  await writePlan(path, plan.head, refreshed.rows);
  return (await openPlan(path)).rows;
}

/** The first record that is to be changed or removed. */
async function findFirst(plan: Plan): Promise<string | undefined> {
  for await (const { id } of toKeyedItems(plan.rows())) return id ?? undefined;
  return undefined;
}

async function* toKeyed(rows: AsyncIterable<PlannedRow>): AsyncGenerator<KeyedRow<PlannedRow>> {
  for await (const item of toKeyedItems(rows)) yield { row: item.row, line: item.line, key: item.id, item };
}

async function* toKeyedItems(rows: AsyncIterable<PlannedRow>): AsyncGenerator<PlannedRow> {
  for await (const row of rows) if (row.act === 'update' || row.act === 'delete') yield row;
}
