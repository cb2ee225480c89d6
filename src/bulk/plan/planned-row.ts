import type { Fields } from '../../client/fields.ts';
import type { SalonErrorCode } from '../../contract/errors.ts';

/** What will happen to one row of a sheet. */
export interface PlannedRow {
  /** Number of the row, from 1. */
  readonly row: number;
  /** Line of the sheet it starts on, from 1; the number of the row if a condition selected it. */
  readonly line: number;
  readonly act: 'create' | 'update' | 'delete' | 'none' | 'refused';
  /** The record; null for a new one, and if none was found. */
  readonly id: string | null;
  /** New values of an update's fields, or the body of a new record. */
  readonly change?: Fields;
  /** The record that was read, for updates and deletes, and for some refused rows. */
  readonly before?: Fields;
  /** Fields that selected the record: the row is skipped if one of them has changed. */
  readonly watched?: readonly string[];
  /** The record as read again before applying, on servers that read no single records; null if it is gone. */
  readonly current?: Fields | null;
  /** The row as read, except for `none`: what `failed.csv` contains. */
  readonly cells?: Fields;
  /** The record has changed since the sheet was exported, judging by the sheet's `updated_at`. */
  readonly isOverwriting?: true;
  /** Fields that a spreadsheet program has damaged in the sheet, and that are read as their current values. */
  readonly repairs?: readonly string[];
  /** Names of the people whom the sheet named instead of an ID, by field of `change`. */
  readonly people?: Readonly<Record<string, string>>;
  /** Of a new client: who that is already. */
  readonly existing?: ExistingPerson;
  readonly refusal?: Refusal;
}

/** A client, or an earlier row, with the same email address, phone number, or name and birthday. */
export interface ExistingPerson {
  readonly same: 'email' | 'phone' | 'name and birthday';
  /** Null for an earlier row. */
  readonly id: string | null;
  /** Of the earlier row; null for a client. */
  readonly line: number | null;
}

/** Why a row cannot be applied. */
export interface Refusal {
  /** Codes of the service, too, where it checked the row. */
  readonly code: 'not_found' | 'ambiguous' | 'changed_since' | 'lost_letters' | 'unclear' | SalonErrorCode;
  readonly reason: string;
}

export interface PlanCounts {
  readonly rows: number;
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly none: number;
  readonly refused: number;
  /** Fields that would be cleared, and the rows with such fields. */
  readonly clears: number;
  readonly clearedRows: number;
  /** Updates of records that have changed since the sheet was exported. */
  readonly overwrites: number;
  /** Number of changes by field. */
  readonly fields: Readonly<Record<string, number>>;
  /** Number of damaged cells that are read as the current value, by field. Plans of earlier versions have none. */
  readonly repairs?: Readonly<Record<string, number>>;
  /** New clients who exist already. Plans of earlier versions do not say. */
  readonly existing?: number;
}

export interface PlanCounter {
  add(row: PlannedRow): void;
  counts(): PlanCounts;
}

/** `restores`: blank values come back with an undo, and clear nothing. */
export function createPlanCounter({ restores = false } = {}): PlanCounter {
  const acts = { create: 0, update: 0, delete: 0, none: 0, refused: 0 };
  const fields = new Map<string, number>();
  const repairs = new Map<string, number>();
  let [rows, clears, clearedRows, overwrites, existing] = [0, 0, 0, 0, 0];
  return {
    add(row) {
      rows += 1;
      acts[row.act] += 1;
      for (const field of row.repairs ?? []) repairs.set(field, (repairs.get(field) ?? 0) + 1);
      if (row.existing !== undefined) existing += 1;
      if (row.act !== 'update') return;
      const changed = Object.keys(row.change ?? {});
      for (const field of changed) fields.set(field, (fields.get(field) ?? 0) + 1);
      const cleared = restores ? 0 : changed.filter((field) => isCleared(row, field)).length;
      clears += cleared;
      if (cleared > 0) clearedRows += 1;
      if (row.isOverwriting) overwrites += 1;
    },
    counts: () => {
      const repaired = repairs.size === 0 ? {} : { repairs: Object.fromEntries(repairs) };
      return {
        rows,
        ...acts,
        clears,
        clearedRows,
        overwrites,
        fields: Object.fromEntries(fields),
        ...repaired,
        ...(existing === 0 ? {} : { existing }),
      };
    },
  };
}

/** Number of rows that would change something. */
export function countChanges({ create, update, delete: deleted }: PlanCounts): number {
  return create + update + deleted;
}

function isCleared({ change, before }: PlannedRow, field: string): boolean {
  return isShownBlank(change?.[field]) && !isShownBlank(before?.[field]);
}

/** Whether a value shows as blank. */
export function isShownBlank(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
