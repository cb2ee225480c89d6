import { SalonError } from '../../contract/errors.ts';
import type { EditJob } from '../job.ts';
import { listJobIds, readJob } from '../jobs/job-folder.ts';
import type { Plan } from '../plan/plan-read.ts';

/** Nobody has taken a job back, as far as this machine's jobs tell. Throws `conflict`. */
export async function assertNotUndone(root: string, id: string): Promise<void> {
  const undo = await findEdit(root, ({ work }) => work.undoes === id);
  if (undo === undefined) return;
  throw new SalonError('conflict', `Job ${id} was taken back by job ${undo.id}.`, {
    hint: `Look at it with "salon jobs show ${undo.id}"; if it is not done: salon jobs resume ${undo.id}`,
  });
}

/** A plan of new records is carried out once: the second time would make them all again. Throws `conflict`. */
export async function assertNotCarriedOut(root: string, { head, sha256 }: Plan): Promise<void> {
  if (head.edit.verb !== 'create') return;
  const job = await findEdit(root, ({ work }) => work.plan === sha256);
  if (job === undefined) return;
  throw new SalonError('conflict', `The plan was carried out by job ${job.id}.`, {
    hint: `If that is not done: salon jobs resume ${job.id}. To add the records once more, make the plan again.`,
  });
}

async function findEdit(root: string, isIt: (job: EditJob) => boolean): Promise<EditJob | undefined> {
  for (const id of await listJobIds(root)) {
    const job = await readJob(root, id).catch(() => undefined);
    if (job?.kind === 'edit' && isIt(job)) return job;
  }
  return undefined;
}
