import type { Edit } from './edit.ts';

/** A plan that is carried out; the plan itself lies beside the job's file. */
export interface EditWork {
  readonly edit: Edit;
  /** Name of the sheet it was made from; of an undo, null. */
  readonly source: string | null;
  /** SHA-256 of the plan. */
  readonly plan: string;
  /** The job it takes back. */
  readonly undoes: string | null;
  /** Rows that are to be sent. */
  readonly changes: number;
  /** After so many failures nothing more is sent. */
  readonly maxErrors: number | null;
}

/** Whether what a job's file says of an edit is whole. */
export function isEditWork(work: unknown): work is EditWork {
  const { edit, changes } = { ...(work as Partial<EditWork> | null) };
  return typeof edit === 'object' && edit !== null && typeof changes === 'number';
}
