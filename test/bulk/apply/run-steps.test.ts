import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendRow } from '../../../src/bulk/apply/apply-row.ts';
import { type RunStepsOptions, runSteps } from '../../../src/bulk/apply/run-steps.ts';
import { readJobProgress } from '../../../src/bulk/jobs/job-folder.ts';
import { type EditEntry, type Journal, openJournal } from '../../../src/bulk/jobs/journal.ts';
import type { PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { createCounter } from '../../support/counter.ts';
import { CallerGone, createEditedSalon, type EditedSalon } from '../../support/edited-salon.ts';
import { countBySpeed } from '../../support/speed.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'salon-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** A process that applies the plan until it is done or killed. */
async function run(
  salon: EditedSalon,
  plan: readonly PlannedRow[],
  { width = 4, maxErrors = null, path = join(folder, 'journal'), ...watched }: Partial<RunOptions> = {},
) {
  const progress = await readJobProgress(path);
  await using journal = await openJournal<EditEntry>(path, progress.intactBytes);
  const ids = new Set<string>();
  const sending = {
    records: salon.records,
    create: ({ row, change = {} }: PlannedRow) => salon.records.create(change, `job-${row}`),
    nowMs: () => 1_000,
    isTaken: async (id: string) => ids.has(id) || !ids.add(id),
  };
  return await runSteps({
    readSteps: () => each(plan),
    send: (row, sentAtMs) => sendRow(row, sentAtMs, sending),
    progress,
    createdAtMs: 0,
    journal: leaveWith(salon, journal),
    ...watched,
    concurrency: width,
    maxErrors,
    nowMs: () => 1_000,
  });
}

interface RunOptions extends Pick<RunStepsOptions, 'signal' | 'onSettled'> {
  readonly width: number;
  readonly maxErrors: number | null;
  readonly path: string;
}

/** A killed process writes nothing more. */
function leaveWith<Entry>(salon: EditedSalon, journal: Journal<Entry>): Journal<Entry> {
  return {
    ...journal,
    append: async (entry) => {
      if (salon.isGone()) throw new CallerGone();
      await journal.append(entry);
    },
  };
}

function clientsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({ id: `c${index}`, phone: 'old', notes: 'kept' }));
}

function updatesOf(salon: EditedSalon): PlannedRow[] {
  return [...salon.held.values()].map((before, index) => ({
    row: index + 1,
    line: index + 2,
    act: 'update',
    id: String(before['id']),
    change: { phone: `new ${index}` },
    before,
  }));
}

function createsOf(count: number): PlannedRow[] {
  return Array.from({ length: count }, (_, index) => ({
    row: index + 1,
    line: index + 2,
    act: 'create',
    id: null,
    change: { first_name: `N${index}` },
  }));
}

/** Loses the process at the nth request. */
function afterRequests(count: number, when: 'before' | 'after') {
  const next = createCounter();
  return () => (next() > count ? when : 'not yet');
}

/** Runs until nothing is left, losing the process at each of the moments. */
async function runThroughLosses(
  salon: EditedSalon,
  plan: readonly PlannedRow[],
  losses: readonly { readonly after: number; readonly when: 'before' | 'after' }[],
  options: Partial<RunOptions>,
) {
  for (const { after, when } of losses) {
    salon.welcome();
    salon.loseCaller(afterRequests(after, when));
    await run(salon, plan, options).catch((error: unknown) => {
      if (!(error instanceof CallerGone)) throw error;
    });
  }
  salon.welcome();
  return run(salon, plan, options);
}

const losses = fc.array(
  fc.record({ after: fc.nat(30), when: fc.constantFrom('before' as const, 'after' as const) }),
  { maxLength: 4 },
);
const anyServer = fc.record({ namesTags: fc.boolean(), honoursKeys: fc.boolean() });
const nextRun = createCounter();

describe('runSteps', () => {
  it('sends every update once and identically, however its process ends', async () => {
    await fc.assert(
      fc.asyncProperty(anyServer, losses, fc.integer({ min: 1, max: 8 }), async (server, lost, width) => {
        const salon = createEditedSalon({ rows: clientsOf(20), ...server });
        const plan = updatesOf(salon);
        const path = join(folder, `journal-${nextRun()}`);
        const { tally, stop } = await runThroughLosses(salon, plan, lost, { width, path });
        expect(stop).toBeUndefined();
        expect(tally).toMatchObject({ done: 20, stale: 0, failed: 0, doubtful: 0 });
        expect([...salon.held.values()].map(({ phone, notes }) => [phone, notes])).toEqual(
          plan.map(({ change }) => [change?.['phone'], 'kept']),
        );
        expect([...salon.writes.values()].filter((bodies) => bodies.length !== 1)).toEqual([]);
      }),
      { numRuns: countBySpeed(200) },
    );
  });

  it('never creates a record twice, and reports rows with an unknown result', async () => {
    await fc.assert(
      fc.asyncProperty(anyServer, losses, async (server, lost) => {
        const salon = createEditedSalon({ rows: [], ...server });
        const path = join(folder, `journal-${nextRun()}`);
        const { tally, stop } = await runThroughLosses(salon, createsOf(20), lost, { path });
        expect(stop).toBeUndefined();
        expect(tally.done + tally.doubtful).toBe(20);
        expect(salon.held.size).toBe(tally.done);
        expect(new Set([...salon.held.values()].map((made) => made['first_name'])).size).toBe(tally.done);
        if (server.honoursKeys) expect(tally.doubtful).toBe(0);
      }),
      { numRuns: countBySpeed(200) },
    );
  });

  it.each([
    ['with tags', true],
    ['without tags', false],
  ])('skips rows whose field has changed since, on a server %s', async (_title, namesTags) => {
    const salon = createEditedSalon({ rows: clientsOf(20), namesTags, honoursKeys: false });
    const plan = updatesOf(salon);
    salon.change('c3', { phone: 'theirs' });
    salon.change('c4', { notes: 'theirs' });
    const { tally } = await run(salon, plan);
    expect(tally).toMatchObject({ done: 19, stale: 1 });
    expect(salon.held.get('c3')).toMatchObject({ phone: 'theirs', notes: 'kept' });
    expect(salon.held.get('c4')).toMatchObject({ phone: 'new 4', notes: 'theirs' });
  });

  it('stops sending at the maximum of failed rows', async () => {
    const salon = createEditedSalon({ rows: clientsOf(20), namesTags: true, honoursKeys: false });
    const plan = updatesOf(salon);
    for (const id of ['c2', 'c3', 'c4', 'c5', 'c6']) salon.held.delete(id);
    const { tally, stop } = await run(salon, plan, { width: 1, maxErrors: 2 });
    expect(stop).toMatchObject({ code: 'budget_exceeded' });
    expect(tally).toMatchObject({ done: 2, failed: 2 });
    expect(salon.writes.size).toBe(2);
  });

  it('counts failures of requests in flight', async () => {
    const salon = createEditedSalon({ rows: clientsOf(20), namesTags: true, honoursKeys: false });
    const plan = updatesOf(salon);
    salon.held.clear();
    const { tally, stop } = await run(salon, plan, { width: 4, maxErrors: 2 });
    expect(tally.failed).toBeGreaterThan(2);
    expect(stop?.message).toBe(`Stopped: ${tally.failed} rows failed.`);
  });

  it('is done when no row is left, even with failures', async () => {
    const salon = createEditedSalon({ rows: clientsOf(4), namesTags: true, honoursKeys: false });
    const plan = updatesOf(salon);
    salon.held.delete('c3');
    const { tally, stop } = await run(salon, plan, { width: 1, maxErrors: 1 });
    expect({ tally, stop }).toMatchObject({ stop: undefined, tally: { done: 3, failed: 1 } });
  });

  it('stops at an error that every row would meet, and resumes after it', async () => {
    const salon = createEditedSalon({ rows: clientsOf(20), namesTags: true, honoursKeys: false });
    const plan = updatesOf(salon);
    const next = createCounter();
    const refusing = {
      ...salon,
      records: {
        ...salon.records,
        update: async (...args: Parameters<typeof salon.records.update>) => {
          if (next() > 5) throw new SalonError('invalid_token', 'The key was revoked.');
          return salon.records.update(...args);
        },
      },
    };
    const { tally, stop } = await run(refusing, plan);
    expect(stop).toMatchObject({ code: 'invalid_token' });
    expect(tally.done).toBe(5);
    const end = await run(salon, plan);
    expect(end).toMatchObject({ stop: undefined, tally: { done: 20 } });
    expect([...salon.writes.values()].every((bodies) => bodies.length === 1)).toBe(true);
  });

  it('is done if interrupted after its last row', async () => {
    const salon = createEditedSalon({ rows: clientsOf(3), namesTags: true, honoursKeys: false });
    const plan = updatesOf(salon);
    const interrupt = new AbortController();
    const ended = run(salon, plan, {
      signal: interrupt.signal,
      onSettled: (row) => row.row === 3 && interrupt.abort(),
    });
    expect(await ended).toMatchObject({ stop: undefined, tally: { done: 3 } });
  });

  it('reports an interruption', async () => {
    const salon = createEditedSalon({ rows: clientsOf(9), namesTags: true, honoursKeys: false });
    const interrupt = new AbortController();
    const options = { width: 1, signal: interrupt.signal, onSettled: () => interrupt.abort() };
    const end = await run(salon, updatesOf(salon), options);
    expect(end).toMatchObject({ stop: { code: 'interrupted' }, tally: { done: 1 } });
  });

  it('sends nothing when applied again', async () => {
    const salon = createEditedSalon({ rows: clientsOf(5), namesTags: true, honoursKeys: false });
    const plan = updatesOf(salon);
    await run(salon, plan);
    salon.loseCaller(() => 'before');
    expect(await run(salon, plan)).toMatchObject({ stop: undefined, tally: { done: 5 } });
  });
});
