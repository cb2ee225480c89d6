/** How a sheet is written: what was found in it, and how its rows are written again. */
export interface SheetForm {
  readonly format: SheetFormat;
  readonly encoding: Encoding;
  readonly hasByteOrderMark: boolean;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** What stands between the cells of a CSV; null in the other formats. */
  readonly delimiter: Delimiter | null;
  /** Names of the columns of a CSV, as they are read; null in the other formats, where every row names its own. */
  readonly columns: readonly string[] | null;
  /** Whether a CSV names its delimiter in a line of its own before the heading, as Excel takes it: `sep=;`. */
  readonly hasSeparatorLine: boolean;
  /** Whether cells carry the `'` of an export for Excel. Rows are read without it and written with it. */
  readonly isGuarded: boolean;
  /** The member that holds the list, where a JSON document is an object around one; else null. */
  readonly member: string | null;
}

export const sheetFormats = ['csv', 'ndjson', 'json'] as const;

export type SheetFormat = (typeof sheetFormats)[number];

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export const delimiters = [',', ';', '\t', '|'] as const;

export type Delimiter = (typeof delimiters)[number];

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

/** Characters of the longest row that is read: the service takes no body of more bytes. */
export const longestRow = 1_048_576;
