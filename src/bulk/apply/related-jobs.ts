import { createHash } from 'node:crypto';
import { SalonError } from '../../contract/errors.ts';
import { addsRecords, type EditOperation } from '../input/edit-fields.ts';
import type { EditJob } from '../jobs/job.ts';
import { isJobLocked, journalPath, listJobIds, readJob, readJobProgress } from '../jobs/job-folder.ts';
import { openJobPlan, type Plan } from '../plan/plan-file.ts';
import { findUndoneJob, type PlanHead } from '../plan/plan-format.ts';

/** Throws `conflict` if a job on this machine undoes this one. */
export async function assertNotUndone(root: string, id: string): Promise<void> {
  const undo = (await readRelatedJobs(root)).find(({ undoes }) => undoes === id);
  if (undo === undefined) return;
  throw new SalonError('conflict', `Job ${id} was undone by job ${undo.id}.`, {
    hint: `Show the undo: salon jobs show ${undo.id}. Resume it: salon jobs resume ${undo.id}`,
  });
}

/** Identifies a sheet of new records by its content, what its columns have, and the account. Undefined for other plans. */
export function toSheetDigest({ head, sha256 }: Plan): string | undefined {
  const { edit, source, account } = head;
  if (!addsRecords(edit.verb) || edit.onConflict !== undefined) return undefined;
  // The undo of a delete has no sheet.
  if (findUndoneJob(head) !== undefined) return sha256;
  const columns = source.form.fields ?? source.form.columns;
  // An import finds what was added before, and is no second time.
  const isImport = edit.verb === 'import' ? ['import'] : [];
  return toDigest([...isImport, edit.noun, source.sha256, columns, source.form.worksheet?.name, account]);
}

/**
 * Returns the error for adding a sheet of new records that a job adds, or has added and was not undone, besides `ownId`,
 * and for restoring what another job has added again since. Else returns what idempotency keys are made from: the sheet
 * and each undo of it, as keys of erased records are of no use.
 */
export async function readSheetHistory(root: string, plan: Plan, ownId?: string) {
  const digest = toSheetDigest(plan);
  if (digest === undefined) return {};
  const jobs = await readRelatedJobs(root);
  const undoneId = findUndoneJob(plan.head);
  const restored = jobs.find(({ id }) => jobs.some((job) => job.id === undoneId && job.undoes === id));
  const undos: string[] = [];
  for (const { id, sheet } of jobs) {
    const isSame = sheet === digest || (sheet !== undefined && sheet === restored?.sheet);
    if (!isSame || id === ownId || id === restored?.id) continue;
    const undo = await findUndo(root, id, jobs);
    if (undo === undefined && (await wasFound(root, id, plan.head))) {
      undos.push(id);
      continue;
    }
    const refusal = undo === undefined ? await findRefusal(root, id, plan.head) : undefined;
    if (refusal !== undefined && sheet !== digest) {
      const message = `The same file was added again by job ${id}.`;
      const hint = `Undo that job first: salon jobs undo ${id}`;
      return { refusal: new SalonError('confirmation_required', message, { hint }) };
    }
    if (refusal !== undefined) return { refusal };
    if (undo !== undefined) undos.push(undo);
  }
  return { keySeed: [digest, ...undos].join(' ') };
}

/** Whether the plan of an import was made once another import of its sheet had ended, so that it found all of that. */
async function wasFound(root: string, id: string, { edit, createdAt }: PlanHead): Promise<boolean> {
  if (edit.verb !== 'import') return false;
  const { state, endedAt } = await readJobProgress(journalPath(root, id));
  return state === 'done' && endedAt !== null && endedAt <= createdAt;
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
async function findRefusal(
  root: string,
  id: string,
  { source: { name }, edit: { verb } }: PlanHead,
): Promise<SalonError | undefined> {
  const { state, changed, unconfirmed, hasGap } = await readJobProgress(journalPath(root, id));
  const isRunning = state !== 'done' && (await isJobLocked(root, id));
  if (!isRunning && changed + unconfirmed.size === 0 && !hasGap) return undefined;
  if (isRunning) return createAddedError(`${name} is being added by job ${id}.`, verb);
  const undo = `Undo it: salon jobs undo ${id}. Rows that failed: salon jobs results ${id} --failed.`;
  const after = verb === 'import' ? 'Run the command again, to see what it has left.' : undo;
  if (state === 'done') return createAddedError(`${name} was already added by job ${id}.`, verb, after);
  const resume = `Resume it: salon jobs resume ${id}.`;
  return createAddedError(`${name} was added in part by job ${id}.`, verb, resume);
}

export function createAddedError(
  message: string,
  verb: EditOperation['verb'],
  advice = 'Wait until it ends.',
): SalonError {
  const hint = verb === 'import' ? advice : `${advice} To add every row a second time, use --again.`;
  return new SalonError('confirmation_required', message, { hint });
}

/** The SHA-256 of values, in hex. */
export function toDigest(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

type RelatedJob = { readonly id: string } & Pick<EditJob['work'], 'undoes' | 'sheet'>;

/** Newest first, without exports. If the file of a job is damaged, its plan says what it does. */
async function readRelatedJobs(root: string): Promise<readonly RelatedJob[]> {
  const jobs = await Array.fromAsync(await listJobIds(root), async (id) => {
    const job = await readJob(root, id).catch(() => undefined);
    if (job !== undefined) return job.kind === 'export' ? undefined : { id, ...job.work };
    const plan = await openJobPlan(root, id).catch(() => undefined);
    return plan && { id, undoes: findUndoneJob(plan.head) ?? null, sheet: toSheetDigest(plan) };
  });
  return jobs.filter((job) => job !== undefined);
}
