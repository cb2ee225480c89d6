import { SalonError, withContext } from '../../contract/errors.ts';
import type { ResumePoint } from './page.ts';

/** How far a walk had got when it failed. */
export interface Reached {
  readonly page: number;
  readonly rows: number;
  /** Undefined where it cannot go on from there. */
  readonly resumeAt: ResumePoint | undefined;
}

/** The failure of a page behind the first, with how far the walk had got. An interruption stays as it is. */
export function failedBehind(thrown: unknown, { page, rows, resumeAt }: Reached): unknown {
  if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') return thrown;
  const message = `${thrown.message.replace(/\.$/, '')} (at page ${page}, after ${rows} rows).`;
  const resumable = resumeAt === undefined ? {} : { resume_at: resumeAt };
  return withContext(thrown, {
    message,
    members: { ...thrown.members, page, rows_read: rows, ...resumable },
  });
}
