import { openEditJob } from '../../bulk/apply/edit-job.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { parseCount } from '../flags/values.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import type { EditFlags } from './edit-options.ts';
import { runJob } from './run-job.ts';

export interface Starting {
  /** Of the folder in which the plan lies. */
  readonly id: string;
  readonly plan: Plan;
  readonly undoes: string | null;
}

/** Makes a job of a plan that was consented to, and carries it out. */
export async function startEdit(
  starting: Starting,
  context: CommandContext<EditFlags>,
): Promise<CommandResult> {
  const { io, flags } = context;
  await using opened = await openEditJob(jobsFolder(io), {
    ...starting,
    profile: (await context.session()).profileName ?? null,
    maxErrors: flags.maxErrors === undefined ? null : parseCount(flags.maxErrors, '--max-errors'),
    now: io.now(),
  });
  return await runJob(opened, await context.client(), context);
}
