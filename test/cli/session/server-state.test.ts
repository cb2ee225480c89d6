import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRateLedger, type RateLedgerOptions } from '../../../src/cli/session/server-state.ts';
import { emptyObservation } from '../../../src/client/rate-limit/limit-observation.ts';
import { openLocalState, toStatePath } from '../../../src/local-state/local-state.ts';
import { createEventClock } from '../../support/event-clock.ts';
import { createFixedWindowService, createSlidingWindowService } from '../../support/limited-service.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { startJob } from '../../support/simulated-job.ts';

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-ledger-'));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const startMs = Date.UTC(2026, 0, 1, 9);
const hourMs = 3_600_000;
const nothingDone = { ended: 0, pending: 0, observation: emptyObservation };

function open(name: string, options: Partial<RateLedgerOptions> = {}) {
  return openRateLedger({
    folder: join(folder, 'data'),
    origin: 'https://salon.test',
    owner: 'slk_secret',
    name,
    perHour: undefined,
    now: () => startMs,
    warn: (text) => warnings.push(text),
    ...options,
  });
}

const statePath = () => toStatePath(join(folder, 'data'));

describe('a rate ledger', () => {
  it.each([
    ['a fixed window', createFixedWindowService],
    ['a sliding window', createSlidingWindowService],
  ])('lets four clients use 99 percent of %s without a refusal', async (_name, createService) => {
    const clock = createEventClock(startMs);
    const service = createService({ limit: 5_000, windowMs: hourMs, startMs });
    const jobs = [1, 2, 3, 4].map((seed) => {
      const ledger = open(`job-${seed}`, { now: clock.now });
      return startJob({ clock, service, ledger, workers: 8, random: createRandomNumbers(seed) });
    });
    await clock.runUntil(startMs + hourMs - 1);
    for (const job of jobs) await job.stop();
    expect(service.servedAtMs.length).toBeGreaterThanOrEqual(4_950);
    expect(service.refusals()).toBe(0);
    expect(warnings).toEqual([]);
  });

  it('counts the requests of killed clients towards the budget', async () => {
    const first = await open('killed', { perHour: 100 }).take(nothingDone);
    const other = open('other', { perHour: 100 });
    let sent = 0;
    let grant = await other.take(nothingDone);
    while (grant.count > 0) {
      sent += grant.count;
      grant = await other.take({ ended: grant.count, pending: 0, observation: emptyObservation });
    }
    expect(first.count).toBeGreaterThan(0);
    expect(first.count + sent).toBe(100);
  });

  it('returns unused requests', async () => {
    const one = open('one', { perHour: 8 });
    await one.take(nothingDone);
    await one.close({ ...nothingDone, ended: 1 });
    let free = 0;
    const other = open('other', { perHour: 8 });
    for (let grant = await other.take(nothingDone); grant.count > 0; ) {
      free += grant.count;
      grant = await other.take({ ...nothingDone, ended: grant.count });
    }
    expect(free).toBe(7);
  });

  it('is used rarely while much is left', async () => {
    const clock = createEventClock(startMs);
    const service = createFixedWindowService({ limit: 20_000, windowMs: hourMs, startMs });
    const shared = open('job', { now: clock.now });
    let takes = 0;
    const take: typeof shared.take = (report) => {
      takes += 1;
      return shared.take(report);
    };
    const ledger = { ...shared, take };
    const random = createRandomNumbers(1);
    const job = startJob({ clock, service, ledger, workers: 8, requests: 5_000, random });
    await clock.runUntil(startMs + hourMs);
    await job.working;
    await job.stop();
    expect(service.servedAtMs).toHaveLength(5_000);
    expect(takes).toBeLessThan(200);
  });

  it('is separate for each origin and account', async () => {
    await open('one', { perHour: 1 }).take(nothingDone);
    expect((await open('two', { perHour: 1 }).take(nothingDone)).count).toBe(0);
    const elsewhere = open('two', { perHour: 1, origin: 'https://other.test' });
    expect((await elsewhere.take(nothingDone)).count).toBe(1);
    expect((await open('two', { perHour: 1, owner: 'other' }).take(nothingDone)).count).toBe(1);
  });

  it('contains nothing of the key', async () => {
    await open('one').take(nothingDone);
    expect(readFileSync(statePath(), 'latin1')).not.toContain('slk_secret');
  });

  it.each([null, [], 'x', { observation: {}, reservations: {}, sent: [] }])(
    'is replaced when damaged (%j)',
    async (value) => {
      await open('one', { perHour: 1 }).take(nothingDone);
      using state = await openLocalState(join(folder, 'data'));
      for (const key of state.keys('rate-ledger/')) state.write(key, value);
      expect((await open('two', { perHour: 1 }).take(nothingDone)).count).toBe(1);
      expect(warnings).toEqual([]);
    },
  );

  it('is replaced when it is from the future after the clock was set back', async () => {
    const observation = {
      ...emptyObservation,
      newestSentAtMs: startMs + hourMs,
      limitSeenAtMs: startMs + hourMs,
    };
    await open('one').close({ ...nothingDone, observation });
    expect((await open('two').take(nothingDone)).observation.newestSentAtMs).toBe(0);
  });

  it('is replaced when an earlier version stored a pause of years', async () => {
    const observation = { ...emptyObservation, pausedUntilMs: startMs + 1e20 };
    await open('one').close({ ...nothingDone, observation });
    expect((await open('two').take(nothingDone)).count).toBeGreaterThan(0);
  });

  it.each([
    ['cannot be created', () => writeFileSync(join(folder, 'data'), '')],
    ['is damaged', () => mkdirSync(join(folder, 'data')) ?? writeFileSync(statePath(), 'x'.repeat(9_000))],
  ])('is not shared when the state file %s, with one warning', async (_why, prepare) => {
    prepare();
    const ledger = open('one', { perHour: 8 });
    expect((await ledger.take(nothingDone)).count).toBeGreaterThan(0);
    await ledger.take(nothingDone);
    await ledger.close(nothingDone);
    expect(warnings).toEqual([
      expect.stringMatching(/^The rate limit is not shared with other processes: (?:Cannot|.*is damaged)/),
    ]);
  });

  it('creates nothing before the first request', () => {
    open('one');
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});
