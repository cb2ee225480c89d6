import type { SalonClient } from '../../client/client.ts';
import { type ApplyEnd, countErrors } from './apply-plan.ts';
import type { OpenEditJob } from './edit-job.ts';
import { runEdit } from './edit-run.ts';
import { type Reports, writeReports } from './write-reports.ts';

export interface EditRunning {
  readonly client: SalonClient;
  /** Connections that the client has at once. */
  readonly concurrency: number;
  readonly now: () => Date;
  /** After so many failures of this run nothing more is sent; left out: as many as the job says. */
  readonly maxErrors?: number | undefined;
  /** Nothing new is sent once it fires; what is under way is waited for. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many rows of how many it is known of what became of them. */
  readonly watch?: ((settled: number, changes: number) => void) | undefined;
}

export interface EditEnd extends ApplyEnd {
  /** Undefined where they could not be written. */
  readonly reports: Reports | undefined;
}

/** Updates and removals that go to disk together: after a kill each of them has to be looked at. */
const announcedAtOnce = 64;

/** Carries out what is left of a job's plan, and writes down what became of every row. */
export async function runEditJob(
  { job, plan, progress, journal, folder, journalPath }: OpenEditJob,
  { client, concurrency, now, signal, watch, ...running }: EditRunning,
): Promise<EditEnd> {
  const { edit, changes, undoes } = job.work;
  const maxErrors = running.maxErrors ?? job.work.maxErrors;
  let settled = Object.values(progress.tally).reduce((sum, times) => sum + times, 0);
  let reports: Reports | undefined;
  const end = await runEdit({
    jobId: job.id,
    plan,
    client,
    folder,
    journalPath,
    journal,
    progress,
    width: concurrency,
    atOnce: edit.verb === 'create' ? concurrency : announcedAtOnce,
    // Those of an earlier run were looked at before this one was started.
    maxErrors: maxErrors === null ? null : countErrors(progress.tally) + maxErrors,
    now,
    signal,
    settled: () => {
      settled += 1;
      watch?.(settled, changes);
    },
    report: async () => {
      reports = await writeReports({ plan, journalPath, folder, hasSheet: undoes === null });
    },
  });
  return { ...end, reports };
}
