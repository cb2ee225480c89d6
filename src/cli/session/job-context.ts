import type { JobMetadata } from '../../bulk/jobs/job.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CommandContext } from './command-context.ts';
import { findSavedAccount, toServiceOrigin } from './session.ts';

/**
 * The context of a job: its own profile, unless a flag names another one or this machine does not have it. Throws
 * `usage` if that profile belongs to another salon.
 */
export async function openJobContext<Flags>(
  job: JobMetadata,
  context: CommandContext<Flags>,
): Promise<CommandContext<Flags>> {
  const isHere = job.profile !== null && (await context.profiles()).find(job.profile) !== undefined;
  const own = context.flags.profile === undefined && isHere ? context.withProfile(job.profile) : context;
  const session = await own.session();
  const origin = toServiceOrigin(session);
  if (origin !== job.origin) {
    throw new SalonError('usage', `Job ${job.id} belongs to ${job.origin}, not to ${origin}.`, {
      hint: 'Choose its salon with --profile or --base-url.',
    });
  }
  const account = findSavedAccount(session);
  if (job.account !== null && account !== undefined && account.id !== job.account) {
    throw new SalonError('usage', `Job ${job.id} belongs to a different account, not ${account.name}.`, {
      hint: 'Choose its profile with --profile.',
    });
  }
  return own;
}
