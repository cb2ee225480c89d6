import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openLocalState, toStatePath } from '../../local-state/local-state.ts';

/** Held by the one process that works on a job. It ends with the process. */
export type JobLock = AsyncDisposable;

/** Locks a job; undefined where another process has locked it. Throws where the folder of jobs is not writable. */
export async function acquireJobLock(folder: string): Promise<JobLock | undefined> {
  await using resources = new AsyncDisposableStack();
  const state = resources.use(await openLocalState(dirname(folder)));
  const lock = await state.acquireLock(basename(folder));
  if (lock === undefined) return undefined;
  resources.use(lock);
  return resources.move();
}

/** Where the lock cannot be read, the job counts as not locked: a process that works on it keeps the lock readable. */
export async function isJobLocked(folder: string): Promise<boolean> {
  if (!existsSync(toStatePath(dirname(folder)))) return false;
  try {
    using state = await openLocalState(dirname(folder));
    return await state.isLocked(basename(folder));
  } catch {
    return false;
  }
}
