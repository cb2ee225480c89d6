import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoundedQueue, type Place, type QueueOptions } from '../src/queue.ts';
import { createTurnShare } from '../src/service/http/connections.ts';
import { countBySpeed } from './support/speed.ts';

const limits = {
  maxRunning: 2,
  maxRunningTotal: 4,
  maxPending: 5,
  maxPendingTotal: 12,
  // Longer than any run: requests that still wait when a test ends would be refused in another one.
  maxWaitMs: 2_147_483_647,
  refuse: (reason: string) => new Error(`refused: ${reason}`),
};

/** A queue whose tasks run until they are ended, and the order in which they began. */
function openQueue(options: Partial<QueueOptions> = {}) {
  const queue = createBoundedQueue<string>({ ...limits, ...options });
  const begun: string[] = [];
  const places = new Map<string, Place>();
  return {
    queue,
    begun,
    send(account: string, name: string, key?: string) {
      const place = queue.enter(account, key);
      places.set(name, place);
      place.start(() => begun.push(name));
    },
    async end(name: string) {
      places.get(name)?.end();
      await Promise.resolve();
    },
    async leave(name: string) {
      places.get(name)?.leave();
      await Promise.resolve();
    },
  };
}

describe('a bounded queue', () => {
  it('lets a few requests of an account run, and the others wait', async () => {
    const { send, end, begun } = openQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4']) send('a', name);
    expect(begun).toEqual(['a1', 'a2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('does nothing while requests wait for others to end', async () => {
    let looks = 0;
    const share = createTurnShare({ maxMs: 10, uptimeMs: () => looks++ * 0 });
    const { send, begun } = openQueue({ share });
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
    expect(() => queue.enter('a')).toThrow('refused: full');
    send('b', 'b1');
    expect(queue.load()).toEqual({ running: 3, waiting: 3 });
  });

  it('leaves every account its part when all together have too many', () => {
    const { send, queue } = openQueue();
    for (const account of ['a', 'b', 'c'])
      for (const name of [1, 2, 3, 4]) send(account, `${account}${name}`);
    expect(() => queue.enter('a')).toThrow('refused: full');
    send('d', 'd1');
    expect(queue.load()).toMatchObject({ running: 4, waiting: 9 });
  });

  it('forgets a request whose client leaves while it waits, but not one that runs', async () => {
    const { send, end, leave, begun, queue } = openQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4']) send('a', name);
    await leave('a3');
    await leave('a1');
    expect(queue.load()).toEqual({ running: 2, waiting: 1 });
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a4']);
  });

  it('refuses a request that waited too long', async () => {
    const { queue, send } = openQueue({ maxWaitMs: 1 });
    for (const name of ['a1', 'a2']) send('a', name);
    const late = Promise.withResolvers<Error | undefined>();
    queue.enter('a').start(late.resolve);
    expect(await late.promise).toMatchObject({ message: 'refused: late' });
  });

  it('goes on in the next turn of the event loop when requests have taken their time in this one', async () => {
    let uptimeMs = 0;
    const share = createTurnShare({ maxMs: 10, uptimeMs: () => uptimeMs });
    const { queue, send, begun } = openQueue({ share });
    send('a', 'a1');
    uptimeMs = 10;
    send('b', 'b1');
    expect(begun).toEqual(['a1']);
    await nextTurn();
    expect(begun).toEqual(['a1', 'b1']);
    expect(queue.load()).toMatchObject({ running: 2, waiting: 0 });
  });

  it('never runs too many, loses none and ends empty', async () => {
    const step = fc.record({
      account: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('send', 'end', 'leave'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const queue = createBoundedQueue<string>(limits);
        const open: { account: string; place: Place; runs: boolean }[] = [];
        for (const { account, act } of steps) {
          const last = open.findLast((one) => one.account === account);
          if (act === 'send') {
            try {
              const one = { account, place: queue.enter(account), runs: false };
              open.push(one);
              one.place.start(() => {
                one.runs = true;
              });
            } catch {
              expect(open.length).toBeGreaterThanOrEqual(limits.maxPending);
            }
          } else if (last !== undefined) {
            last.place[act === 'end' || last.runs ? 'end' : 'leave']();
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
        for (const { place } of open) place.end();
        expect(queue.load()).toMatchObject({ running: 0, waiting: 0 });
      }),
      { numRuns: countBySpeed(200) },
    );
  });
});
