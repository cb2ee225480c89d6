import type { JobFacts } from '../../bulk/jobs/job.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toServiceOrigin } from '../session/session.ts';

/**
 * The call in the profile that a job was started with, unless another one is named or this machine has none of that
 * name. Throws `usage` where that is with another salon.
 */
export async function openJobContext<Flags>(
  job: JobFacts,
  context: CommandContext<Flags>,
): Promise<CommandContext<Flags>> {
  const isHere = job.profile !== null && (await context.profiles()).find(job.profile) !== undefined;
  const own = context.flags.profile === undefined && isHere ? context.withProfile(job.profile) : context;
  const session = await own.session();
  const origin = toServiceOrigin(session);
  if (origin !== job.origin) {
    throw new SalonError('usage', `Job ${job.id} is of ${job.origin}, and this is ${origin}.`, {
      hint: 'Choose the salon with --profile or --base-url.',
    });
  }
  const account = session.profile?.account;
  if (job.account !== null && account !== undefined && account.id !== job.account) {
    throw new SalonError('usage', `Job ${job.id} is of another account than ${account.name}.`, {
      hint: 'Choose the profile it was started with: --profile <name>.',
    });
  }
  return own;
}
