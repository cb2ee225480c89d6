import { describe, expect, it } from 'vitest';
import { createRoundRobinQueue } from '../../../../src/service/db/sqlite/threads/round-robin-queue.ts';

/** Runs everything on one thread, each job to its end, and returns the order. */
function runAll(jobs: readonly { accountId: string; name: string }[]): string[] {
  const queue = createRoundRobinQueue<{ accountId: string; name: string; thread?: number }>(1);
  for (const job of jobs) queue.add(job);
  const order: string[] = [];
  for (let job = queue.take(0); job !== undefined; job = queue.take(0)) {
    order.push(job.name);
    queue.end(job);
  }
  return order;
}

describe('a round-robin queue', () => {
  it('alternates between accounts, however many jobs one of them has', () => {
    const busy = Array.from({ length: 4 }, (_, index) => ({ accountId: 'busy', name: `busy ${index}` }));
    const others = ['a', 'b'].map((accountId) => ({ accountId, name: accountId }));
    expect(runAll([...busy, ...others])).toEqual(['busy 0', 'a', 'b', 'busy 1', 'busy 2', 'busy 3']);
  });

  it('leaves a thread to other accounts', () => {
    const queue = createRoundRobinQueue<{ accountId: string }>(1);
    const jobs = ['busy', 'busy', 'other'].map((accountId) => ({ accountId }));
    for (const job of jobs) queue.add(job);
    expect(queue.take(0)).toBe(jobs[0]);
    expect(queue.take(1)).toBe(jobs[2]);
    expect(queue.take(1)).toBeUndefined();
    queue.end({ accountId: 'busy' });
    expect(queue.take(0)).toBe(jobs[1]);
  });

  it('skip jobs that only another thread can run', () => {
    const queue = createRoundRobinQueue<{ accountId: string; thread?: number }>(2);
    const bound = { accountId: 'a', thread: 1 };
    const free = { accountId: 'a' };
    queue.add(bound);
    queue.add(free);
    expect(queue.take(0)).toBe(free);
    expect(queue.take(0)).toBeUndefined();
    expect(queue.take(1)).toBe(bound);
  });

  it('give back the jobs of a thread that has ended', () => {
    const queue = createRoundRobinQueue<{ accountId: string; thread?: number }>(2);
    const lost = { accountId: 'a', thread: 1 };
    const left = { accountId: 'a' };
    queue.add(lost);
    queue.add(left);
    expect(queue.remove(({ thread }) => thread === 1)).toEqual([lost]);
    expect(queue.take(0)).toBe(left);
  });
});
