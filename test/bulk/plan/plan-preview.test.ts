import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlan, writePlan } from '../../../src/bulk/plan/plan-file.ts';
import { readPreview } from '../../../src/bulk/plan/plan-preview.ts';
import type { PlannedRow } from '../../../src/bulk/plan/planned-row.ts';
import { each, openFolder, sampleHead, sampleRows } from './sample-plan.ts';

const rows: readonly PlannedRow[] = [
  ...sampleRows,
  { row: 4, line: 6, act: 'create', id: null, change: { first_name: 'Kim', email: null, tags: [] } },
  {
    row: 5,
    line: 7,
    act: 'delete',
    id: 'cli_5',
    before: { id: 'cli_5', first_name: 'Ana', last_name: 'Silva' },
  },
  {
    row: 6,
    line: 8,
    act: 'delete',
    id: 'cli_6',
    before: { id: 'cli_6', first_name: null, email: 'kim@x.org' },
  },
];

async function openSample(folder: string) {
  const path = join(folder, 'plan.json');
  await writePlan(path, sampleHead, each(rows));
  return openPlan(path);
}

describe('a preview', () => {
  it("lists the changes of each row by field, with the record's name", async () => {
    await using folder = await openFolder();
    const ofZoe = { line: 2, act: 'update', id: 'cli_1', name: 'Zoe' };
    const { changes } = await readPreview(await openSample(folder.path), { most: 10 });
    expect(changes).toEqual([
      [
        { ...ofZoe, field: 'first_name', old: 'Zoe', new: 'Zoë' },
        { ...ofZoe, field: 'notes', old: 'a\nb\u2028c', new: null },
      ],
      [{ line: 6, act: 'create', id: null, name: 'Kim', field: 'first_name', old: null, new: 'Kim' }],
      [{ line: 7, act: 'delete', id: 'cli_5', name: 'Ana Silva', field: null, old: null, new: null }],
      [{ line: 8, act: 'delete', id: 'cli_6', name: 'kim@x.org', field: null, old: null, new: null }],
    ]);
  });

  it.each([0, 1, 2, 3])('contains at most %i rows', async (most) => {
    await using folder = await openFolder();
    expect((await readPreview(await openSample(folder.path), { most })).changes).toHaveLength(most);
  });

  it('lists refused rows separately', async () => {
    await using folder = await openFolder();
    expect((await readPreview(await openSample(folder.path), { most: 10 })).refusals).toEqual([
      { line: 5, id: 'cli_9', code: 'not_found', reason: 'There is no client cli_9.' },
    ]);
  });
});
