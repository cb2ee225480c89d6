import { existsSync } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';
import type { EditJob, JobMetadata } from '../jobs/job.ts';
import {
  acquireJobLock,
  createJobRecord,
  createStillRunningError,
  jobPath,
  journalPath,
  listJobIds,
  readJob,
  reopenJobRecord,
} from '../jobs/job-folder.ts';
import { type Journal, readJournal } from '../jobs/journal.ts';
import { type EditEntry, emptyOutcomeCounts, type RowOutcome } from '../jobs/journal-entries.ts';
import { jobPlanPath, openJobPlan, type Plan, readEditJob, toPlan } from '../plan/plan-file.ts';
import { findUndoneJob } from '../plan/plan-format.ts';
import { countChanges } from '../plan/planned-row.ts';

/** A bulk edit locked by this process until disposal. */
export interface OpenEditJob extends AsyncDisposable {
  readonly job: EditJob;
  readonly plan: Plan;
  /** What earlier runs have done. */
  readonly progress: EditProgress;
  readonly journal: Journal<EditEntry>;
  readonly folder: string;
  readonly journalPath: string;
}

export interface NewEditJob extends Pick<JobMetadata, 'id' | 'profile'> {
  /** A plan in the plan folder with this ID. */
  readonly plan: Plan;
  /** The job that this one undoes. */
  readonly undoes: string | null;
  readonly maxErrors: number | null;
  readonly now: Date;
}

/** Turns a plan folder into a job. Sends nothing. */
export async function openEditJob(root: string, created: NewEditJob): Promise<OpenEditJob> {
  const { id, profile, plan, undoes, maxErrors, now } = created;
  const { head, counts } = plan;
  const source = undoes === null ? head.source.name : null;
  const changes = countChanges(counts);
  const work = { edit: head.edit, source, plan: plan.sha256, undoes, changes, maxErrors };
  const facts = { id, profile, createdAt: now.toISOString(), ...head.account };
  const job: EditJob = { version: 1, kind: 'edit', ...facts, work };
  const record = await createJobRecord<EditEntry>(root, job);
  if (record === undefined) throw new SalonError('conflict', `Job ${id} is locked by another process.`);
  await using stack = new AsyncDisposableStack();
  stack.use(record.lock);
  const journal = stack.use(record.journal);
  const progress = await readEditProgress(journalPath(root, id));
  return compose(root, { job, plan: toPlan(jobPlanPath(root, id), plan), progress, journal, stack });
}

/** Reopens a job after its last journal entry. Throws `conflict` while it is running, and if it was undone. */
export async function reopenEditJob(root: string, id: string): Promise<OpenEditJob> {
  const job = await readEditJob(root, id);
  const hold = await acquireJobLock(jobPath(root, id));
  if (hold === undefined) throw createStillRunningError(id);
  await using stack = new AsyncDisposableStack();
  stack.use(hold);
  const isMissing = !existsSync(journalPath(root, id));
  const read = await readEditProgress(journalPath(root, id));
  // Without a journal, any row may have been sent.
  const progress = isMissing ? { ...read, isDamaged: true, hasGap: true } : read;
  // Resuming would redo what was undone.
  if (!progress.isDone) await assertNotUndone(root, id);
  const plan = await openJobPlan(root, id);
  if (plan.sha256 !== job.work.plan) {
    throw new SalonError('usage', `Cannot resume job ${id}: its plan was replaced by another.`, {
      hint: 'Make a new plan.',
    });
  }
  const record = await reopenJobRecord<EditEntry>({
    root,
    id,
    lock: hold,
    journalBytes: progress.journalBytes,
  });
  return compose(root, { job, plan, progress, journal: stack.use(record.journal), stack });
}

type Parts = Pick<OpenEditJob, 'job' | 'plan' | 'progress' | 'journal'> & {
  readonly stack: AsyncDisposableStack;
};

function compose(root: string, { stack, ...parts }: Parts): OpenEditJob {
  const { id } = parts.job;
  const kept = stack.move();
  return {
    ...parts,
    folder: jobPath(root, id),
    journalPath: journalPath(root, id),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Throws `conflict` if a job on this machine undoes this one. */
export async function assertNotUndone(root: string, id: string): Promise<void> {
  const undo = await findEdit(root, ({ undoes }) => undoes === id);
  if (undo === undefined) return;
  throw new SalonError('conflict', `Job ${id} was undone by job ${undo.id}.`, {
    hint: `Show the undo: salon jobs show ${undo.id}. Resume it: salon jobs resume ${undo.id}`,
  });
}

/** Throws `conflict` if a plan of new records was applied before: applying it again would create them twice. */
export async function assertNotApplied(root: string, { head, sha256 }: Plan): Promise<void> {
  if (head.edit.verb !== 'create') return;
  const job = await findEdit(root, ({ plan }) => plan === sha256);
  if (job === undefined) return;
  throw new SalonError('conflict', `The plan was already applied by job ${job.id}.`, {
    hint: `Resume an unfinished job: salon jobs resume ${job.id}. To create the records again, make a new plan.`,
  });
}

interface RelatedEdit {
  readonly id: string;
  readonly undoes: string | null;
  /** SHA-256 of its plan. */
  readonly plan: string;
}

async function findEdit(
  root: string,
  isWanted: (edit: RelatedEdit) => boolean,
): Promise<RelatedEdit | undefined> {
  for (const id of await listJobIds(root)) {
    const edit = await readRelatedEdit(root, id);
    if (edit !== undefined && isWanted(edit)) return edit;
  }
  return undefined;
}

/** If the file of a job is damaged, its plan says what it does. Undefined for exports, and if both are damaged. */
async function readRelatedEdit(root: string, id: string): Promise<RelatedEdit | undefined> {
  const job = await readJob(root, id).catch(() => undefined);
  if (job?.kind === 'export') return undefined;
  if (job?.kind === 'merge') return { id, undoes: job.work.undoes, plan: '' };
  if (job !== undefined) return { id, undoes: job.work.undoes, plan: job.work.plan };
  const plan = await openJobPlan(root, id).catch(() => undefined);
  if (plan === undefined) return undefined;
  return { id, undoes: findUndoneJob(plan.head) ?? null, plan: plan.sha256 };
}

/** How far a bulk edit has come, according to its journal. */
export interface EditProgress {
  /** Whether a row has an outcome. */
  isSettled(row: number): boolean;
  /** Rows that were about to be sent, without an outcome, and when (milliseconds since 1970). */
  readonly uncertain: ReadonlyMap<number, { readonly atMs: number }>;
  readonly tally: Record<RowOutcome['what'], number>;
  readonly isDone: boolean;
  /** The journal is intact up to here. */
  readonly journalBytes: number;
  readonly isDamaged: boolean;
  /** Whether entries are lost, so that every row without an outcome may have been sent. */
  readonly hasGap: boolean;
}

export async function readEditProgress(path: string): Promise<EditProgress> {
  const settled = new Set<number>();
  const uncertain = new Map<number, { atMs: number }>();
  const tally = { ...emptyOutcomeCounts };
  let isDone = false;
  const addEntry = (entry: EditEntry) => {
    if (entry.type === 'intent') uncertain.set(entry.row, { atMs: entry.atMs });
    else if (entry.type === 'unsent') uncertain.delete(entry.row);
    else if (entry.type === 'outcome') {
      uncertain.delete(entry.row);
      settled.add(entry.row);
      tally[entry.what] += 1;
    } else isDone = entry.type === 'done';
  };
  const { intactBytes, isDamaged, hasGap } = await readJournal(path, addEntry, { skipsDamage: true });
  const isSettled = (row: number) => settled.has(row);
  return { isSettled, uncertain, tally, isDone, journalBytes: intactBytes, isDamaged, hasGap };
}

/** Number of rows with an outcome. */
export function countSettled(tally: Readonly<Record<string, number>>): number {
  return Object.values(tally).reduce((sum, rows) => sum + rows, 0);
}

/**
 * Returns whether a record belongs to another row of the job; one that does not is taken from then on. Reads the journal
 * each time: few rows are ever uncertain, and a million IDs would take memory.
 */
export function createTakenIdCheck(journalPath: string): (id: string) => Promise<boolean> {
  const given = new Set<string>();
  return async (id) => {
    if (given.has(id)) return true;
    given.add(id);
    let isTaken = false;
    const compare = (entry: EditEntry) => {
      isTaken ||= entry.type === 'outcome' && entry.id === id;
    };
    await readJournal(journalPath, compare, { skipsDamage: true });
    return isTaken;
  };
}
