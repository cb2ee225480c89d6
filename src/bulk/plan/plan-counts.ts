import type { PlanCounts, PlannedRow } from '../edit/planned-row.ts';

/** Counts the rows of a plan as they pass by. */
export interface Counting {
  add(row: PlannedRow): void;
  counts(): PlanCounts;
}

export function createCounting(): Counting {
  const acts = { create: 0, update: 0, delete: 0, none: 0, refused: 0 };
  const fields = new Map<string, number>();
  let [rows, clears, clearedRows, overwrites] = [0, 0, 0, 0];
  return {
    add(row) {
      rows += 1;
      acts[row.act] += 1;
      if (row.act !== 'update') return;
      const changed = Object.keys(row.change ?? {});
      for (const field of changed) fields.set(field, (fields.get(field) ?? 0) + 1);
      const cleared = changed.filter((field) => isCleared(row, field)).length;
      clears += cleared;
      if (cleared > 0) clearedRows += 1;
      if (row.isOverwriting) overwrites += 1;
    },
    counts: () => ({ rows, ...acts, clears, clearedRows, overwrites, fields: Object.fromEntries(fields) }),
  };
}

/** Rows that would change something. */
export function countChanges({ create, update, delete: removed }: PlanCounts): number {
  return create + update + removed;
}

function isCleared({ change, before }: PlannedRow, field: string): boolean {
  return isEmpty(change?.[field]) && !isEmpty(before?.[field]);
}

/** Whether a field with this value has none for people. */
export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
