import { describe, expect, it } from 'vitest';
import { sendRow } from '../../../src/bulk/apply/apply-row.ts';
import type { RemoteRecords } from '../../../src/bulk/apply/remote-records.ts';
import { readRowResults } from '../../../src/bulk/apply/results.ts';
import { runSteps } from '../../../src/bulk/apply/run-steps.ts';
import { readJobProgress } from '../../../src/bulk/jobs/job-folder.ts';
import { type EditEntry, openJournal } from '../../../src/bulk/jobs/journal.ts';
import type { PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { collect } from '../../support/collect.ts';
import { createEditedSalon } from '../../support/edited-salon.ts';
import { each, openFolder } from '../plan/sample-plan.ts';

const width = 4;
const plan = Array.from(
  { length: 40 },
  (_, index): PlannedRow => ({
    row: index + 1,
    line: index + 2,
    act: 'create',
    id: null,
    change: { first_name: `N${index}` },
  }),
);

/** A server that applies a create, and loses its response while `isLost` returns true. */
function createSilentSalon(isLost: (name: unknown) => boolean) {
  const salon = createEditedSalon({ rows: [], namesTags: true, honoursKeys: true });
  const create: RemoteRecords['create'] = async (body, key) => {
    const written = await salon.records.create(body, key);
    if (!isLost(body['first_name'])) return written;
    const cause = new SalonError('response_truncated', 'The connection was lost.', { retryable: true });
    throw new SalonError('result_unknown', 'It is not known whether that was done.', { cause });
  };
  return { ...salon, records: { ...salon.records, create } };
}

async function run(records: RemoteRecords, journalPath: string) {
  const progress = await readJobProgress(journalPath);
  await using journal = await openJournal<EditEntry>(journalPath, progress.intactBytes);
  const sending = {
    records,
    create: ({ row, change = {} }: PlannedRow) => records.create(change, `job-${row}`),
    nowMs: () => 1_000,
    isTaken: async () => false,
  };
  return await runSteps({
    readSteps: () => each(plan),
    send: (row, sentAtMs) => sendRow(row, sentAtMs, sending),
    progress,
    createdAtMs: 0,
    journal,
    concurrency: width,
    maxErrors: null,
    nowMs: () => 1_000,
  });
}

describe('a row without a response', () => {
  it('is checked again after all other rows', async () => {
    await using folder = await openFolder();
    const lost = new Set<unknown>(['N3', 'N17']);
    const { records, held } = createSilentSalon((name) => lost.delete(name));
    const end = await run(records, `${folder.path}/journal`);
    expect(end).toMatchObject({ stop: undefined, tally: { done: 40, doubtful: 0 } });
    expect(held.size).toBe(40);
  });

  it('does not block other rows, and is done by a later run', async () => {
    await using folder = await openFolder();
    const path = `${folder.path}/journal`;
    let isDeaf = true;
    const { records, held } = createSilentSalon((name) => isDeaf && name === 'N3');
    const end = await run(records, path);
    expect(end).toMatchObject({ stop: { code: 'response_truncated' }, tally: { done: 39, doubtful: 0 } });
    const results = await collect(readRowResults(each(plan), path));
    expect(results.filter(({ outcome }) => outcome?.what !== 'done')).toMatchObject([
      { planned: { row: 4 }, outcome: { what: 'doubtful' } },
    ]);
    isDeaf = false;
    expect(await run(records, path)).toMatchObject({ stop: undefined, tally: { done: 40 } });
    expect(held.size).toBe(40);
  });

  it('stops the job when too many follow one another', async () => {
    await using folder = await openFolder();
    const { records, writes } = createSilentSalon(() => true);
    const end = await run(records, `${folder.path}/journal`);
    expect(end).toMatchObject({ stop: { code: 'response_truncated' }, tally: { done: 0, doubtful: 0 } });
    expect(writes.size).toBeLessThanOrEqual(2 * width);
  });
});
