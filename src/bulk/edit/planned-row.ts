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
