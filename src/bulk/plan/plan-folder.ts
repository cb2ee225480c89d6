import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { EditJob } from '../jobs/job.ts';
import { createDraftFolder, createJobId, jobPath, readJob } from '../jobs/job-folder.ts';
import { openPlan, type Plan, writePlan } from './plan-file.ts';

/** A folder in which a plan is made; it goes unless it becomes a job's. */
export interface PlanFolder extends AsyncDisposable {
  /** Of the job that it may become. */
  readonly id: string;
  readonly folder: string;
  readonly planPath: string;
}

export interface Environment {
  now(): Date;
  random(size: number): Uint8Array;
}

/** `root` is the folder of all jobs. */
export async function openPlanFolder(root: string, { now, random }: Environment): Promise<PlanFolder> {
  const id = createJobId(now(), random);
  const folder = await createDraftFolder(root, id);
  return {
    id,
    folder,
    planPath: join(folder, planName),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A job that edits. Throws `usage` for one of another kind. */
export async function readEditJob(root: string, id: string): Promise<EditJob> {
  const job = await readJob(root, id);
  if (job.kind === 'edit') return job;
  throw new SalonError('usage', `Job ${id} is an export, and no bulk edit.`, {
    hint: `Look at it with: salon jobs show ${id}`,
  });
}

export function openJobPlan(root: string, id: string): Promise<Plan> {
  return openPlan(jobPlanPath(root, id));
}

/** Where the plan of a job lies. */
export function jobPlanPath(root: string, id: string): string {
  return join(jobPath(root, id), planName);
}

/** Writes a plan once more, whole or not at all. */
export async function copyPlan({ head, rows }: Plan, path: string): Promise<void> {
  await writePlan(path, head, rows());
}

const planName = 'plan.json';
