import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerJobsApply } from './apply.ts';
import { registerJobsList } from './list.ts';
import { registerJobsResults } from './results.ts';
import { registerJobsResume } from './resume.ts';
import { registerJobsShow } from './show.ts';
import { registerJobsUndo } from './undo.ts';

export function registerJobs(jobs: Command, frame: Frame): void {
  registerJobsList(jobs, frame);
  registerJobsShow(jobs, frame);
  registerJobsApply(jobs, frame);
  registerJobsResume(jobs, frame);
  registerJobsUndo(jobs, frame);
  registerJobsResults(jobs, frame);
}
