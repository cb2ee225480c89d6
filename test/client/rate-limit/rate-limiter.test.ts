import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/client/deadline.ts';
import type { ClientEvent } from '../../../src/client/events.ts';
import { createMemoryLedger } from '../../../src/client/rate-limit/ledger.ts';
import { createRateLimiter, type Permit } from '../../../src/client/rate-limit/rate-limiter.ts';
import { createEventClock } from '../../support/event-clock.ts';
import { refusal } from '../../support/open-client.ts';

const startMs = Date.UTC(2026, 0, 1, 9);

function open({ maxWaitMs = 600_000, perHour }: { maxWaitMs?: number; perHour?: number } = {}) {
  const clock = createEventClock(startMs);
  const events: ClientEvent[] = [];
  const turnstile = createRateLimiter({
    clock,
    ledger: createMemoryLedger({ now: clock.now, perHour }),
    deadline: createDeadline({ clock, maxWaitMs, deadlineMs: undefined }),
    observe: (event) => events.push(event),
  });
  const passed: Permit[] = [];
  /** Lets a crowd enter; how many got through can be read from `passed`. */
  const crowd = (size: number, signal?: AbortSignal) =>
    Array.from({ length: size }, () => turnstile.acquire(signal).then((passage) => passed.push(passage)));
  return { clock, events, turnstile, passed, crowd };
}

const told = (remaining: number, resetInMs: number, nowMs: number) => ({
  limit: 100,
  remaining,
  resetAtMs: nowMs + resetInMs,
  windowMs: 3_600_000,
});

describe('the turnstile', () => {
  it('holds nothing back while nothing is known of a limit', async () => {
    const { clock, passed, crowd } = open();
    crowd(500);
    await clock.runUntil(startMs);
    expect(passed).toHaveLength(500);
  });

  it('lets no more through than an answer says are left, those under way counted', async () => {
    const { clock, passed, crowd } = open();
    crowd(3);
    await clock.runUntil(startMs + 1);
    passed[0]?.recordResponse(told(5, 60_000, clock.now()));
    passed[0]?.release();
    crowd(20);
    await clock.runUntil(startMs + 30_000);
    expect(passed).toHaveLength(3 + 3);
  });

  it('waits for the end of the window, then tries one, then lets the others through', async () => {
    const { clock, events, passed, crowd } = open();
    crowd(1);
    await clock.runUntil(startMs + 1);
    passed[0]?.recordResponse(told(0, 60_000, clock.now()));
    passed[0]?.release();
    crowd(4);
    await clock.runUntil(startMs + 60_000);
    expect(passed).toHaveLength(1);
    expect(events).toEqual([{ type: 'waiting', waitMs: 61_000, untilMs: startMs + 61_001 }]);
    await clock.runUntil(startMs + 62_000);
    expect(passed).toHaveLength(2);
    passed[1]?.recordResponse(told(99, 3_600_000, clock.now()));
    passed[1]?.release();
    await clock.runUntil(clock.now());
    expect(passed).toHaveLength(5);
  });

  it('takes what it reserved into a new window one by one, until an answer tells of that', async () => {
    const { clock, passed, crowd } = open();
    for (const remaining of [81, 80]) {
      crowd(1);
      await clock.runUntil(clock.now() + 1);
      passed.at(-1)?.recordResponse(told(remaining, 10_000, clock.now()));
      passed.at(-1)?.release();
    }
    await clock.runUntil(startMs + 12_000);
    crowd(5);
    await clock.runUntil(clock.now());
    expect(passed).toHaveLength(3);
  });

  it('sends nothing while a refusal lasts, and one at a time until the server serves again', async () => {
    const { clock, passed, crowd } = open();
    crowd(5);
    await clock.runUntil(startMs + 1);
    passed[0]?.recordRefusal(20_000);
    for (const passage of passed) passage.release();
    crowd(5);
    await clock.runUntil(startMs + 20_000);
    expect(passed).toHaveLength(5);
    await clock.runUntil(startMs + 21_000);
    expect(passed).toHaveLength(6);
    passed[5]?.recordResponse(undefined);
    passed[5]?.release();
    await clock.runUntil(clock.now());
    expect(passed).toHaveLength(10);
  });

  it('refuses those who wait when the wait is longer than the patience, and says when it goes on', async () => {
    const { clock, passed, crowd, turnstile } = open({ maxWaitMs: 60_000 });
    crowd(1);
    await clock.runUntil(startMs);
    passed[0]?.recordResponse(told(0, 23 * 60_000 - 1_000, clock.now()));
    passed[0]?.release();
    expect(await refusal(turnstile.acquire(undefined))).toMatchObject({
      code: 'rate_limited',
      retryable: true,
      retryAfterMs: 23 * 60_000,
      message: expect.stringContaining('Try again in 23 min, at 09:23:00 UTC.'),
    });
  });

  it('lets nobody wait who has given up, and the next one pass in his place', async () => {
    const { clock, passed, crowd, turnstile } = open();
    crowd(1);
    await clock.runUntil(startMs);
    passed[0]?.recordResponse(told(0, 10_000, clock.now()));
    passed[0]?.release();
    const impatient = new AbortController();
    const given = refusal(turnstile.acquire(impatient.signal));
    crowd(1);
    impatient.abort();
    expect((await given).code).toBe('interrupted');
    await clock.runUntil(startMs + 20_000);
    expect(passed).toHaveLength(2);
  });

  it('spends a budget at once if it likes, and then waits until an hour is over', async () => {
    const { clock, turnstile } = open({ perHour: 10, maxWaitMs: 10 ** 8 });
    const sentAfterMs: number[] = [];
    const send = async () => {
      const passage = await turnstile.acquire(undefined);
      sentAfterMs.push(clock.now() - startMs);
      passage.recordResponse(undefined);
      passage.release();
    };
    const sending = Promise.all(Array.from({ length: 12 }, send));
    await clock.runUntil(startMs + 2 * 3_600_000);
    await sending;
    const [first, ...others] = Object.entries(Object.groupBy(sentAfterMs, (afterMs) => afterMs));
    expect(first).toEqual(['0', Array(10).fill(0)]);
    expect(others.map(([afterMs]) => Number(afterMs) >= 3_600_000)).toEqual([true]);
  });
});
