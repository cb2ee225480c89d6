import { extname } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { PrintFlags } from '../flags/options.ts';
import type { Format } from '../flags/values.ts';
import type { Io } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';

/** The output format; `tsv` (tab-separated) is the default in a pipe. */
export type Layout = Format | 'tsv';

const layoutOfExtension: Readonly<Record<string, Layout>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.tsv': 'tsv',
  '.txt': 'tsv',
  '.xlsx': 'xlsx',
};

/** The layout that the name of a file asks for; undefined if it asks for none. */
function findLayoutOf(output: string): Layout | undefined {
  return layoutOfExtension[extname(output).toLowerCase()];
}

export interface OutputRequest {
  readonly output: string;
  readonly excel: boolean;
  /** Extensions of files that only this command writes. */
  readonly otherExtensions: readonly string[];
}

/** Throws `usage` if the name of the --output file does not say what to write, or contradicts --excel. */
export function assertOutputFormat({ output, excel, otherExtensions }: OutputRequest): void {
  const extension = extname(output);
  const layout = findLayoutOf(output);
  if (!excel && otherExtensions.includes(extension.toLowerCase())) return;
  if (layout === undefined && !excel) {
    const problem = extension === '' ? 'has no extension' : `has the unknown extension ${extension}`;
    const extensions = [...otherExtensions, '.csv', '.xlsx', '.json', '.ndjson'].join(', ');
    throw new SalonError('usage', `--output ${output} ${problem}, so its format is unclear.`, {
      hint:
        extension === '.pdf' && otherExtensions.includes('.html')
          ? 'Write an .html file, open it in a browser and print it as a PDF.'
          : `Name the file ${extensions} or .tsv, or choose with --format.`,
    });
  }
  if (excel && layout !== 'csv' && layout !== 'xlsx') {
    throw new SalonError('usage', `--excel writes a sheet, but --output is ${output}.`, {
      hint: 'Name the file .csv or .xlsx.',
    });
  }
}

<<<<<<< HEAD
const pdfHint = 'Write an .html file, open it in a browser and print it as a PDF.';

/** The requested format, else the one of the file's extension, else a table at a terminal and `tsv` elsewhere. */
function chooseLayout({ format, output, excel, isTerminal }: LayoutRequest): Layout {
  if (format !== undefined) return format;
  if (excel) return isWorkbook(output) ? 'xlsx' : 'csv';
  if (output !== undefined) return findLayoutOf(output) ?? 'tsv';
  return isTerminal ? 'table' : 'tsv';
}

/** Whether a file's extension is that of a workbook. */
function isWorkbook(output: string | undefined): boolean {
  return output !== undefined && layoutOfExtension[extname(output).toLowerCase()] === 'xlsx';
}

export interface RowWriterOptions {
  readonly layout: Layout;
  /** Undefined if the fields are only known from the records. */
  readonly columns: ColumnSet | undefined;
  /** The value of --columns. */
  readonly requested: string | undefined;
  readonly sample: Row | undefined;
  readonly excel: boolean;
  /** Headings that an earlier part of the file has. */
  readonly headings?: readonly string[];
  /** Whether the terminal shows the text, so that CSV has to be safe to display. */
  readonly isOnScreen?: boolean;
  readonly color: boolean;
  /** For screen readers: no tables, no colour. */
  readonly plain: boolean;
  readonly timeZone: string;
  readonly io: Io;
}

/** Loads the writer of a layout; a pipe never loads tables. */
export async function createRowWriter(options: RowWriterOptions): Promise<AnyRowWriter> {
  const { layout, requested, sample } = options;
  const columns = chooseColumns(options.columns, { requested, sample, forPeople: layout === 'table' });
  const writer = await loadRowWriter(columns, options);
  if (!columns.some(({ key }) => key in Object.prototype)) return writer;
  return { ...writer, rows: (rows) => writer.rows(rows.map(withoutInherited)) };
}

/** A server's field may have the name of something that every JavaScript object inherits, such as `constructor`. */
function withoutInherited(row: Row): Row {
  return Object.assign(Object.create(null), row);
}

async function loadRowWriter(columns: readonly Column[], options: RowWriterOptions): Promise<AnyRowWriter> {
  const { layout, requested, excel } = options;
  switch (layout) {
    case 'json':
    case 'ndjson': {
      const writers = await import('../../bulk/sheet/row-writer.ts');
      const create = layout === 'json' ? writers.createJsonWriter : writers.createNdjsonWriter;
      return create({ columns: requested === undefined ? undefined : columns.map(({ key }) => key) });
    }
    case 'csv': {
      const { createCsvWriter } = await import('../../bulk/sheet/row-writer.ts');
      const clean = options.isOnScreen ? (await import('../messages/clean-text.ts')).cleanText : undefined;
      if (!excel) return createCsvWriter({ columns: columns.map(({ key }) => key), clean });
      const { createSpreadsheetRows } = await import('./spreadsheet.ts');
      const spreadsheet = await toSpreadsheet(columns, options);
      const toRow = createSpreadsheetRows(spreadsheet);
      const headings = spreadsheet.columns.map(({ heading }) => heading);
      const forExcel = { lineEnd: '\r\n', hasByteOrderMark: true, isGuarded: true };
      const writer = createCsvWriter({ columns: headings, clean, ...forExcel });
      return { ...writer, rows: (rows) => writer.rows(rows.map(toRow)) };
    }
    case 'xlsx':
      return (await import('./spreadsheet.ts')).createWorkbookWriter(await toSpreadsheet(columns, options));
    case 'tsv':
      return (await import('./tsv.ts')).createTsvWriter({ columns });
    case 'table': {
      const { color, plain, timeZone, io } = options;
      if (plain) return (await import('./record.ts')).createPlainWriter({ columns, timeZone });
      const { createTableWriter: createTablePrinter } = await import('./table.ts');
      return createTablePrinter({ columns, width: io.terminal.columns, color, timeZone });
    }
  }
}

async function toSpreadsheet(
  columns: readonly Column[],
  { headings, sample, timeZone }: RowWriterOptions,
): Promise<SpreadsheetOptions> {
  const { toSpreadsheetColumns, fromSpreadsheetHeading } = await import('./spreadsheet.ts');
  const chosen = headings?.map(fromSpreadsheetHeading) ?? toSpreadsheetColumns(columns, sample);
  return { columns: chosen, timeZone };
}

=======
>>>>>>> 3be67c9d (Write lists of every format in one place)
/** Whether to print colour: at a terminal, unless NO_COLOR, TERM=dumb or --no-color is set; FORCE_COLOR forces it. */
export function wantsColor(io: Pick<Io, 'env' | 'terminal'>, flag: boolean | undefined): boolean {
  const { env } = io;
  if (flag === false || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  return io.terminal.output && env['TERM'] !== 'dumb';
}

/** Whether the terminal has 256 colours, not just 16. */
export function hasManyColors({ env }: Pick<Io, 'env'>): boolean {
  const forced = env['FORCE_COLOR'];
  return (
    /256|direct/.test(env['TERM'] ?? '') || Boolean(env['COLORTERM']) || forced === '2' || forced === '3'
  );
}

/** The layout from flags, profile, file name and terminal. */
export async function readLayout(
  { flags, io, session }: CommandContext<PrintFlags>,
  defaultFormat?: Format,
): Promise<Layout> {
  const { format } = (await session()).settings;
  const { output, excel } = flags;
  const isFlag = format?.source === 'flag';
  if (defaultFormat !== undefined && !isFlag) return defaultFormat;
  // The extension of --output overrides the profile, not the flag.
  if (format !== undefined && (isFlag || output === undefined)) {
    if (format.value === 'xlsx' && output === undefined && io.terminal.output) {
      throw new SalonError('usage', 'A terminal cannot show XLSX.', {
        hint: 'Write it to a file: -o clients.xlsx',
      });
    }
    return format.value;
  }
  if (output === undefined) {
    if (excel) return 'csv';
    return io.terminal.output ? 'table' : 'tsv';
  }
  const layout = findLayoutOf(output);
  return excel && layout !== 'xlsx' ? 'csv' : (layout ?? 'tsv');
}

/** Whether data goes to the terminal itself, not to a file or a pipe. */
export function isOnScreen({ flags, io }: Pick<CommandContext<PrintFlags>, 'flags' | 'io'>): boolean {
  return flags.output === undefined && io.terminal.output;
}

/** How values are printed, from flags, environment and profile. */
export interface OutputStyle {
  readonly io: Io;
  readonly excel: boolean;
  readonly color: boolean;
  /** For screen readers: no tables, no colour. */
  readonly plain: boolean;
  readonly timeZone: string;
}

export async function readStyle({ flags, io, session }: CommandContext<PrintFlags>): Promise<OutputStyle> {
  const { timeZone, plain } = (await session()).settings;
  const color = wantsColor(io, flags.color);
  return { io, excel: flags.excel === true, color, plain: plain.value, timeZone: timeZone.value };
}
