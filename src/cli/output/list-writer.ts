import { toCellText } from '../../bulk/sheet/cell-text.ts';
import {
  type AnyRowWriter,
  type Chunk,
  createCsvWriter,
  createJsonWriter,
  createNdjsonWriter,
  type RowWriter,
} from '../../bulk/sheet/sheet-text.ts';
import type { Fields } from '../../client/json-object.ts';
import { cleanText } from '../../text/clean-text.ts';
import {
  type Column,
  type ColumnSet,
  chooseColumns,
  findOtherFields,
  isForeign,
  joinFields,
} from './columns.ts';
import type { Layout, OutputStyle } from './format.ts';

/** Writes a list. The first page decides its columns, since a server may have additional fields. */
export interface ListWriter {
  /** Gets the first page with rows; no rows if there is none. */
  begin(firstRows: readonly Fields[]): Promise<Chunk>;
  /** The chunk is valid until the next call. */
  rows(rows: readonly Fields[]): Chunk | Promise<Chunk>;
  end(): Chunk | Promise<Chunk>;
  /** Names of the columns, known after the first page; null if records are written unchanged. */
  columns(): readonly string[] | null;
}

export interface ListWriterOptions extends OutputStyle {
  readonly layout: Layout;
  /** Undefined if the fields are only known from the records. */
  readonly columns?: ColumnSet | undefined;
  /** The value of --columns. */
  readonly requested?: string | undefined;
  /** Whether the terminal shows the text, so that CSV has to be safe to display. */
  readonly isOnScreen?: boolean;
  /** Whether the text goes to a file that --output names. */
  readonly isFile?: boolean;
  /** Reports the server's own fields that are left out. */
  readonly report?: (text: string) => void;
  /** The part of the list that is in the file already; its columns are kept. */
  readonly earlier?: WrittenPart;
}

interface WrittenPart {
  readonly columns: readonly string[] | null;
  /** Rows in the file. */
  readonly written: number;
  /** Whether the file has its heading. */
  readonly hasBegun: boolean;
}

/** Loads the code of a format once it is needed; a pipe never loads tables. */
export function createListWriter(options: ListWriterOptions): ListWriter {
  const { earlier } = options;
  let opened: Awaited<ReturnType<typeof openWriter>> | undefined;
  return {
    async begin(firstRows) {
      const sample = joinFields(earlier === undefined ? firstRows : []);
      reportOtherFields(options, sample);
      opened = await openWriter(options, sample);
      const heading = await opened.writer.begin();
      // JSON separates later rows with a comma.
      if (earlier !== undefined && earlier.written > 0) await opened.writer.rows([{}]);
      return earlier?.hasBegun ? '' : heading;
    },
    rows: (rows) => (rows.length === 0 ? '' : (opened?.writer.rows(rows) ?? '')),
    end: () => opened?.writer.end() ?? '',
    columns: () => opened?.headings ?? earlier?.columns ?? null,
  };
}

/** `headings`: null if records are written unchanged. */
async function openWriter(options: ListWriterOptions, sample: Fields) {
  const { layout, requested, excel, earlier } = options;
  const former = earlier?.columns ?? undefined;
  const isJson = layout === 'json' || layout === 'ndjson';
  if (isJson && requested === undefined && former === undefined) {
    return { writer: layout === 'json' ? createJsonWriter() : createNdjsonWriter(), headings: null };
  }
  const chosen =
    former?.map((key): Column => ({ key, kind: 'text' })) ??
    chooseColumns(options.columns, { requested, sample, forPeople: layout === 'table' });
  if (layout === 'xlsx' || (layout === 'csv' && excel)) {
    const sheet = await import('./spreadsheet.ts');
    const columns =
      former?.map(sheet.fromSpreadsheetHeading) ??
      sheet.toSpreadsheetColumns(chosen, sample, options.currency);
    const plain = columns.find(({ key, kind, currency }) => kind === 'amount' && !currency && sample[key]);
    if (plain !== undefined)
      options.report?.(
        `${plain.heading} is in minor units, such as 4500 for 45.00: the salon's currency is not known. To set it: salon profiles set currency EUR`,
      );
    const writer = await (layout === 'xlsx' ? sheet.createWorkbookWriter : sheet.createExcelCsvWriter)({
      columns,
      timeZone: options.timeZone,
      clean: options.isOnScreen ? cleanText : undefined,
    });
    return { writer: withOwnFields(writer, columns), headings: columns.map(({ heading }) => heading) };
  }
  const writer = await openText(layout, chosen, options);
  return { writer: withOwnFields(writer, chosen), headings: chosen.map(({ key }) => key) };
}

async function openText(
  layout: Exclude<Layout, 'xlsx'>,
  columns: readonly Column[],
  options: ListWriterOptions,
): Promise<AnyRowWriter> {
  const keys = columns.map(({ key }) => key);
  switch (layout) {
    case 'json':
      return createJsonWriter({ columns: keys });
    case 'ndjson':
      return createNdjsonWriter({ columns: keys });
    case 'csv':
      return createCsvWriter({ columns: keys, clean: options.isOnScreen ? cleanText : undefined });
    case 'tsv':
      return options.isFile ? createCsvWriter({ columns: keys, delimiter: '\t' }) : createTsvWriter(keys);
    case 'table': {
      const { createTableWriter } = await import('./table.ts');
      return createTableWriter({ ...options, columns });
    }
  }
}

/**
 * Tab-separated values with a heading, the format of pipes: one line per row, uncut, without colours. Times are in
 * UTC. Tabs and line breaks in values become visible marks; a file has them in quotes, as a CSV does.
 */
export function createTsvWriter(keys: readonly string[]): RowWriter {
  const toLine = (texts: readonly string[]) => `${texts.map(cleanText).join('\t')}\n`;
  return {
    begin: () => toLine(keys),
    rows: (rows) => rows.map((row) => toLine(keys.map((key) => toCellText(row[key])))).join(''),
    end: () => '',
  };
}

/** A server's field may have the name of something that every JavaScript object inherits, such as `constructor`. */
function withOwnFields(writer: AnyRowWriter, columns: readonly Column[]): AnyRowWriter {
  if (columns.every(({ key }) => !(key in Object.prototype))) return writer;
  const toOwn = (row: Fields): Fields => Object.assign(Object.create(null), row);
  return { ...writer, rows: (rows) => writer.rows(rows.map(toOwn)) };
}

/** JSON has all fields anyway, and tables are a selection. */
function reportOtherFields({ layout, columns, requested, report }: ListWriterOptions, sample: Fields): void {
  if (columns === undefined || requested !== undefined || !['csv', 'tsv', 'xlsx'].includes(layout)) return;
  if (isForeign(sample, columns)) return;
  const others = findOtherFields(columns, sample);
  if (others.length === 0) return;
  report?.(`Fields not shown: ${others.join(', ')}. Add them with --columns +all or by name.`);
}
