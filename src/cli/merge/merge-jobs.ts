import type { MergeJob } from '../../bulk/jobs/job.ts';
import { createJobId, journalPath, readJobStatus } from '../../bulk/jobs/job-folder.ts';
import {
  type NewMergeJob,
  type OpenMergeJob,
  openMergeJob,
  readMergePlan,
  readMergeResults,
  reopenMergeJob,
} from '../../bulk/merge/merge-job.ts';
import { planUnmerge } from '../../bulk/merge/plan-merge.ts';
import { isGood, type MergeResult, runMerge } from '../../bulk/merge/run-merge.ts';
import { assertPlanFits } from '../../bulk/plan/check-plan.ts';
import { isSent } from '../../bulk/plan/plan-format.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { jobsFolder } from '../folders.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { CommandResult } from '../output/command-result.ts';
import { readAccountIdentity } from '../session/account.ts';
import { type CommandContext, openJobContext } from '../session/command-context.ts';
import { assertWritable } from '../session/confirmation.ts';
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
    const message = `Job ${id} is done: ${describeWork(work)}${failed === 0 ? '' : ', but it failed'}.`;
    return { show: 'nothing', message, exitCode: failed === 0 ? 0 : exitCodes.partly.code };
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
  const { plan } = planned;
  if (!plan.steps.some(isSent)) {
    const message = `There is nothing to undo: ${names.from} is not merged into ${names.into}.`;
    return { show: 'nothing', message };
  }
  messages.info(describeUnmerge(planned, names));
  if (flags.dryRun) {
    assertWritable(await context.session());
    return { show: 'nothing', message: 'Dry run: the server would accept this. Nothing was changed.' };
  }
  await context.confirm(`Undo the merge of ${names.from} into ${names.into}?`);
  const { profileName: profile = null } = await context.session();
  const id = createJobId(io.now(), io.random);
  return startMerge(root, { id, profile, plan, account, names, undoes: job.id, now: io.now() }, context);
}

/** What was done. Throws the error of a merge that was refused. */
async function run(opened: OpenMergeJob, context: CommandContext): Promise<CommandResult> {
  const { now, signal } = context.io;
  context.waitForService();
  const running = { client: await context.client(), now, signal };
  const { stop, results, tally, moved } = await runMerge(opened, running);
  const { id, work } = opened.job;
  if (stop !== undefined) {
    const lines = [stop.hint, `Resume with: salon jobs resume ${id}`].filter((line) => line !== undefined);
    throw withContext(stop, { hint: lines.join('\n  '), members: { ...stop.members, job: id } });
  }
  const error = results.map(toStepError).find((one) => one !== undefined);
  if (error !== undefined) throw error;
  const { into, from, method, undoes } = work;
  const text = moved === undefined ? '' : describeRecords(moved);
  const motion = text === '' ? '' : ` and moved ${undoes === null ? '' : 'back '}${text}`;
  const lines = [
    `${describeWork(work)}${motion}.`,
    ...(undoes === null ? [`Undo with: salon jobs undo ${id}`] : []),
  ];
  const counts = moved ?? { appointments: null, payments: null, waitlist_entries: null };
  const record = { job: id, into, from, method, ...tally, ...counts };
  return { show: 'record', record, message: lines.join('\n') };
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

function describeWork({ names, undoes }: MergeJob['work']): string {
  if (undoes !== null) return `Undid the merge of ${names.from} into ${names.into}`;
  return `Merged ${names.from} into ${names.into}`;
}
