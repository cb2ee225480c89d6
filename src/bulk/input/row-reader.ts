import type { RowFault, SheetRow } from './sheet-form.ts';

/** Makes rows of a sheet's text, piece by piece. */
export interface RowReader {
  write(piece: string): UnnumberedRow[];
  end(): UnnumberedRow[];
}

export type UnnumberedRow = Omit<SheetRow, 'number'>;

/** A row that cannot be read at all. */
export function toUnreadable(line: number, reason: string): UnnumberedRow {
  return toFaulty(line, { code: 'unreadable', reason });
}

/** A row with something wrong about the whole of it. */
export function toFaulty(
  line: number,
  { cells = {}, ...fault }: Pick<RowFault, 'code' | 'reason'> & Partial<Pick<SheetRow, 'cells'>>,
): UnnumberedRow {
  return { line, cells, fault: { line, column: null, ...fault } };
}
