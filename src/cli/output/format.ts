import { extname } from 'node:path';
import type { PrintFlags } from '../flags/options.ts';
import type { Format } from '../flags/values.ts';
import type { Io } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type ColumnSet, chooseColumns, type Printer, type Row } from './columns.ts';

/** How records are laid out; `tsv` is what a pipe gets when nothing is asked. */
export type Layout = Format | 'tsv';

export interface LayoutFacts {
  /** What a flag or the profile asks for. */
  readonly asked: Format | undefined;
  /** The file data goes to, if any. */
  readonly output: string | undefined;
  readonly excel: boolean;
  readonly terminal: boolean;
}

const layoutOfExtension: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** The layout: what is asked, else what the file's name says, else a table for people and tab-separated values for programs. */
export function chooseLayout({ asked, output, excel, terminal }: LayoutFacts): Layout {
  if (asked !== undefined) return asked;
  if (excel) return 'csv';
  if (output !== undefined) return layoutOfExtension[extname(output).toLowerCase()] ?? 'tsv';
  return terminal ? 'table' : 'tsv';
}

export interface PrinterOptions {
  readonly layout: Layout;
  /** Undefined where the fields are only known from the record itself. */
  readonly columns: ColumnSet | undefined;
  readonly requested: string | undefined;
  readonly sample: Row | undefined;
  readonly excel: boolean;
  readonly color: boolean;
  /** Whether records for people are lines of their own, without columns and colour. */
  readonly plain: boolean;
  readonly timeZone: string;
  readonly io: Io;
}

/** The printer of a layout. Each is loaded when it is used: a pipe never loads the table. */
export async function createPrinter(options: PrinterOptions): Promise<Printer> {
  const { layout, requested, sample, excel } = options;
  const columns = chooseColumns(options.columns, { requested, sample, forPeople: layout === 'table' });
  switch (layout) {
    case 'json':
    case 'ndjson': {
      const writers = await import('../../bulk/sheet/row-writer.ts');
      const create = layout === 'json' ? writers.createJsonWriter : writers.createNdjsonWriter;
      return create({ columns: requested === undefined ? undefined : columns.map(({ key }) => key) });
    }
    case 'csv': {
      const { createCsvWriter } = await import('../../bulk/sheet/row-writer.ts');
      const forExcel = { lineEnd: '\r\n', hasByteOrderMark: true, isGuarded: true };
      return createCsvWriter({ columns: columns.map(({ key }) => key), ...(excel ? forExcel : {}) });
    }
    case 'tsv':
      return (await import('./tsv.ts')).createTsvPrinter({ columns });
    case 'table': {
      const { color, plain, timeZone, io } = options;
      if (plain) return (await import('./record.ts')).createPlainPrinter({ columns, timeZone });
      const { createTablePrinter } = await import('./table.ts');
      return createTablePrinter({ columns, width: io.terminal.columns, color, timeZone });
    }
  }
}

/** Colour for people only: a terminal, unless NO_COLOR, TERM=dumb or --no-color speak against it; FORCE_COLOR for it. */
export function wantsColor(io: Pick<Io, 'env' | 'terminal'>, flag: boolean | undefined): boolean {
  const { env } = io;
  if (flag === false || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  return io.terminal.output && env['TERM'] !== 'dumb';
}

/** Whether a terminal has 256 colours, as nearly all have, or only the first 16. */
export function hasManyColors({ env }: Pick<Io, 'env'>): boolean {
  const forced = env['FORCE_COLOR'];
  return (
    /256|direct/.test(env['TERM'] ?? '') || Boolean(env['COLORTERM']) || forced === '2' || forced === '3'
  );
}

/** The command of the pager; undefined where no person turns the pages, or wants to. */
export function choosePager(
  { env, platform, terminal }: Pick<Io, 'env' | 'platform' | 'terminal'>,
  flag: boolean | undefined,
): string | undefined {
  if (flag === false || !terminal.output || env['TERM'] === 'dumb' || env['CI']) return undefined;
  // Windows brings none along that knows colours.
  const command = (env['PAGER'] ?? (platform === 'win32' ? '' : 'less')).trim();
  return command === '' || command === 'cat' ? undefined : command;
}

/** The layout that flags, profile, file name and terminal ask for. */
export async function readLayout({ flags, io, session }: CommandContext<PrintFlags>): Promise<Layout> {
  const { format } = (await session()).settings;
  const asked = format?.source === 'flag' || flags.output === undefined ? format?.value : undefined;
  return chooseLayout({
    asked,
    output: flags.output,
    excel: flags.excel === true,
    terminal: io.terminal.output,
  });
}

/** How printers print, whatever the layout. */
export async function readStyle({ flags, io, session }: CommandContext<PrintFlags>) {
  const { timeZone, plain } = (await session()).settings;
  const color = wantsColor(io, flags.color);
  return { io, excel: flags.excel === true, color, plain: plain.value, timeZone: timeZone.value };
}
