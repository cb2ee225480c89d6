import type { Fields } from '../../client/http/decode.ts';

/** What is to become of one row of a sheet. */
export interface PlannedRow {
  /** Number and line of the row in the sheet. */
  readonly row: number;
  readonly line: number;
  readonly act: 'create' | 'update' | 'delete' | 'none' | 'refused';
  /** The record it is about; null for a new one, and where none was found. */
  readonly id: string | null;
  /** An update's fields with their new values, a new record's body; else left out. */
  readonly change?: Fields;
  /** The record as it was read, of updates and deletes. */
  readonly before?: Fields;
  /** The record as it is when the plan is carried out, where that was looked up beforehand; null if it is gone. */
  readonly present?: Fields | null;
  /** The row as it was read, of all but `none`: what `failed.csv` is made from. */
  readonly cells?: Fields;
  /** Somebody has changed the record since the sheet was exported, by the `updated_at` in it. */
  readonly isOverwriting?: true;
  /** Why it is refused. */
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly code: 'not_found' | 'ambiguous' | 'changed_since' | 'lost_letters';
  readonly reason: string;
}

export interface PlanCounts {
  readonly rows: number;
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly none: number;
  readonly refused: number;
  /** Fields that would be emptied, and rows in which that happens. */
  readonly clears: number;
  readonly clearedRows: number;
  /** Updates of records that somebody has changed since the sheet was exported. */
  readonly overwrites: number;
  /** How often each field would change. */
  readonly fields: Readonly<Record<string, number>>;
}

/** Counts the rows of a plan as they pass by. */
export interface PlanCounter {
  add(row: PlannedRow): void;
  counts(): PlanCounts;
}

export function createPlanCounter(): PlanCounter {
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
