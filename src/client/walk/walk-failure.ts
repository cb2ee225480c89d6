import { retell, SalonError } from '../../contract/errors.ts';

/** Where a walk that failed can go on: the `resume_at` of its error. */
export interface ResumePoint {
  /** The page that comes next. */
  readonly page?: number | undefined;
  /** The address of what follows the last row, from servers that give one. */
  readonly cursor?: string | undefined;
  /** Rows handed out so far. */
  readonly rows?: number | undefined;
  /** Some of the last rows handed out, by which a list without cursors is recognised although it has moved. */
  readonly behind?: readonly string[] | undefined;
}

/** The failure of a page behind the first, with how far the walk had got. An interruption stays as it is. */
export function failedBehind(thrown: unknown, point: ResumePoint): unknown {
  if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') return thrown;
  const { page, rows } = point;
  const message = `${thrown.message.replace(/\.$/, '')} (at page ${page}, after ${rows} rows).`;
  return retell(thrown, { message, members: { ...thrown.members, page, rows_read: rows, resume_at: point } });
}
