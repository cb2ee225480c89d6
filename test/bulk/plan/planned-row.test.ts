import { describe, expect, it } from 'vitest';
import { createPlanCounter, type PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { noCounts } from './sample-plan.ts';

function update(change: Fields, before: Fields): PlannedRow {
  return { row: 1, line: 2, act: 'update', id: 'cli_1', change, before };
}

describe('PlanCounter', () => {
  it('counts actions, fields and clears', () => {
    const counting = createPlanCounter();
    counting.add(
      update({ email: null, tags: [], notes: 'new' }, { email: 'a@x.org', tags: ['vip'], notes: null }),
    );
    counting.add(update({ email: 'b@x.org' }, { email: 'a@x.org' }));
    counting.add({ row: 3, line: 4, act: 'create', id: null, change: { notes: null } });
    expect(counting.counts()).toEqual({
      ...noCounts,
      rows: 3,
      update: 2,
      create: 1,
      clears: 2,
      clearedRows: 1,
      fields: { email: 2, tags: 1, notes: 1 },
    });
  });

  it('counts rows that overwrite later changes', () => {
    const counting = createPlanCounter();
    const change = update({ notes: 'new' }, { notes: 'old' });
    counting.add({ ...change, isOverwriting: true });
    counting.add(change);
    expect(counting.counts()).toMatchObject({ update: 2, overwrites: 1 });
  });

  it.each([
    ['null', null],
    ['nothing', undefined],
    ['an empty list', []],
    ['an empty text', ''],
  ])('does not count clearing a field that was %s', (_name, value) => {
    const counting = createPlanCounter();
    counting.add(update({ email: null }, { email: value }));
    expect(counting.counts().clears).toBe(0);
  });
});
