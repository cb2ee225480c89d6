import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerJobsList } from './list.ts';
import { registerJobsResume } from './resume.ts';
import { registerJobsShow } from './show.ts';

export function registerJobs(jobs: Command, frame: Frame): void {
  registerJobsList(jobs, frame);
  registerJobsShow(jobs, frame);
  registerJobsResume(jobs, frame);
}
