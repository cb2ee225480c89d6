/** How a sheet is laid out, of which `SheetFormat` is a part: its rows are written again as they were read. */
export interface SheetForm {
  readonly format: SheetFormat;
  readonly encoding: Encoding;
  readonly hasByteOrderMark: boolean;
  /** A word of a text that reads as well in another encoding than the detected one, as each of them reads it. */
  readonly doubt?: { readonly word: string; readonly encoding: Encoding; readonly otherWord: string };
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** Of a CSV; null in the other formats. */
  readonly delimiter: Delimiter | null;
  /** Headings of a CSV or worksheet, and ours of cards; null in NDJSON and JSON, where every row has names of its own. */
  readonly columns: readonly string[] | null;
  /**
   * The field of each column, where headings spell fields in another way; for a column of whole names both fields, with a
   * blank between them; `otherPhone`; `lastNamePrefix`; or the heading of a column that is left out, after a hyphen.
   */
  readonly fields?: readonly string[];
  /** Columns that are left out, but share a field with others: its cell is made of theirs. */
  readonly parts?: readonly ColumnPart[];
  /** Currencies of the fields with decimal amounts. */
  readonly currencies?: Readonly<Record<string, string>>;
  /** Sentences about what of cards or a calendar is no row, or several. */
  readonly remarks?: readonly string[];
  /** How the events of a calendar are read. */
  readonly calendar?: CalendarForm;
  /** The line of the headings, or their row in a worksheet. */
  readonly headingLine: number;
  /** The first text above the headings, which is not read. */
  readonly title?: string;
  /** The worksheet or table that was read, how many there are, and the names of others. */
  readonly worksheet?: { readonly name: string; readonly count: number; readonly others?: readonly string[] };
  /** Whether the days of a workbook count from 1904, as those of old versions of Excel for the Mac do. */
  readonly countsFrom1904?: boolean;
  /** Whether a CSV begins with a line that tells Excel the delimiter: `sep=;`. */
  readonly hasSeparatorLine: boolean;
  /** Whether an export for Excel put `'` before formulas. Rows are read without it and written with it. */
  readonly isGuarded: boolean;
  /** The member that holds the list in a JSON document; null if the document is the list. */
  readonly member: string | null;
}

/** What a column has that shares a field with others. */
export type PartRole =
  | ('mobile' | 'phone' | 'home' | 'work' | 'number' | 'email' | 'tags' | 'notes' | 'organisation' | 'label')
  | (
      | 'date'
      | 'time'
      | 'end'
      | 'client'
      | 'client_first_name'
      | 'client_last_name'
      | 'client_email'
      | 'client_phone'
      | 'client_number'
    );

export interface ColumnPart {
  /** The name of its cells. */
  readonly field: string;
  readonly heading: string;
  /** A `number` is one that is not taken. */
  readonly role: PartRole;
  /** The name of the cells that say which phone it is. */
  readonly label?: string;
  /** What separates several values in a cell. */
  readonly separator?: string;
}

/** What a calendar does not say of its events. */
export interface CalendarForm {
  /** RFC 3339: series are read from here on. */
  readonly from: string;
  /** IANA name of the zone of times without one. */
  readonly timeZone: string;
  /** Whose calendar it is; empty if the file says that. */
  readonly stylist: string;
  /** Names of the services of the salon. */
  readonly services: readonly string[];
}

/** A CSV as `salon` writes one. */
export const plainCsv = {
  ...({
    format: 'csv',
    encoding: 'utf-8',
    delimiter: ',',
    lineEnd: '\n',
    columns: [],
    member: null,
  } as const),
  ...{ hasByteOrderMark: false, hasSeparatorLine: false, isGuarded: false, headingLine: 1 },
} satisfies SheetForm;

/** Formats with tables. HTML and XML Spreadsheet 2003 are what programs call .xls. */
const tableFormats = ['xlsx', 'ods', 'html', 'xml'] as const;

export const sheetFormats = ['csv', ...tableFormats, 'ndjson', 'json', 'vcard', 'icalendar'] as const;

export type SheetFormat = (typeof sheetFormats)[number];

export type TableFormat = (typeof tableFormats)[number];

/** A second column of phone numbers, for new clients without one in the first. */
export const otherPhone = 'phone 2';

/** A column of the other numbers with their labels, such as `Home 030 5550102, Work 030 5550103`. */
export const otherPhones = 'other_phones';

/** A column of the email addresses of a row that are not taken. */
export const otherEmails = 'other_emails';

/** A column of what last names begin with, such as `van den`. */
export const lastNamePrefix = 'last_name_prefix';

export function toLeftOut(heading: string): string {
  return `-${heading}`;
}

/** Whether a column is left out: nobody reads its cells, but `failed.csv` has them. */
export function isLeftOut(field: string): boolean {
  return field.startsWith('-');
}

/** Whether cells are text as people write it, in columns with headings. */
export function hasTextCells(format: SheetFormat): boolean {
  return format !== 'ndjson' && format !== 'json';
}

export function isTableFormat(format: SheetFormat): format is TableFormat {
  return tableFormats.some((one) => one === format);
}

/** The format of rows that are written again: spreadsheet programs would change the phones of a written HTML table. */
export function toWrittenFormat(format: SheetFormat): SheetFormat {
  return isTableFormat(format) ? 'xlsx' : format;
}

export const encodings = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'iso-8859-2'] as const),
  ...(['windows-1251', 'windows-1253', 'windows-1254', 'windows-1257', 'macintosh'] as const),
] as const;

export type Encoding = (typeof encodings)[number];

export const delimiters = [',', ';', '\t', '|'] as const;

export type Delimiter = (typeof delimiters)[number];

export interface SheetRow {
  /** From 1, without the header. */
  readonly number: number;
  /** The line of the file, or the row of the worksheet, that it begins on, from 1. */
  readonly line: number;
  /** By field: strings in a CSV or worksheet, any values in the other formats. */
  readonly cells: Readonly<Record<string, unknown>>;
  /** Set if the row cannot be read. */
  readonly problem?: RowProblem;
  /** The problem of a row without the last cells, unless all others fit their columns: Excel leaves out blank ones. */
  readonly width?: RowProblem | undefined;
}

/** A validation error of a row. */
export interface RowProblem {
  readonly line: number;
  /** Null if it concerns the whole row. */
  readonly column: string | null;
  readonly code:
    | 'unreadable'
    | 'width'
    | 'unknown_field'
    | 'required'
    | 'invalid_value'
    | 'duplicate'
    | 'not_found'
    | 'ambiguous';
  /** A sentence for people. */
  readonly reason: string;
}

/** A row before the rows of its file are counted. */
export type UnnumberedRow = Omit<SheetRow, 'number'>;

/** A row that cannot be read, and makes it doubtful whether others can. */
export function toUnreadableRow(line: number, reason: string): UnnumberedRow {
  return { line, cells: {}, problem: { line, column: null, code: 'unreadable', reason } };
}

/** A row that is no record, while the others may be. */
export function toInvalidRow(
  line: number,
  reason: string,
  cells: UnnumberedRow['cells'] = {},
): UnnumberedRow {
  return { line, cells, problem: { line, column: null, code: 'invalid_value', reason } };
}

/** Rows with values among which headings are looked for. */
export const headRows = 20;

/** Longest row that is read, in characters: the service accepts no larger body. */
export const maxRowLength = 1_048_576;

/** A cell that has several meanings, or has lost a part of its value. */
export class UnclearCell {
  /** A sentence for people, to follow the name of the field. */
  readonly reason: string;

  /** The error of a formula that the cell shows. */
  readonly error: string | undefined;

  constructor(reason: string, error?: string) {
    this.reason = reason;
    this.error = error;
  }
}
