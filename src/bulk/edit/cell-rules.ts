/** How cells of a sheet become values of records. */
export interface CellRules {
  /**
   * The value a cell asks for, given what the record has now; undefined where it leaves that
   * alone, or may not change it.
   */
  toValue(cell: unknown, field: string, present: unknown): unknown;
  /** Whether a record that has `present` is as `wanted` asks. */
  isSameValue(wanted: unknown, present: unknown, field: string): boolean;
}
