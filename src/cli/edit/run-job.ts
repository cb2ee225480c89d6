import { countErrors } from '../../bulk/edit/apply-plan.ts';
import type { EditEntry } from '../../bulk/edit/edit-entry.ts';
import type { EditProgress } from '../../bulk/edit/edit-progress.ts';
import { runEdit } from '../../bulk/edit/edit-run.ts';
import type { Plan } from '../../bulk/edit/plan-read.ts';
import { type Reports, writeReports } from '../../bulk/edit/write-reports.ts';
import type { EditJob } from '../../bulk/job.ts';
import type { JobRecord } from '../../bulk/job-record.ts';
import { jobPath, journalPath } from '../../bulk/jobs/job-folder.ts';
import type { SalonClient } from '../../client/client.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { startProgress } from '../output/progress.ts';
import { jobsFolder } from '../session/folders.ts';
import { endEdit } from './end-edit.ts';

export interface RunningEdit {
  readonly job: EditJob;
  readonly plan: Plan;
  readonly record: JobRecord<EditEntry>;
  readonly progress: EditProgress;
  readonly client: SalonClient;
}

/** Rows that wait for the disk while as many others wait for the server. */
const rowsPerConnection = 3;

/** Carries out what is left of a job's plan, shows how far it is, and says what became of it. */
export async function runJob(
  { job, plan, record, progress, client }: RunningEdit,
  call: Call,
): Promise<Outcome> {
  const { io, status, talk } = call;
  const folder = jobPath(jobsFolder(io), job.id);
  const path = journalPath(jobsFolder(io), job.id);
  const { edit, maxErrors, changes, undoes } = job.work;
  const { settings } = await call.session();
  let settled = Object.values(progress.tally).reduce((sum, times) => sum + times, 0);
  let reports: Reports | undefined;
  const shown = startProgress(io, {
    noun: edit.noun,
    status,
    explain: talk.explain,
    before: settled,
    act: 'Sending',
  });
  const end = await runEdit({
    jobId: job.id,
    plan,
    journalPath: path,
    progress,
    journal: record.journal,
    client,
    folder,
    width: settings.concurrency.value * (edit.verb === 'create' ? 1 : rowsPerConnection),
    // Those of an earlier run were looked at before this one was started.
    maxErrors: maxErrors === null ? null : countErrors(progress.tally) + maxErrors,
    now: io.now,
    signal: io.signal,
    settled: () => {
      settled += 1;
      shown.update(settled, changes);
    },
    report: async () => {
      reports = await writeReports({ plan, journalPath: path, folder, hasSheet: undoes === null });
    },
  }).finally(shown.stop);
  return endEdit({ job, plan, end, reports }, call);
}
