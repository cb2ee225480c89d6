import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue, type FairQueueOptions, type Turn } from '../../../src/service/http/fair-queue.ts';

const limits = {
  maxRunning: 2,
  maxRunningTotal: 4,
  maxPending: 5,
  maxPendingTotal: 12,
  // Longer than any run: requests that still wait when a test ends would be refused in another one.
  maxWaitMs: 2_147_483_647,
  sliceMs: 10,
};

/** A queue whose requests run until they are ended, and the order in which they began. */
function openQueue(options: Partial<FairQueueOptions> = {}) {
  // A clock that stands still: no slice ends.
  const queue = createFairQueue({ ...limits, uptimeMs: () => 0, ...options });
  const begun: string[] = [];
  const turns = new Map<string, Turn>();
  return {
    queue,
    begun,
    send(account: string, name: string, key?: string) {
      const turn = queue.admit(account, key);
      turns.set(name, turn);
      const waits = turn.start();
      if (waits === undefined) begun.push(name);
      else void waits.then(() => begun.push(name));
    },
    async end(name: string) {
      turns.get(name)?.end();
      await Promise.resolve();
    },
    async leave(name: string) {
      turns.get(name)?.leave();
      await Promise.resolve();
    },
  };
}

describe('the queue of requests', () => {
  it('lets a few requests of an account run, and the others wait', async () => {
    const { send, end, begun } = openQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4']) send('a', name);
    expect(begun).toEqual(['a1', 'a2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('does nothing while requests wait for others to end', async () => {
    let looks = 0;
    const { send, begun } = openQueue({ uptimeMs: () => looks++ * 0 });
    for (const name of ['a1', 'a2', 'a3']) send('a', name);
    await nextTurn();
    const before = looks;
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(looks).toBe(before);
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('serves accounts in turn, however many requests one of them has', async () => {
    const { send, end, begun } = openQueue({ maxRunningTotal: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) send('a', name);
    for (const name of ['b1', 'b2']) send('b', name);
    send('c', 'c1');
    const order: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const [next = ''] = begun.slice(-1);
      order.push(next);
      await end(next);
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('serves the keys of an account in turn', async () => {
    const { send, end, leave, begun } = openQueue({ maxRunningTotal: 1, maxPending: 10 });
    for (const name of ['x1', 'x2', 'x3', 'x4']) send('a', name, 'x');
    for (const name of ['y1', 'y2']) send('a', name, 'y');
    send('a', 'z1', 'z');
    await leave('z1');
    const order: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const [next = ''] = begun.slice(-1);
      order.push(next);
      await end(next);
    }
    expect(order).toEqual(['x1', 'x2', 'y1', 'x3', 'y2', 'x4']);
  });

  it('refuses what an account has too much of, and still admits others', () => {
    const { send, queue } = openQueue();
    for (const name of ['1', '2', '3', '4', '5']) send('a', name);
    expect(() => queue.admit('a')).toThrow('too many requests in progress');
    send('b', 'b1');
    expect(queue.load()).toEqual({ running: 3, waiting: 3, refused: 1 });
  });

  it('leaves every account its part when all together have too many', () => {
    const { send, queue } = openQueue();
    for (const account of ['a', 'b', 'c'])
      for (const name of [1, 2, 3, 4]) send(account, `${account}${name}`);
    expect(() => queue.admit('a')).toThrow('too many');
    send('d', 'd1');
    expect(queue.load()).toMatchObject({ running: 4, waiting: 9 });
  });

  it('forgets a request whose client leaves while it waits, but not one that runs', async () => {
    const { send, end, leave, begun, queue } = openQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4']) send('a', name);
    await leave('a3');
    await leave('a1');
    expect(queue.load()).toEqual({ running: 2, waiting: 1, refused: 0 });
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a4']);
  });

  it('refuses a request that waited too long', async () => {
    const { queue, send } = openQueue({ maxWaitMs: 1 });
    for (const name of ['a1', 'a2']) send('a', name);
    await expect(queue.admit('a').start()).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfterMs: 1000,
    });
  });

  it('goes on in the next turn of the event loop when requests have taken their time in this one', async () => {
    let uptimeMs = 0;
    const { queue, send } = openQueue({ uptimeMs: () => uptimeMs });
    send('a', 'a1');
    uptimeMs = 10;
    const started = queue.admit('b').start();
    expect(started).toBeInstanceOf(Promise);
    await started;
    expect(queue.load()).toMatchObject({ running: 2, waiting: 0 });
  });

  it('never runs too many, loses none and ends empty', async () => {
    const step = fc.record({
      account: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('send', 'end', 'leave'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const queue = createFairQueue({ ...limits, uptimeMs: () => 0 });
        const open: { account: string; turn: Turn; runs: boolean }[] = [];
        for (const { account, act } of steps) {
          const last = open.findLast((one) => one.account === account);
          if (act === 'send') {
            try {
              const one = { account, turn: queue.admit(account), runs: false };
              open.push(one);
              const waits = one.turn.start();
              one.runs = waits === undefined;
              void waits?.then(() => {
                one.runs = true;
              });
            } catch {
              expect(open.length).toBeGreaterThanOrEqual(limits.maxPending);
            }
          } else if (last !== undefined) {
            last.turn[act === 'end' || last.runs ? 'end' : 'leave']();
            open.splice(open.indexOf(last), 1);
          }
          await Promise.resolve();
          const running = open.filter(({ runs }) => runs);
          expect(running.length).toBeLessThanOrEqual(limits.maxRunningTotal);
          for (const name of ['a', 'b', 'c']) {
            const own = open.filter((one) => one.account === name);
            const ownRunning = own.filter(({ runs }) => runs).length;
            expect(ownRunning).toBeLessThanOrEqual(limits.maxRunning);
            // Nobody waits while there is room.
            if (ownRunning < Math.min(own.length, limits.maxRunning)) {
              expect(running.length).toBe(limits.maxRunningTotal);
            }
          }
        }
        for (const { turn } of open) turn.end();
        expect(queue.load()).toMatchObject({ running: 0, waiting: 0 });
      }),
      { numRuns: 200 },
    );
  });
});
