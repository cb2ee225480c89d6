import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlan, type Plan } from '../../bulk/edit/plan-read.ts';
import { writePlan } from '../../bulk/edit/plan-write.ts';
import type { EditJob } from '../../bulk/job.ts';
import { createDraftFolder, createJobId, jobPath, readJob } from '../../bulk/jobs/job-folder.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { jobsFolder } from '../session/folders.ts';

/** A folder in which a plan is made; it goes unless it becomes a job's. */
export interface Draft extends AsyncDisposable {
  readonly id: string;
  readonly folder: string;
  readonly planPath: string;
}

export async function openDraft(io: Io): Promise<Draft> {
  const id = createJobId(io.now(), io.random);
  const folder = await createDraftFolder(jobsFolder(io), id);
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
  throw new SalonError('usage', `Job ${id} is an export: it has changed nothing.`);
}

export function openJobPlan(root: string, id: string): Promise<Plan> {
  return openPlan(join(jobPath(root, id), planName));
}

/** Writes a plan once more, whole or not at all. */
export async function copyPlan({ head, rows }: Plan, path: string): Promise<void> {
  await writePlan(path, head, rows());
}

const planName = 'plan.json';
