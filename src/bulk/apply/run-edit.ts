import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import type { EditJob, JobMetadata } from '../jobs/job.ts';
import { lockJob } from '../jobs/job-folder.ts';
import type { OutcomeCounts } from '../jobs/journal.ts';
import { readCurrentRecords } from '../plan/current-records.ts';
import { jobPlanPath, openJobPlan, type Plan, readEditJob, toPlan } from '../plan/plan-file.ts';
import { countChanges, type PlannedRow } from '../plan/plan-format.ts';
import { openRecordJoin } from '../plan/record-join.ts';
import { sendRow } from './apply-row.ts';
import { createAddedError, readSheetHistory, toDigest, toSheetDigest } from './related-jobs.ts';
import { createRemoteRecords, type RemoteRecords } from './remote-records.ts';
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

export interface NewEditJob extends Pick<JobMetadata, 'id' | 'profile'> {
  /** A plan in the plan folder with this ID. */
  readonly plan: Plan;
  /** The job that this one undoes. */
  readonly undoes: string | null;
  readonly maxErrors: number | null;
  /** Whether to add a sheet that a job has added. */
  readonly again?: boolean | undefined;
  readonly now: Date;
}

/** Turns a plan folder into a job. Sends nothing. Throws `confirmation_required` for a sheet that another job adds. */
export async function openEditJob(root: string, created: NewEditJob): Promise<OpenStepJob<EditJob, Plan>> {
  const { id, profile, plan, undoes, maxErrors, again, now } = created;
  const { head, counts } = plan;
  const sheet = toSheetDigest(plan);
  // Of two processes, the second finds the job of the first, or its lock.
  const isTaken = () => createAddedError(`${head.source.name} is being added by another process.`);
  await using _lock = sheet === undefined ? undefined : await lockJob(root, `sheet ${sheet}`, isTaken);
  const { refusal, keySeed } = again ? { keySeed: id } : await readSheetHistory(root, plan);
  if (refusal !== undefined) throw refusal;
  const source = undoes === null ? head.source.name : null;
  const changes = countChanges(counts);
  const work = { edit: head.edit, source, plan: plan.sha256, undoes, sheet, keySeed, changes, maxErrors };
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
  { job, plan, progress, journal, folder, journalPath }: OpenStepJob<EditJob, Plan>,
  { client, concurrency, now, signal, onProgress, readContacts, ...limits }: RunOptions,
): Promise<RunResult> {
  const { edit, changes, undoes, keySeed } = job.work;
  const records = createRemoteRecords(client, edit);
  using disposables = new DisposableStack();
  // The steps may be read twice: once to check what was in flight at a crash.
  let current: Promise<Plan['rows']> | undefined;
  async function* readSteps() {
    current ??= readCurrentRows(plan, { client, records, disposables });
    yield* (await current)();
  }
  const nowMs = () => now().getTime();
  const toKey = ({ row, change }: PlannedRow) =>
    keySeed === undefined ? `${job.id}-${row}` : toDigest([keySeed, row, change]);
  const sending = { records, toKey, nowMs, isTaken: createTakenIdCheck(journalPath) };
  let settled = countSettled(progress.tally);
  const end = await runSteps({
    readSteps,
    send: (row, sentAtMs) => sendRow(row, sentAtMs, sending),
    progress,
    createdAtMs: Date.parse(job.createdAt),
    journal,
    concurrency,
    // After a crash, each create in flight has to be searched for.
    batchSize: edit.verb === 'create' ? concurrency : intentBatch,
    maxErrors: limits.maxErrors ?? job.work.maxErrors,
    nowMs,
    signal,
    onSettled: () => onProgress?.(++settled, changes),
  });
  let { stop } = end;
  let reports: Reports | undefined;
  try {
    reports = await writeReports({ plan, journalPath, folder, hasSheet: undoes === null, readContacts });
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    stop ??= thrown;
  }
  await journalEnd(journal, stop, now());
  return { ...end, stop, reports };
}

/** Number of rows with an outcome. */
export function countSettled(tally: Partial<OutcomeCounts>): number {
  return Object.values(tally).reduce((sum, rows) => sum + rows, 0);
}

/**
 * The rows of a plan, ready to apply. If the server has no endpoint for single records the whole list is read again
 * first, and rows come with their current records.
 */
async function readCurrentRows(
  plan: Plan,
  {
    client,
    records,
    disposables,
  }: { client: SalonClient; records: RemoteRecords; disposables: DisposableStack },
): Promise<Plan['rows']> {
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
