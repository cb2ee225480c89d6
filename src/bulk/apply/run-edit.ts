import type { SalonClient } from '../../client/client.ts';
import { maxBookings } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { addsRecords } from '../input/edit-fields.ts';
import type { EditJob } from '../jobs/job.ts';
import { lockJob } from '../jobs/job-folder.ts';
import type { OutcomeCounts } from '../jobs/journal.ts';
import { readCurrentRecords } from '../plan/current-records.ts';
import { jobPlanPath, openJobPlan, type Plan, readEditJob, toPlan } from '../plan/plan-file.ts';
import { countChanges, type PlannedRow } from '../plan/plan-format.ts';
import { openRecordJoin, type RecordJoin } from '../plan/record-join.ts';
import { sendRow } from './apply-row.ts';
import { createBatchSender } from './batch-sender.ts';
import { createAddedError, readSheetHistory, toDigest, toSheetDigest } from './related-jobs.ts';
import { createRemoteRecords } from './remote-records.ts';
import { type ReadContacts, type Reports, writeReports } from './results.ts';
import { runSteps, type StepsResult } from './run-steps.ts';
import { createTakenIdCheck, journalEnd, type OpenStepJob, openStepJob, reopenStepJob } from './step-job.ts';

export interface RunOptions {
  readonly client: SalonClient;
  /** Rows sent at a time. */
  readonly concurrency: number;
  readonly now: () => Date;
  /** Failures of this run after which nothing more is sent; the job's own limit by default. */
  readonly maxErrors?: number | undefined;
  /** Stops sending when it fires; requests in flight finish. */
  readonly signal?: AbortSignal | undefined;
  readonly readContacts?: ReadContacts | undefined;
  /** Called with the number of rows that have an outcome, and of how many. */
  readonly onProgress?: ((settled: number, changes: number) => void) | undefined;
}

export interface RunResult extends StepsResult {
  /** Undefined if they could not be written. */
  readonly reports: Reports | undefined;
}

type NewEditJob = Pick<EditJob, 'id' | 'profile'> &
  Pick<EditJob['work'], 'undoes' | 'isBatch' | 'maxErrors'> & {
    readonly plan: Plan;
    readonly again?: boolean | undefined;
  };

/**
 * Turns the plan folder with this ID into a job. Sends nothing. Throws `confirmation_required` for a sheet that another
 * job adds or has added, without `again`.
 */
export async function openEditJob(
  root: string,
  { id, profile, plan, undoes, isBatch, maxErrors, again }: NewEditJob,
  now: Date,
): Promise<OpenStepJob<EditJob, Plan>> {
  const { head, counts } = plan;
  const sheet = toSheetDigest(plan);
  // Of two processes, the second finds the job of the first, or its lock.
  const isTaken = () =>
    createAddedError(`${head.source.name} is being added by another process.`, head.edit.verb);
  await using _lock = sheet === undefined ? undefined : await lockJob(root, `sheet ${sheet}`, isTaken);
  const { refusal, keySeed } = again ? { keySeed: id } : await readSheetHistory(root, plan);
  if (refusal !== undefined) throw refusal;
  const source = undoes === null ? head.source.name : null;
  const sent = { isBatch, changes: countChanges(counts), maxErrors };
  const work = { edit: head.edit, source, plan: plan.sha256, undoes, sheet, keySeed, ...sent };
  const facts = { id, profile, createdAt: now.toISOString(), ...head.account };
  const job: EditJob = { version: 1, kind: 'edit', ...facts, work };
  return await openStepJob(root, job, toPlan(jobPlanPath(root, id), plan));
}

/** Reopens a bulk edit. Throws `conflict` while it is running, and if it was undone; else as `openEditJob`. */
export async function reopenEditJob(root: string, id: string): Promise<OpenStepJob<EditJob, Plan>> {
  const job = await readEditJob(root, id);
  return reopenStepJob(root, job, async ({ state }) => {
    const plan = await openJobPlan(root, id);
    if (plan.sha256 !== job.work.plan)
      throw new SalonError('usage', `Cannot resume job ${id}: its plan was replaced by another.`, {
        hint: 'Make a new plan.',
      });
    const isDecided = state === 'done' || job.work.keySeed === id;
    const { refusal } = isDecided ? {} : await readSheetHistory(root, plan, id);
    if (refusal !== undefined) throw refusal;
    return plan;
  });
}

/** Updates and deletes flushed together; after a crash, each of them has to be checked. */
const intentBatch = 64;

/** Applies what is left of a job's plan, writes the reports and journals how the run ended. */
export async function runEditJob(
  opened: OpenStepJob<EditJob, Plan>,
  { client, now, signal, onProgress, readContacts, ...limits }: RunOptions,
): Promise<RunResult> {
  const { job, plan, progress, journal } = opened;
  const { edit, changes, keySeed, isBatch = false } = job.work;
  let { concurrency, maxErrors = job.work.maxErrors } = limits;
  if (isBatch) [concurrency, maxErrors] = [maxBookings, null];
  else if (edit.onConflict !== undefined) {
    concurrency = 1;
    if (edit.onConflict === 'refuse') maxErrors = 1;
  }
  const records = createRemoteRecords(client, edit);
  using disposables = new DisposableStack();
  // The steps may be read twice: once to check what was in flight at a crash.
  let current: Promise<Plan['rows']> | undefined;
  async function* readSteps() {
    current ??= readCurrentRows();
    yield* (await current)();
  }
  const nowMs = () => now().getTime();
  const toKey = ({ row, change }: PlannedRow) =>
    keySeed === undefined ? `${job.id}-${row}` : toDigest([keySeed, row, change]);
  const create = isBatch
    ? createBatchSender(opened, client)
    : (row: PlannedRow) => records.create(row.change ?? {}, toKey(row));
  const sending = { records, create, nowMs, isTaken: createTakenIdCheck(opened.journalPath) };
  let settled = countSettled(progress.tally);
  const end = await runSteps({
    readSteps,
    send: (row, sentAtMs) => sendRow(row, sentAtMs, sending),
    progress,
    createdAtMs: Date.parse(job.createdAt),
    journal,
    concurrency,
    // After a crash, each create in flight has to be searched for.
    batchSize: addsRecords(edit.verb) ? concurrency : intentBatch,
    maxErrors,
    nowMs,
    signal,
    onSettled: () => onProgress?.(++settled, changes),
  });
  let { stop } = end;
  let reports: Reports | undefined;
  try {
    reports = await writeReports(opened, readContacts);
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    stop ??= thrown;
  }
  await journalEnd(journal, stop, now());
  return { ...end, stop, reports };

  /**
   * The rows, ready to apply. If the server has no endpoint for single records the whole list is read again first, and
   * rows come with their current records.
   */
  async function readCurrentRows(): Promise<Plan['rows']> {
    let join: RecordJoin<PlannedRow> | undefined;
    for await (const item of plan.rows()) {
      const { row, line, id: key, act } = item;
      if (act !== 'update' && act !== 'delete') continue;
      if (join === undefined && (key === null || (await records.readsSingle(key)))) return plan.rows;
      join ??= disposables.use(openRecordJoin<PlannedRow>('id'));
      join.addRow({ row, line, key, item });
    }
    if (join === undefined) return plan.rows;
    const existing = join;
    await readCurrentRecords({ client, noun: edit.noun, match: 'id', join: existing });
    return async function* rows() {
      for (const { item, found } of existing.joined()) yield { ...item, current: found?.record ?? null };
    };
  }
}

/** Number of rows with an outcome. */
export function countSettled(tally: Partial<OutcomeCounts>): number {
  return Object.values(tally).reduce((sum, rows) => sum + rows, 0);
}
