import { createHash } from 'node:crypto';
import { SalonError } from '../../contract/errors.ts';
import { isJobLocked, journalPath, listJobIds, readJob, readJobProgress } from '../jobs/job-folder.ts';
import { openJobPlan, type Plan } from '../plan/plan-file.ts';
import { findUndoneJob, type PlanHead } from '../plan/plan-format.ts';

/** Throws `conflict` if a job on this machine undoes this one. */
export async function assertNotUndone(root: string, id: string): Promise<void> {
  const undo = await findRelated(root, ({ undoes }) => undoes === id);
  if (undo === undefined) return;
  throw new SalonError('conflict', `Job ${id} was undone by job ${undo.id}.`, {
    hint: `Show the undo: salon jobs show ${undo.id}. Resume it: salon jobs resume ${undo.id}`,
  });
}

/** Throws `conflict` if a plan of new records was applied before: applying it again would create them twice. */
export async function assertNotApplied(root: string, { head, sha256 }: Plan): Promise<void> {
  if (head.edit.verb !== 'create') return;
  const job = await findRelated(root, ({ plan }) => plan === sha256);
  if (job === undefined) return;
  throw new SalonError('conflict', `The plan was already applied by job ${job.id}.`, {
    hint: `Resume an unfinished job: salon jobs resume ${job.id}. To create the records again, make a new plan.`,
  });
}

/** Identifies a sheet of new records by its content, what its columns have, and the account. Undefined for other plans. */
export function toSheetDigest(head: PlanHead): string | undefined {
  const { edit, source, account } = head;
  // Records are created by sheets, and by the undo of a delete.
  if (edit.verb !== 'create' || findUndoneJob(head) !== undefined) return undefined;
  const { sha256, form } = source;
  const parts = [edit.noun, sha256, form.fields ?? form.columns, form.worksheet?.name, account];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What the jobs of this machine did with a sheet of new records. */
export interface SheetHistory {
  /** The error for adding it, where a job adds it or has added it and was not undone. */
  readonly refusal?: SalonError | undefined;
  /** What idempotency keys are made from: the sheet and each undo of it. A key of records that were erased is of no use. */
  readonly keySeed?: string | undefined;
}

/** `ownId` is a job that does not count. */
export async function readSheetHistory(root: string, plan: Plan, ownId?: string): Promise<SheetHistory> {
  const digest = toSheetDigest(plan.head);
  if (digest === undefined) return {};
  const jobs = await Array.fromAsync(readRelatedJobs(root));
  const undos: string[] = [];
  for (const { id, sheet } of jobs) {
    if (sheet !== digest || id === ownId) continue;
    const undo = await findUndo(root, id, jobs);
    const refusal = undo === undefined ? await findRefusal(root, id, plan.head.source.name) : undefined;
    if (refusal !== undefined) return { refusal };
    if (undo !== undefined) undos.push(undo);
  }
  return { keySeed: [digest, ...undos].join(' ') };
}

/** The finished job that undid another, and was not itself undone. */
async function findUndo(root: string, id: string, jobs: readonly RelatedJob[]): Promise<string | undefined> {
  for (const undo of jobs.filter(({ undoes }) => undoes === id)) {
    const { state } = await readJobProgress(journalPath(root, undo.id));
    if (state === 'done' && (await findUndo(root, undo.id, jobs)) === undefined) return undo.id;
  }
  return undefined;
}

/** Undefined for a job that is not running and has certainly added nothing. */
async function findRefusal(root: string, id: string, name: string): Promise<SalonError | undefined> {
  const { state, changed, unconfirmed, hasGap } = await readJobProgress(journalPath(root, id));
  const isRunning = state !== 'done' && (await isJobLocked(root, id));
  if (!isRunning && changed + unconfirmed.size === 0 && !hasGap) return undefined;
  if (isRunning) return createAddedError(`${name} is being added by job ${id}.`);
  if (state !== 'done')
    return createAddedError(`Job ${id} has begun to add ${name}.`, `Resume it: salon jobs resume ${id}.`);
  const hint = `Undo it: salon jobs undo ${id}. See what failed: salon jobs results ${id} --failed.`;
  return createAddedError(`${name} was already added by job ${id}.`, hint);
}

export function createAddedError(message: string, hint = 'Wait until it ends.'): SalonError {
  return new SalonError('confirmation_required', message, {
    hint: `${hint} To add every row a second time, use --again.`,
  });
}

interface RelatedJob {
  readonly id: string;
  readonly undoes: string | null;
  /** SHA-256 of the plan of a bulk edit. */
  readonly plan?: string;
  /** The sheet that it adds. */
  readonly sheet?: string | undefined;
}

async function findRelated(
  root: string,
  isWanted: (job: RelatedJob) => boolean,
): Promise<RelatedJob | undefined> {
  for await (const job of readRelatedJobs(root)) if (isWanted(job)) return job;
  return undefined;
}

/** Newest first. */
async function* readRelatedJobs(root: string): AsyncGenerator<RelatedJob> {
  for (const id of await listJobIds(root)) {
    const job = await readRelatedJob(root, id);
    if (job !== undefined) yield job;
  }
}

/** If the file of a job is damaged, its plan says what it does. Undefined for exports, and if both are damaged. */
async function readRelatedJob(root: string, id: string): Promise<RelatedJob | undefined> {
  const job = await readJob(root, id).catch(() => undefined);
  if (job !== undefined) return job.kind === 'export' ? undefined : { id, ...job.work };
  const plan = await openJobPlan(root, id).catch(() => undefined);
  if (plan === undefined) return undefined;
  const undoes = findUndoneJob(plan.head) ?? null;
  return { id, undoes, plan: plan.sha256, sheet: toSheetDigest(plan.head) };
}
