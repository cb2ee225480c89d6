import type { DetectOptions } from './input/detect-sheet.ts';
import type { EditOperation } from './input/edit-fields.ts';
import type { Plan } from './plan/plan-file.ts';
import type { RecordEdit } from './plan/plan-records.ts';
import type { SheetReading } from './plan/plan-sheet.ts';

/** What to do with a sheet, and how to read it. */
export interface SheetEdit
  extends Pick<EditOperation, 'noun' | 'verb'>,
    Omit<DetectOptions, 'recognises' | 'asksUnknown'>,
    SheetReading {
  /** The field that identifies the record of a row; `id` by default. */
  readonly match?: string | undefined;
  /** Whether a delete cancels upcoming appointments. */
  readonly force?: boolean | undefined;
}

/** What to do with the records that a condition selected. */
export interface SelectedEdit
  extends RecordEdit,
    Pick<EditOperation, 'noun' | 'reason'>,
    Pick<SheetEdit, 'force'> {
  /** `delete` cancels appointments. */
  readonly verb: 'update' | 'delete';
}

/** A plan of which nothing was sent yet. Disposal removes its files unless it was applied. */
export interface PlannedEdit extends AsyncDisposable {
  /** ID of the job that applying it starts. */
  readonly id: string;
  /** Every planned row, with counts. */
  readonly plan: Plan;
  /** The job that it undoes; null for a sheet. */
  readonly undoes: string | null;
}
