import type { OpenEditJob } from '../../bulk/apply/edit-job.ts';
import { runEditJob } from '../../bulk/apply/run-edit-job.ts';
import type { SalonClient } from '../../client/client.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { startProgress } from '../output/progress.ts';
import { parseCount } from '../flags/values.ts';
import type { BudgetFlags } from './edit-options.ts';
import { endEdit } from './end-edit.ts';

/** Carries out what is left of a job's plan, shows how far it is, and says what became of it. */
export async function runJob(
  opened: OpenEditJob,
  client: SalonClient,
  call: Call<BudgetFlags>,
): Promise<Outcome> {
  const { io, status, talk, flags } = call;
  const { job, plan, progress } = opened;
  const { settings } = await call.session();
  const before = Object.values(progress.tally).reduce((sum, times) => sum + times, 0);
  const { noun } = job.work.edit;
  const shown = startProgress(io, { noun, status, explain: talk.explain, before, act: 'Sending' });
  const end = await runEditJob(opened, {
    client,
    concurrency: settings.concurrency.value,
    now: io.now,
    maxErrors: flags.maxErrors === undefined ? undefined : parseCount(flags.maxErrors, '--max-errors'),
    signal: io.signal,
    watch: shown.update,
  }).finally(shown.stop);
  return endEdit({ job, plan, end }, call);
}
