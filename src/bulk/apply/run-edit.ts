import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { readCurrentRecords } from '../plan/current-records.ts';
import type { Plan } from '../plan/plan-file.ts';
import type { PlannedRow } from '../plan/planned-row.ts';
import { openRecordJoin } from '../plan/record-join.ts';
import { type ApplyResult, applyPlan, countErrors } from './apply-plan.ts';
import { countSettled, createTakenIdCheck, type OpenEditJob } from './edit-job.ts';
import { createRemoteRecords, type RemoteRecords } from './remote-records.ts';
import { type Reports, writeReports } from './results.ts';

export interface RunOptions {
  readonly client: SalonClient;
  /** Rows sent at a time. */
  readonly concurrency: number;
  readonly now: () => Date;
  /** Failures of this run after which nothing more is sent; the job's own limit by default. */
  readonly maxErrors?: number | undefined;
  /** Stops sending when it fires; requests in flight finish. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rows that have an outcome, and of how many. */
  readonly onProgress?: ((settled: number, changes: number) => void) | undefined;
}

export interface RunResult extends ApplyResult {
  /** Undefined if they could not be written. */
  readonly reports: Reports | undefined;
}

/** Updates and deletes flushed together; after a crash, each of them has to be checked. */
const intentBatch = 64;

/** Applies what is left of a job's plan, writes the reports and journals how the run ended. */
export async function runEditJob(
  { job, plan, progress, journal, folder, journalPath }: OpenEditJob,
  { client, concurrency, now, signal, onProgress, ...limits }: RunOptions,
): Promise<RunResult> {
  const { edit, changes, undoes } = job.work;
  const maxErrors = limits.maxErrors ?? job.work.maxErrors;
  const records = createRemoteRecords(client, edit);
  using disposables = new DisposableStack();
  let current: Promise<Plan['rows']> | undefined;
  async function* readRows() {
    current ??= readCurrentRows({ plan, client, records, disposables });
    yield* (await current)();
  }
  let settled = countSettled(progress.tally);
  const end = await applyPlan({
    jobId: job.id,
    readRows,
    progress,
    createdAtMs: Date.parse(job.createdAt),
    journal,
    records,
    concurrency,
    batchSize: edit.verb === 'create' ? concurrency : intentBatch,
    // Failures of earlier runs do not count.
    maxErrors: maxErrors === null ? null : countErrors(progress.tally) + maxErrors,
    nowMs: () => now().getTime(),
    signal,
    isTaken: createTakenIdCheck(journalPath),
    onSettled: () => onProgress?.(++settled, changes),
  });
  const reports = await attempt(() => writeReports({ plan, journalPath, folder, hasSheet: undoes === null }));
  const stop = end.stop ?? (reports instanceof SalonError ? reports : undefined);
  const at = now().toISOString();
  if (stop === undefined) await journal.append({ type: 'done', at });
  // If the journal cannot be written, it has no end entry.
  else await journal.append({ type: 'stopped', at, code: stop.code, message: stop.message }).catch(() => {});
  await journal.commit().catch(() => {});
  return { ...end, stop, reports: reports instanceof SalonError ? undefined : reports };
}

async function attempt<Result>(act: () => Promise<Result>): Promise<Result | SalonError> {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof SalonError) return thrown;
    throw thrown;
  }
}

interface CurrentRowsOptions {
  readonly plan: Plan;
  readonly client: SalonClient;
  readonly records: RemoteRecords;
  readonly disposables: DisposableStack;
}

/**
 * The rows of a plan, ready to apply. If the server has no endpoint for single records the whole list is read again first, and
 * rows come with their current records.
 */
async function readCurrentRows(options: CurrentRowsOptions): Promise<Plan['rows']> {
  const { plan, client, records, disposables } = options;
  const first = await findExisting(plan);
  if (first === undefined || (await records.readsSingle(first))) return plan.rows;
  const join = disposables.use(openRecordJoin<PlannedRow>('id'));
  for await (const item of plan.rows()) {
    const { row, line, id: key, act } = item;
    if (act === 'update' || act === 'delete') join.addRow({ row, line, key, item });
  }
  await readCurrentRecords({ client, noun: plan.head.edit.noun, match: 'id', join });
  return async function* rows() {
    for (const { item, found } of join.joined()) yield { ...item, current: found?.record ?? null };
  };
}

/** ID of the first record that will be updated or deleted. */
async function findExisting(plan: Plan): Promise<string | undefined> {
  for await (const { id, act } of plan.rows()) {
    if (act === 'update' || act === 'delete') return id ?? undefined;
  }
  return undefined;
}
