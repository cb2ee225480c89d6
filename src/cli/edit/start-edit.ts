import type { EditEntry } from '../../bulk/edit/edit-entry.ts';
import { readEditProgress } from '../../bulk/edit/edit-progress.ts';
import { countChanges } from '../../bulk/edit/plan-counts.ts';
import type { Plan } from '../../bulk/edit/plan-read.ts';
import type { EditJob } from '../../bulk/job.ts';
import { startRecord } from '../../bulk/job-record.ts';
import { journalPath } from '../../bulk/jobs/job-folder.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { parseCount } from '../parse/values.ts';
import { jobsFolder } from '../session/folders.ts';
import type { EditFlags } from './edit-options.ts';
import { openJobPlan } from './job-files.ts';
import { runJob } from './run-job.ts';

export interface Starting {
  /** Of the draft folder in which the plan lies. */
  readonly id: string;
  readonly plan: Plan;
  readonly undoes: string | null;
}

/** Makes a job of a plan that was consented to, and carries it out. */
export async function startEdit({ id, plan, undoes }: Starting, call: Call<EditFlags>): Promise<Outcome> {
  const { io, flags } = call;
  const root = jobsFolder(io);
  const { head, counts } = plan;
  const job: EditJob = {
    version: 1,
    id,
    kind: 'edit',
    createdAt: io.now().toISOString(),
    profile: (await call.session()).profileName ?? null,
    ...head.account,
    work: {
      edit: head.edit,
      source: undoes === null ? head.source.name : null,
      undoes,
      changes: countChanges(counts),
      maxErrors: flags.maxErrors === undefined ? null : parseCount(flags.maxErrors, '--max-errors'),
    },
  };
  const record = await startRecord<EditEntry>(root, job);
  if (record === undefined) throw new SalonError('conflict', `Job ${id} was taken by another process.`);
  await using _hold = record.hold;
  await using _journal = record.journal;
  const progress = await readEditProgress(journalPath(root, id));
  return await runJob(
    { job, plan: await openJobPlan(root, id), record, progress, client: await call.client() },
    call,
  );
}
