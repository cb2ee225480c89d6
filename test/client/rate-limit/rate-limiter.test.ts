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
  const rateLimiter = createRateLimiter({
    clock,
    ledger: createMemoryLedger({ now: clock.now, perHour }),
    deadline: createDeadline({ clock, maxRetries: 10, maxWaitMs, deadlineMs: undefined }),
    observe: (event) => events.push(event),
  });
  const passed: Permit[] = [];
  /** Acquires many permits; `passed` counts those granted. */
  const acquireMany = (size: number, signal?: AbortSignal) =>
    Array.from({ length: size }, () => rateLimiter.acquire(signal).then((passage) => passed.push(passage)));
  return { clock, events, rateLimiter, passed, acquireMany };
}

const toLimit = (remaining: number, resetInMs: number, nowMs: number) => ({
  limit: 100,
  remaining,
  resetAtMs: nowMs + resetInMs,
  windowMs: 3_600_000,
});

describe('the rate limiter', () => {
  it('lets all requests pass while no limit is known', async () => {
    const { clock, passed, acquireMany } = open();
    acquireMany(500);
    await clock.runUntil(startMs);
    expect(passed).toHaveLength(500);
  });

  it('lets as many pass as remain, including those in flight', async () => {
    const { clock, passed, acquireMany } = open();
    acquireMany(3);
    await clock.runUntil(startMs + 1);
    passed[0]?.recordResponse(toLimit(5, 60_000, clock.now()));
    passed[0]?.release();
    acquireMany(20);
    await clock.runUntil(startMs + 30_000);
    expect(passed).toHaveLength(3 + 3);
  });

  it('waits for the end of the window, then sends one request before the others', async () => {
    const { clock, events, passed, acquireMany } = open();
    acquireMany(1);
    await clock.runUntil(startMs + 1);
    passed[0]?.recordResponse(toLimit(0, 60_000, clock.now()));
    passed[0]?.release();
    acquireMany(4);
    await clock.runUntil(startMs + 60_000);
    expect(passed).toHaveLength(1);
    expect(events).toEqual([{ type: 'waiting', waitMs: 61_000, untilMs: startMs + 61_001 }]);
    await clock.runUntil(startMs + 62_000);
    expect(passed).toHaveLength(2);
    passed[1]?.recordResponse(toLimit(99, 3_600_000, clock.now()));
    passed[1]?.release();
    await clock.runUntil(clock.now());
    expect(passed).toHaveLength(5);
  });

  it('sends one request at a time in a new window until a response reports its limit', async () => {
    const { clock, passed, acquireMany } = open();
    for (const remaining of [81, 80]) {
      acquireMany(1);
      await clock.runUntil(clock.now() + 1);
      passed.at(-1)?.recordResponse(toLimit(remaining, 10_000, clock.now()));
      passed.at(-1)?.release();
    }
    await clock.runUntil(startMs + 12_000);
    acquireMany(5);
    await clock.runUntil(clock.now());
    expect(passed).toHaveLength(3);
  });

  it('sends nothing during the wait after a 429, then one request at a time until one succeeds', async () => {
    const { clock, passed, acquireMany } = open();
    acquireMany(5);
    await clock.runUntil(startMs + 1);
    passed[0]?.recordRefusal(20_000);
    for (const passage of passed) passage.release();
    acquireMany(5);
    await clock.runUntil(startMs + 20_000);
    expect(passed).toHaveLength(5);
    await clock.runUntil(startMs + 21_000);
    expect(passed).toHaveLength(6);
    passed[5]?.recordResponse(undefined);
    passed[5]?.release();
    await clock.runUntil(clock.now());
    expect(passed).toHaveLength(10);
  });

  it('fails if the wait is longer than the maximum, and reports when to retry', async () => {
    const { clock, passed, acquireMany, rateLimiter } = open({ maxWaitMs: 60_000 });
    acquireMany(1);
    await clock.runUntil(startMs);
    passed[0]?.recordResponse(toLimit(0, 23 * 60_000 - 1_000, clock.now()));
    passed[0]?.release();
    expect(await refusal(rateLimiter.acquire(undefined))).toMatchObject({
      code: 'rate_limited',
      retryable: true,
      retryAfterMs: 23 * 60_000,
      message: expect.stringContaining('Try again in 23 min, at 09:23:00 UTC.'),
    });
  });

  it('skips cancelled requests and lets the next one pass', async () => {
    const { clock, passed, acquireMany, rateLimiter } = open();
    acquireMany(1);
    await clock.runUntil(startMs);
    passed[0]?.recordResponse(toLimit(0, 10_000, clock.now()));
    passed[0]?.release();
    const cancelled = new AbortController();
    const error = refusal(rateLimiter.acquire(cancelled.signal));
    acquireMany(1);
    cancelled.abort();
    expect((await error).code).toBe('interrupted');
    await clock.runUntil(startMs + 20_000);
    expect(passed).toHaveLength(2);
  });

  it('allows a burst up to the limit set by the user, then waits for an hour', async () => {
    const { clock, rateLimiter } = open({ perHour: 10, maxWaitMs: 10 ** 8 });
    const sentAfterMs: number[] = [];
    const send = async () => {
      const passage = await rateLimiter.acquire(undefined);
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
