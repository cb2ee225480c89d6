/** A job of an account; `thread` is set where only one thread can run it. */
export interface AccountJob {
  readonly accountId: string;
  readonly thread?: number | undefined;
}

/** Jobs that wait for a thread. */
export interface RoundRobinQueue<Job extends AccountJob> {
  add(job: Job): void;
  /** Removes and returns the job that a free thread runs next; undefined if it has none to run. */
  take(thread: number): Job | undefined;
  /** Tells that a job that was taken has ended. */
  end(job: Job): void;
  /** Removes and returns jobs that wait. */
  remove(isMeant: (job: Job) => boolean): Job[];
}

/**
 * Accounts take turns, however many jobs each of them has: after one of its jobs, an account waits behind all others.
 * None runs more than `maxRunning` at a time, so that another one finds a free thread.
 */
export function createRoundRobinQueue<Job extends AccountJob>(maxRunning: number): RoundRobinQueue<Job> {
  /** In the order of their turns. */
  const waiting = new Map<string, Job[]>();
  const running = new Map<string, number>();

  function take(thread: number): Job | undefined {
    for (const [accountId, jobs] of waiting) {
      if ((running.get(accountId) ?? 0) >= maxRunning) continue;
      const index = jobs.findIndex((job) => job.thread === undefined || job.thread === thread);
      const [job] = index < 0 ? [] : jobs.splice(index, 1);
      if (job === undefined) continue;
      waiting.delete(accountId);
      if (jobs.length > 0) waiting.set(accountId, jobs);
      running.set(accountId, (running.get(accountId) ?? 0) + 1);
      return job;
    }
    return undefined;
  }

  return {
    add(job) {
      const jobs = waiting.get(job.accountId);
      if (jobs === undefined) waiting.set(job.accountId, [job]);
      else jobs.push(job);
    },
    take,
    end({ accountId }) {
      const left = (running.get(accountId) ?? 1) - 1;
      if (left === 0) running.delete(accountId);
      else running.set(accountId, left);
    },
    remove(isMeant) {
      const removed: Job[] = [];
      for (const [accountId, jobs] of waiting) {
        removed.push(...jobs.filter(isMeant));
        const left = jobs.filter((job) => !isMeant(job));
        if (left.length === 0) waiting.delete(accountId);
        else waiting.set(accountId, left);
      }
      return removed;
    },
  };
}
