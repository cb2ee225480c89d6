import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlan, writePlan } from '../../../src/bulk/plan/plan-file.ts';
import type { PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import { readPreview, toChanges } from '../../../src/bulk/plan/plan-preview.ts';
import { each, openFolder, sampleHead, sampleRows } from './sample-plan.ts';

const [sample] = sampleRows as readonly [PlannedRow];
const rows: readonly PlannedRow[] = [
  ...sampleRows,
  ...['cli_5', 'cli_6'].map((id, index) => {
    const before = { id, first_name: null, email: 'kim@x.org' };
    return { ...sample, row: index + 4, line: index + 6, id, before, change: { notes: 'x' } };
  }),
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
    const ofKim = { act: 'update', name: 'kim@x.org', field: 'notes', old: null, new: 'x' };
    expect(changes).toEqual([
      [
        { ...ofZoe, field: 'first_name', old: 'Zoe', new: 'Zoë' },
        { ...ofZoe, field: 'notes', old: 'a\nb\u2028c', new: null },
      ],
      [{ line: 6, id: 'cli_5', ...ofKim }],
      [{ line: 7, id: 'cli_6', ...ofKim }],
    ]);
  });

  it('lists the values of a new record, and a deletion as one change', () => {
    const added = { first_name: 'Kim', email: null, tags: [] };
    expect(toChanges({ row: 1, line: 6, act: 'create', id: null, change: added })).toEqual([
      { line: 6, act: 'create', id: null, name: 'Kim', field: 'first_name', old: null, new: 'Kim' },
    ]);
    const before = { id: 'cli_5', first_name: 'Ana', last_name: 'Silva' };
    expect(toChanges({ row: 2, line: 7, act: 'delete', id: 'cli_5', before })).toEqual([
      { line: 7, act: 'delete', id: 'cli_5', name: 'Ana Silva', field: null, old: null, new: null },
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
