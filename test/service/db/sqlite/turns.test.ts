import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../../src/service/db/sqlite/threads/turns.ts';

/** Runs everything on one thread, each job to its end, and returns the order. */
function runAll(jobs: readonly { accountId: string; name: string }[]): string[] {
  const turns = createTurns<{ accountId: string; name: string; thread?: number }>(1);
  for (const job of jobs) turns.add(job);
  const order: string[] = [];
  for (let job = turns.take(0); job !== undefined; job = turns.take(0)) {
    order.push(job.name);
    turns.end(job);
  }
  return order;
}

describe('turns', () => {
  it('alternate between accounts, however many jobs one of them has', () => {
    const busy = Array.from({ length: 4 }, (_, index) => ({ accountId: 'busy', name: `busy ${index}` }));
    const others = ['a', 'b'].map((accountId) => ({ accountId, name: accountId }));
    expect(runAll([...busy, ...others])).toEqual(['busy 0', 'a', 'b', 'busy 1', 'busy 2', 'busy 3']);
  });

  it('leave a thread to other accounts', () => {
    const turns = createTurns<{ accountId: string }>(1);
    const jobs = ['busy', 'busy', 'other'].map((accountId) => ({ accountId }));
    for (const job of jobs) turns.add(job);
    expect(turns.take(0)).toBe(jobs[0]);
    expect(turns.take(1)).toBe(jobs[2]);
    expect(turns.take(1)).toBeUndefined();
    turns.end({ accountId: 'busy' });
    expect(turns.take(0)).toBe(jobs[1]);
  });

  it('skip jobs that only another thread can run', () => {
    const turns = createTurns<{ accountId: string; thread?: number }>(2);
    const bound = { accountId: 'a', thread: 1 };
    const free = { accountId: 'a' };
    turns.add(bound);
    turns.add(free);
    expect(turns.take(0)).toBe(free);
    expect(turns.take(0)).toBeUndefined();
    expect(turns.take(1)).toBe(bound);
  });

  it('give back the jobs of a thread that has ended', () => {
    const turns = createTurns<{ accountId: string; thread?: number }>(2);
    const lost = { accountId: 'a', thread: 1 };
    const left = { accountId: 'a' };
    turns.add(lost);
    turns.add(left);
    expect(turns.remove(({ thread }) => thread === 1)).toEqual([lost]);
    expect(turns.take(0)).toBe(left);
  });
});
