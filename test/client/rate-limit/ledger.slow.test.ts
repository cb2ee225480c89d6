import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryLedger,
  emptyLedger,
  type Grant,
  type Ledger,
  recordUsage,
  reserve,
} from '../../../src/client/rate-limit/ledger.ts';
import { addResponse, emptyObservation } from '../../../src/client/rate-limit/limit-observation.ts';
import { createEventClock } from '../../support/event-clock.ts';
import {
  createFixedWindowService,
  createSlidingWindowService,
  firstSince,
  type LimitedService,
} from '../../support/limited-service.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { startJob } from '../../support/simulated-job.ts';

const startMs = Date.UTC(2026, 0, 1, 9, 0, 0, 400);
const hourMs = 3_600_000;
const plan = { limit: 5_000, windowMs: hourMs, startMs };

/** A ledger in memory that several clients share. */
function createSharedLedger(now: () => number): (name: string) => Ledger {
  let state = emptyLedger;
  return (name) => ({
    async take(report): Promise<Grant> {
      const facts = { nowMs: now(), perHour: undefined };
      const reserved = reserve(recordUsage(state, name, report, facts.nowMs), name, facts);
      state = reserved.state;
      return reserved.grant;
    },
    async close(report) {
      state = recordUsage(state, name, report, now());
    },
  });
}

function servedIn(service: LimitedService, fromMs: number, toMs: number): number {
  return firstSince(service.servedAtMs, toMs) - firstSince(service.servedAtMs, fromMs);
}

/** The highest number of requests in any hour. */
function mostInAnHour({ servedAtMs }: LimitedService): number {
  return Math.max(...servedAtMs.map((atMs, index) => firstSince(servedAtMs, atMs + hourMs) - index));
}

describe.each([
  ['a fixed window', createFixedWindowService],
  ['a sliding window', createSlidingWindowService],
])('a limit of 5,000 requests in %s', (_name, createService) => {
  it.each([1, 8, 32])('is used to 99 % without a 429, %i concurrent', async (workers) => {
    const clock = createEventClock(startMs);
    const service = createService(plan);
    const ledger = createMemoryLedger({ now: clock.now, perHour: undefined });
    const job = startJob({ clock, service, ledger, workers, random: createRandomNumbers(workers) });
    await clock.runUntil(startMs + hourMs - 1);
    expect(service.servedAtMs.length).toBeGreaterThanOrEqual(4_950);
    await clock.runUntil(startMs + 2 * hourMs - 1);
    expect(servedIn(service, startMs + hourMs, startMs + 2 * hourMs)).toBeGreaterThanOrEqual(4_950);
    expect(service.refusals()).toBe(0);
    expect(job.mostAtOnce()).toBe(workers);
    await job.stop();
  });

  it('is used to 99 % without a 429 by four clients with a shared ledger', async () => {
    const clock = createEventClock(startMs);
    const service = createService(plan);
    const ledgerOf = createSharedLedger(clock.now);
    const jobs = [1, 2, 3, 4].map((seed) =>
      startJob({
        clock,
        service,
        ledger: ledgerOf(`job-${seed}`),
        workers: 8,
        random: createRandomNumbers(seed),
      }),
    );
    await clock.runUntil(startMs + hourMs - 1);
    expect(service.servedAtMs.length).toBeGreaterThanOrEqual(4_950);
    await clock.runUntil(startMs + 2 * hourMs - 1);
    expect(servedIn(service, startMs + hourMs, startMs + 2 * hourMs)).toBeGreaterThanOrEqual(4_950);
    expect(service.refusals()).toBe(0);
    for (const job of jobs) await job.stop();
  });
});

describe('a reservation', () => {
  it('takes at most an eighth of what remains', () => {
    const limit = { limit: 400, remaining: 400, resetAtMs: startMs + hourMs, windowMs: hourMs };
    const observation = addResponse(emptyObservation, { sentAtMs: startMs, receivedAtMs: startMs, limit });
    const report = { ended: 0, pending: 0, observation };
    const facts = { nowMs: startMs, perHour: undefined };
    let state = recordUsage(emptyLedger, 'first', report, startMs);
    const counts: number[] = [];
    for (let name = 0; name < 5; name += 1) {
      const reserved = reserve(state, `job-${name}`, facts);
      state = reserved.state;
      counts.push(reserved.grant.count);
    }
    expect(counts).toEqual([50, 43, 38, 33, 29]);
  });
});

describe('a rate limit of any size', () => {
  it('is never exceeded once a response has reported it, with any window and number of clients', async () => {
    const settings = fc.record({
      limit: fc.integer({ min: 64, max: 400 }),
      windowMs: fc.integer({ min: 5_000, max: 60_000 }),
      workers: fc.integer({ min: 1, max: 16 }),
      clients: fc.integer({ min: 1, max: 4 }),
      seed: fc.integer({ min: 0, max: 2 ** 31 }),
      createService: fc.constantFrom(createFixedWindowService, createSlidingWindowService),
    });
    await fc.assert(
      fc.asyncProperty(settings, async ({ limit, windowMs, workers, clients, seed, createService }) => {
        const clock = createEventClock(startMs);
        const service = createService({ limit, windowMs, startMs });
        const ledgerOf = createSharedLedger(clock.now);
        const random = createRandomNumbers(seed);
        const jobs = Array.from({ length: clients }, (_, index) =>
          startJob({ clock, service, ledger: ledgerOf(`job-${index}`), workers, random }),
        );
        await clock.runUntil(startMs + 4 * windowMs);
        for (const job of jobs) await job.stop();
        expect(service.refusals()).toBe(0);
        expect(servedIn(service, startMs + windowMs, startMs + 4 * windowMs)).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a limit set by the user', () => {
  it('is not exceeded in any hour if the server reports no limit', async () => {
    const clock = createEventClock(startMs);
    const service = createSlidingWindowService({ ...plan, limit: 600, isTelling: false });
    const ledger = createMemoryLedger({ now: clock.now, perHour: 600 });
    const job = startJob({ clock, service, ledger, workers: 8, random: createRandomNumbers(7) });
    await clock.runUntil(startMs + 5 * hourMs);
    expect(service.refusals()).toBe(0);
    expect(mostInAnHour(service)).toBe(600);
    expect(service.servedAtMs.length).toBeGreaterThanOrEqual(4 * 600);
    await job.stop();
  });
});

describe('a limit that a dialect declares', () => {
  it.each<[rate: string, most: number, windowMs: number]>([
    ['100/2m', 100, 120_000],
    ['60/m', 60, 60_000],
    ['1000/60m', 1_000, hourMs],
  ])('of %s holds in any window, and is used to two thirds at least', async (declared, most, windowMs) => {
    const clock = createEventClock(startMs);
    const service = createSlidingWindowService({ limit: 1_000_000, windowMs, startMs });
    const ledger = createMemoryLedger({ now: clock.now, perHour: undefined, declared });
    const job = startJob({ clock, service, ledger, workers: 8, random: createRandomNumbers(1) });
    await clock.runUntil(startMs + 6 * windowMs);
    const { servedAtMs } = service;
    const inWindow = servedAtMs.map((atMs, index) => firstSince(servedAtMs, atMs + windowMs) - index);
    expect(Math.max(...inWindow)).toBeLessThanOrEqual(most);
    expect(servedAtMs.length).toBeGreaterThan(most * 2);
    await job.stop();
  });
});
