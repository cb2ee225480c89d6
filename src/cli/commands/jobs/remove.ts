import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { partialPath } from '../../../bulk/export/partial-file.ts';
import {
  createStillRunningError,
  hasJob,
  jobPath,
  readDamagedStatus,
  readJob,
  removeJob,
} from '../../../bulk/jobs/job-folder.ts';
import { acquireJobLock } from '../../../bulk/jobs/job-lock.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addYesOption } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { readOutputTarget } from '../../output/output-file.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { jobsFolder } from '../../session/folders.ts';

export function registerJobsRemove(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('remove')
    .argument('<id>', 'job ID')
    .description('Delete a job and the records it saved on this machine');
  addYesOption(command);
  addExamples(command, [
    ['salon jobs remove 20261121-093000-1f2e3d', 'Delete it; it can be neither resumed nor undone then'],
  ]);
  command.action(runner.action(remove));
}

async function remove(
  { io, confirmLocal }: CommandContext<{ readonly yes?: boolean }>,
  id: string,
): Promise<CommandResult> {
  const root = jobsFolder(io);
  if (!(await hasJob(root, id))) await readJob(root, id);
  const { state } = await readDamagedStatus(root, id);
  const end = state === 'done' ? 'undone' : 'resumed';
  await confirmLocal(`Delete job ${id}? It is ${state} and cannot be ${end} afterwards.`);
  await using lock = await acquireJobLock(jobPath(root, id));
  if (lock === undefined) throw createStillRunningError(id);
  await removeUnfinishedFile(root, id);
  await removeJob(root, id);
  return { show: 'nothing', message: `Deleted job ${id}.` };
}

/** A killed export leaves its rows beside the output. */
async function removeUnfinishedFile(root: string, id: string): Promise<void> {
  const job = await readJob(root, id).catch(() => undefined);
  if (job?.kind !== 'export') return;
  const target = await readOutputTarget(job.work.output).catch(() => undefined);
  if (target !== undefined) await rm(partialPath(target, id), { force: true }).catch(() => {});
}
