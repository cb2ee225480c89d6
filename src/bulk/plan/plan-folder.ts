import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { EditJob } from '../jobs/job.ts';
import { createDraftFolder, createJobId, jobPath, readJob } from '../jobs/job-folder.ts';
import { openPlan, type Plan } from './plan-file.ts';

/** A folder for a new plan, removed on disposal unless it became the folder of a job. */
export interface PlanFolder extends AsyncDisposable {
  /** ID of the job it may become. */
  readonly id: string;
  readonly folder: string;
  readonly planPath: string;
}

/** `root` is the folder of all jobs. */
export async function openPlanFolder(
  root: string,
  { now, random }: { readonly now: () => Date; readonly random: (size: number) => Uint8Array },
): Promise<PlanFolder> {
  const id = createJobId(now(), random);
  const folder = await createDraftFolder(root, id);
  return {
    id,
    folder,
    planPath: join(folder, planName),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Throws `usage` for a job that is not a bulk edit. */
export async function readEditJob(root: string, id: string): Promise<EditJob> {
  const job = await readJob(root, id);
  if (job.kind === 'edit') return job;
  throw new SalonError('usage', `Job ${id} is an export, not a bulk edit.`, {
    hint: `Show it with: salon jobs show ${id}`,
  });
}

export function openJobPlan(root: string, id: string): Promise<Plan> {
  return openPlan(jobPlanPath(root, id));
}

export function jobPlanPath(root: string, id: string): string {
  return join(jobPath(root, id), planName);
}

const planName = 'plan.json';
