import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/bulk/jobs/job.ts';
import {
  closeJobRecord,
  createDraftFolder,
  createJobId,
  createJobRecord,
  findBookingJobs,
  jobPath,
  journalPath,
  listJobIds,
  lockJob,
  removeExpiredJobs,
  removeJob,
} from '../../../src/bulk/jobs/job-folder.ts';
import { toLine } from '../../../src/bulk/jobs/journal.ts';
import { createTestFolder } from '../../support/database.ts';
import { refusal } from '../../support/open-client.ts';

it('a folder of jobs that cannot be created is reported with its path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'salon-jobs-'));
  writeFileSync(join(folder, 'data'), '');
  const root = join(folder, 'data', 'jobs');
  const error = await refusal(createDraftFolder(root, '20261122-080000-0a1b2c'));
  rmSync(folder, { recursive: true });
  expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(root) });
});

describe('jobs', () => {
  const now = new Date('2026-11-22T08:00:00Z');
  const dayMs = 86_400_000;
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);

  /** Creates jobs and returns those that are left once the expired ones were removed. */
  async function keep(
    jobs: readonly { readonly created: Date; readonly ended?: Date; readonly isRunning?: boolean }[],
  ): Promise<number[]> {
    using folder = createTestFolder();
    const ids: string[] = [];
    await using locks = new AsyncDisposableStack();
    for (const [index, { created, ended, isRunning }] of jobs.entries()) {
      const id = createJobId(created, () => new Uint8Array(3).fill(index));
      ids.push(id);
      mkdirSync(jobPath(folder.path, id));
      const entry = { type: 'done', at: ended?.toISOString() };
      if (ended !== undefined) writeFileSync(journalPath(folder.path, id), toLine(entry));
      const lock = isRunning ? await lockJob(folder.path, id) : undefined;
      if (lock !== undefined) locks.use(lock);
    }
    await removeExpiredJobs(folder.path, now);
    const left = await listJobIds(folder.path);
    return ids.flatMap((id, index) => (left.includes(id) ? [index] : []));
  }

  it('are removed 30 days after their end', async () => {
    const created = daysAgo(200);
    const ends = [daysAgo(29), new Date(daysAgo(30).getTime() - 1), daysAgo(100)];
    expect(await keep(ends.map((ended) => ({ created, ended })))).toEqual([0]);
  });

  it('are removed 90 days after their creation if they were never finished', async () => {
    expect(await keep([{ created: daysAgo(89) }, { created: daysAgo(91) }])).toEqual([0]);
  });

  it('are kept while a process works on them', async () => {
    expect(await keep([{ created: daysAgo(91), isRunning: true }])).toEqual([0]);
  });
});

it('the jobs that booked an appointment with others are found among all, newest first', async () => {
  using folder = createTestFolder();
  const root = folder.path;
  const edits = {
    books: { verb: 'create', onConflict: 'skip' },
    imports: { verb: 'create' },
    edits: { verb: 'update' },
  };
  const ids: Record<string, string> = {};
  for (const [name, booked, edit] of [
    ['first', 'apt_1', edits.books],
    ['second', 'apt_1', edits.books],
    ['other', 'apt_2', edits.books],
    ['import', 'apt_1', edits.imports],
    ['edit', 'apt_1', edits.edits],
  ] as const) {
    const seconds = Object.keys(ids).length;
    const id = createJobId(new Date(Date.UTC(2026, 10, 22, 8, 0, seconds)), () => new Uint8Array(3));
    ids[name] = id;
    const job = { kind: 'edit', work: { edit }, id, createdAt: '2026-11-22T08:00:00Z' } as unknown as Job;
    const { journal, lock } = await createJobRecord<object>(root, job);
    await journal.append({ type: 'outcome', row: 1, what: 'done', id: booked });
    await closeJobRecord({ journal, lock });
  }
  const find = (id: string) => Array.fromAsync(findBookingJobs(root, id));
  expect(await find('apt_1')).toEqual([ids['second'], ids['first']]);
  await removeJob(root, ids['second'] ?? '');
  expect(await find('apt_1')).toEqual([ids['first']]);
  expect(await find('apt_3')).toEqual([]);
});
