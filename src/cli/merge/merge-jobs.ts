import type { MergeJob } from '../../bulk/jobs/job.ts';
import { createJobId, journalPath, readJobStatus } from '../../bulk/jobs/job-folder.ts';
import { mayHaveChanged } from '../../bulk/jobs/journal.ts';
import {
  type MergePlan,
  type MergeStep,
  type NewMergeJob,
  type OpenMergeJob,
  openMergeJob,
  readMergePlan,
  readMergeResults,
  reopenMergeJob,
} from '../../bulk/merge/merge-job.ts';
import { planUnmerge } from '../../bulk/merge/plan-unmerge.ts';
import { isGood, type MergeResult, runMerge } from '../../bulk/merge/run-merge.ts';
import { assertPlanFits } from '../../bulk/plan/check-plan.ts';
import { isSent } from '../../bulk/plan/plan-format.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { CommandResult } from '../output/command-result.ts';
import { readAccountIdentity } from '../session/account.ts';
import { type CommandContext, openJobContext } from '../session/command-context.ts';
import { assertWritable } from '../session/confirmation.ts';
import { uncheckedRules } from '../session/dry-run.ts';
import { jobsFolder } from '../session/folders.ts';
import { describeRecords, describeUnmerge } from './show-merge.ts';

/** Saves a merge as a job and executes it. */
export async function startMerge(
  root: string,
  job: NewMergeJob,
  context: CommandContext,
): Promise<CommandResult> {
  context.messages.verbose(`Job ${job.id}`);
  await using opened = await openMergeJob(root, job);
  return await run(opened, context);
}

/** Resumes a merge; one that is done needs no connection. */
export async function resumeMerge(job: MergeJob, given: CommandContext): Promise<CommandResult> {
  const root = jobsFolder(given.io);
  const { id, work } = job;
  if ((await readJobStatus(root, id)).state === 'done') {
    const plan = await readMergePlan(root, id);
    const results = await readMergeResults(plan, journalPath(root, id));
    const failed = results.filter((result) => !isGood(result)).length;
    const message = `Job ${id} is done: ${describeWork(work, plan)}${failed === 0 ? '' : `, ${countOf(failed, 'steps')} failed`}.`;
    return { show: 'nothing', message, exitCode: toExitCode(failed, keepsDuplicate(work, plan)) };
  }
  const context = await openJobContext(job, given);
  const { origin, account } = job;
  assertPlanFits({ account: { origin, account } }, await readAccountIdentity(context));
  await using opened = await reopenMergeJob(root, id);
  return await run(opened, context);
}

/** Shows the undo of a merge, asks and executes it as a job. */
export async function undoMerge(
  job: MergeJob,
  given: CommandContext<{ readonly dryRun?: boolean }>,
): Promise<CommandResult> {
  const context = await openJobContext(job, given);
  const { io, messages, flags } = context;
  const root = jobsFolder(io);
  const account = await readAccountIdentity(context);
  assertPlanFits({ account: { origin: job.origin, account: job.account } }, account);
  const { names } = job.work;
  const planned = await planUnmerge(root, job.id, await context.client());
  const { plan, checked } = planned;
  if (!plan.steps.some(isSent)) {
    for (const { refusal } of plan.steps) if (refusal !== undefined) messages.info(`Kept: ${refusal.reason}`);
    return {
      show: 'nothing',
      message: `There is nothing to undo: ${names.from} is not merged into ${names.into}.`,
    };
  }
  messages.info(describeUnmerge(planned, names));
  if (flags.dryRun) {
    assertWritable(await context.session());
    const verdict =
      checked === undefined
        ? `Dry run: nothing was sent. ${uncheckedRules}`
        : 'Dry run: the server would accept this. Nothing was changed.';
    return { show: 'nothing', message: verdict };
  }
  await context.confirm(`Undo the merge of ${names.from} into ${names.into}?`);
  const { profileName: profile = null } = await context.session();
  const id = createJobId(io.now(), io.random);
  return startMerge(root, { id, profile, plan, account, names, undoes: job.id, now: io.now() }, context);
}

async function run(opened: OpenMergeJob, context: CommandContext): Promise<CommandResult> {
  const { io } = context;
  context.waitForService();
  const { concurrency } = (await context.session()).settings;
  const result = await runMerge(opened, {
    client: await context.client(),
    concurrency: concurrency.value,
    now: io.now,
    signal: io.signal,
  });
  return report(opened, result);
}

/** An error if nothing was changed; otherwise what was done, and what was not. */
function report({ job, plan }: OpenMergeJob, result: MergeResult): CommandResult {
  const { id, work } = job;
  if (result.stop !== undefined) throw withResumeHint(result.stop, id);
  const failed = result.results.filter((one) => !isGood(one));
  const [first] = failed;
  const isUnchanged = !result.results.some(({ outcome }) => mayHaveChanged(outcome));
  const error = first === undefined ? undefined : toStepError(first);
  if (isUnchanged && error !== undefined) throw error;
  const moved = countMoved(plan.steps, result);
  const lines = [
    `${describeWork(work, plan)}${describeMoved(job, moved)}.`,
    ...(keepsDuplicate(work, plan)
      ? [`${work.names.from} is kept, because not everything can be moved.`]
      : []),
    ...failed.map(
      (one) => `Not done: ${one.outcome?.error?.message ?? one.planned.refusal?.reason ?? one.planned.id}`,
    ),
    ...(work.undoes === null ? [`Undo with: salon jobs undo ${id}`] : []),
  ];
  const { into, from, method } = work;
  const record = { job: id, into, from, method, ...result.tally, ...moved };
  const exitCode = toExitCode(failed.length, keepsDuplicate(work, plan));
  return { show: 'record', record, message: lines.join('\n'), exitCode };
}

function toExitCode(failed: number, isKept: boolean): number {
  return failed === 0 && !isKept ? exitCodes.done.code : exitCodes.partly.code;
}

/** Rebuilds the error of a step that the server refused. */
function toStepError({ outcome }: MergeResult['results'][number]): SalonError | undefined {
  const { error } = { ...outcome };
  if (error === undefined) return undefined;
  const { code, message, status, requestId } = error;
  return new SalonError(code as SalonError['code'], message, {
    status: status ?? undefined,
    requestId: requestId ?? undefined,
  });
}

function describeWork(work: MergeJob['work'], plan: MergePlan): string {
  const { names, undoes } = work;
  if (undoes !== null) return `Undid the merge of ${names.from} into ${names.into}`;
  return keepsDuplicate(work, plan) ? `Changed ${names.into}` : `Merged ${names.from} into ${names.into}`;
}

/** Whether a merge leaves both clients, because something of the other one cannot be moved. */
function keepsDuplicate({ undoes }: MergeJob['work'], { method, steps }: MergePlan): boolean {
  return undoes === null && method === 'updates' && !steps.some(({ act }) => act === 'delete');
}

function describeMoved({ work }: MergeJob, { appointments, payments }: MovedCounts): string {
  const parts = describeRecords({ appointments, payments });
  if (parts === '') return '';
  return ` and moved ${work.undoes === null ? '' : 'back '}${parts}`;
}

interface MovedCounts {
  /** Null where it is not known. */
  readonly appointments: number | null;
  readonly payments: number | null;
}

function countMoved(steps: readonly MergeStep[], { moved, results }: MergeResult): MovedCounts {
  if (moved !== undefined) return moved;
  const rows = new Set(steps.filter(({ noun }) => noun === 'appointments').map(({ row }) => row));
  if (rows.size === 0) return { appointments: null, payments: null };
  const done = results.filter((one) => rows.has(one.planned.row) && isGood(one));
  return { appointments: done.length, payments: null };
}

function withResumeHint(error: SalonError, id: string): SalonError {
  const hint = [error.hint, `Resume with: salon jobs resume ${id}`]
    .filter((line) => line !== undefined)
    .join('\n  ');
  return withContext(error, { hint, members: { ...error.members, job: id } });
}
