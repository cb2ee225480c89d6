import type { OpenEditJob } from '../../bulk/apply/edit-job.ts';
import { runEditJob } from '../../bulk/apply/run-edit.ts';
import type { SalonClient } from '../../client/client.ts';
import { parseCount } from '../flags/values.ts';
import { startProgress } from '../messages/progress.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { BudgetFlags } from './edit-options.ts';
import { endEdit } from './edit-result.ts';

/** Carries out what is left of a job's plan, shows how far it is, and says what became of it. */
export async function runJob(
  opened: OpenEditJob,
  client: SalonClient,
  context: CommandContext<BudgetFlags>,
): Promise<CommandResult> {
  const { io, status, messages, flags } = context;
  const { job, plan, progress } = opened;
  const { settings } = await context.session();
  const before = Object.values(progress.tally).reduce((sum, times) => sum + times, 0);
  const { noun } = job.work.edit;
  const shown = startProgress(io, {
    noun,
    status,
    writeLine: messages.verbose,
    doneBefore: before,
    action: 'Sending',
  });
  const end = await runEditJob(opened, {
    client,
    concurrency: settings.concurrency.value,
    now: io.now,
    maxErrors: flags.maxErrors === undefined ? undefined : parseCount(flags.maxErrors, '--max-errors'),
    signal: io.signal,
    watch: shown.update,
  }).finally(shown.stop);
  return endEdit({ job, plan, end }, context);
}
