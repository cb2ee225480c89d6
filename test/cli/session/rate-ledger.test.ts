import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRateLedger, type RateLedgerOptions } from '../../../src/cli/session/rate-ledger.ts';
import { emptySight } from '../../../src/client/rate-limit/limit-observation.ts';
import { createEventClock } from '../../support/event-clock.ts';
import { createFixedWindowService, createSlidingWindowService } from '../../support/limited-service.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { startJob } from '../../support/simulated-job.ts';

let folder: string;
let complaints: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-ledger-'));
  complaints = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const startMs = Date.UTC(2026, 0, 1, 9);
const hourMs = 3_600_000;
const nothingDone = { ended: 0, underWay: 0, sight: emptySight };

function open(name: string, options: Partial<RateLedgerOptions> = {}) {
  return openRateLedger({
    folder: join(folder, 'pace'),
    origin: 'https://salon.test',
    owner: 'slk_secret',
    name,
    perHour: undefined,
    now: () => startMs,
    explain: (text) => complaints.push(text),
    ...options,
  });
}

const files = () => globSync('pace/*/*', { cwd: folder }).map((file) => join(folder, file));

describe('a ledger', () => {
  it.each([
    ['a fixed window', createFixedWindowService],
    ['a sliding window', createSlidingWindowService],
  ])('lets four together use 99 %% of an hour in %s, and none is refused', async (_name, createService) => {
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
    expect(complaints).toEqual([]);
  });

  it('keeps a budget over all who share it, also those who were killed', async () => {
    const first = await open('killed', { perHour: 100 }).take(nothingDone);
    const other = open('other', { perHour: 100 });
    let sent = 0;
    let grant = await other.take(nothingDone);
    while (grant.count > 0) {
      sent += grant.count;
      grant = await other.take({ ended: grant.count, underWay: 0, sight: emptySight });
    }
    expect(first.count).toBeGreaterThan(0);
    expect(first.count + sent).toBe(100);
  });

  it('gets back what was not used', async () => {
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

  it('is written seldom where much is left', async () => {
    const clock = createEventClock(startMs);
    const service = createFixedWindowService({ limit: 20_000, windowMs: hourMs, startMs });
    const ledger = open('job', { now: clock.now });
    const random = createRandomNumbers(1);
    const job = startJob({ clock, service, ledger, workers: 8, requests: 5_000, random });
    await clock.runUntil(startMs + hourMs);
    await job.working;
    await job.stop();
    const newest = Math.max(...files().map((file) => Number(file.split('/').at(-1))));
    expect(service.servedAtMs).toHaveLength(5_000);
    expect(newest).toBeLessThan(200);
  });

  it('is apart for every origin and every account', async () => {
    await open('one', { perHour: 1 }).take(nothingDone);
    expect((await open('two', { perHour: 1 }).take(nothingDone)).count).toBe(0);
    const elsewhere = open('two', { perHour: 1, origin: 'https://other.test' });
    expect((await elsewhere.take(nothingDone)).count).toBe(1);
    expect((await open('two', { perHour: 1, owner: 'other' }).take(nothingDone)).count).toBe(1);
  });

  it('can be read by its owner alone, and holds nothing of the key', async () => {
    await open('one').take(nothingDone);
    expect(files().length).toBeGreaterThan(0);
    for (const file of files()) {
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(file + readFileSync(file, 'utf8')).not.toContain('slk_secret');
    }
    if (process.platform !== 'win32') expect(statSync(join(folder, 'pace')).mode & 0o777).toBe(0o700);
  });

  it.each(['', '{', '[]', '{"sight":{},"held":{},"spent":[]}'])(
    'that is damaged (%s) begins anew',
    async (text) => {
      await open('one', { perHour: 1 }).take(nothingDone);
      const [file = ''] = files();
      writeFileSync(file, text);
      expect((await open('two', { perHour: 1 }).take(nothingDone)).count).toBe(1);
      expect(complaints).toEqual([]);
    },
  );

  it('that a clock set back makes one of the future begins anew', async () => {
    const sight = { ...emptySight, newestSentAtMs: startMs + hourMs, limitSeenAtMs: startMs + hourMs };
    await open('one').close({ ...nothingDone, sight });
    expect((await open('two').take(nothingDone)).sight.newestSentAtMs).toBe(0);
  });

  it('that cannot be written is done without, which is told once', async () => {
    writeFileSync(join(folder, 'pace'), 'in the way');
    const ledger = open('one', { perHour: 8 });
    expect((await ledger.take(nothingDone)).count).toBeGreaterThan(0);
    await ledger.take(nothingDone);
    await ledger.close(nothingDone);
    expect(complaints).toEqual([expect.stringMatching(/^The pace is not shared with other processes: E/)]);
  });

  it('leaves nothing behind before the first request', () => {
    open('one');
    expect(existsSync(join(folder, 'pace'))).toBe(false);
  });
});
