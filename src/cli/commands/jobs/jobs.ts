import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerJobsApply } from './apply.ts';
import { registerJobsList } from './list.ts';
import { registerJobsRemove } from './remove.ts';
import { registerJobsResults } from './results.ts';
import { registerJobsResume } from './resume.ts';
import { registerJobsShow } from './show.ts';
import { registerJobsUndo } from './undo.ts';

export function registerJobs(jobs: Command, runner: ActionRunner): void {
  registerJobsList(jobs, runner);
  registerJobsShow(jobs, runner);
  registerJobsApply(jobs, runner);
  registerJobsResume(jobs, runner);
  registerJobsUndo(jobs, runner);
  registerJobsResults(jobs, runner);
  registerJobsRemove(jobs, runner);
}
