import { countOf, renderCount } from '../../contract/count-text.ts';
import { SalonError } from '../../contract/errors.ts';
import type { RowFault } from './sheet-form.ts';

export interface SheetFaults {
  /** The sheet as people know it. */
  readonly name: string;
  /** The first of them. */
  readonly faults: readonly RowFault[];
  readonly count: number;
  /** Columns that may be used. */
  readonly known: readonly string[];
}

/** The refusal of a sheet: every fault with its line and column. Nothing was sent. */
export function refuseSheet({ name, faults, count, known }: SheetFaults): SalonError {
  const violations = faults.map(({ line, column, code, reason }) => ({
    parameter: column === null ? `${name}:${line}` : `${name}:${line}:${column}`,
    code,
    detail: reason,
  }));
  const more = count > faults.length ? `, the first ${renderCount(faults.length)} of them here` : '';
  const places = count === 1 ? 'one place' : countOf(count, 'places');
  return new SalonError('usage', `${name} is wrong in ${places}${more}; nothing was sent.`, {
    hint: faults.some(({ code }) => code === 'unknown_field')
      ? `Correct the sheet, or allow new columns with --allow-new-fields. The fields are: ${known.join(', ')}.`
      : 'Correct the sheet and run the command again.',
    violations,
  });
}
