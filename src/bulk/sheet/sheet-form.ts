/** How a sheet is written: what was found in it, and how its rows are written again. */
export interface SheetForm {
  readonly format: 'csv' | 'ndjson' | 'json';
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  readonly hasByteOrderMark: boolean;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** What stands between the cells of a CSV; null in the other formats. */
  readonly delimiter: ',' | ';' | '\t' | '|' | null;
  /** Names of the columns of a CSV, as they are read; null in the other formats, where every row names its own. */
  readonly columns: readonly string[] | null;
}

/** One row of a sheet. */
export interface SheetRow {
  /** From 1; the heading is none. */
  readonly number: number;
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  /** The cells of a CSV as texts, the members of an object in the other formats. */
  readonly cells: Readonly<Record<string, unknown>>;
  /** Why the row cannot be used, where it cannot even be read. */
  readonly fault?: RowFault;
}

/** What is wrong with a row, for people. */
export interface RowFault {
  readonly line: number;
  /** Null where the whole row is meant. */
  readonly column: string | null;
  readonly code: 'unreadable' | 'width' | 'unknown_field' | 'required' | 'invalid_value' | 'duplicate';
  readonly reason: string;
}
