import { extname } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { parseWeekHours } from '../../time/week-hours.ts';
import type { MomentContext } from '../flags/moments.ts';
import type { PrintFlags } from '../flags/options.ts';
import type { Format } from '../flags/values.ts';
import type { Io } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';
import { asksForZone, readSalonSetting } from '../session/resolve-settings.ts';
import type { CellStyle } from './cell.ts';
import { type Column, type ColumnSet, listWanted } from './columns.ts';
import type { TextStyle } from './document.ts';

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

/**
 * Throws `usage` if the name of the --output file does not say what to write, or contradicts --excel. `otherExtensions`
 * are those of files that only this command writes.
 */
export function assertOutputFormat(
  output: string,
  { excel, otherExtensions }: { readonly excel: boolean; readonly otherExtensions: readonly string[] },
): void {
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

/** Throws `usage` for a workbook on a terminal. */
export function assertShowable(
  format: string | undefined,
  target: Pick<CommandContext<PrintFlags>, 'flags' | 'io'>,
): void {
  if (format !== 'xlsx' || !isOnScreen(target)) return;
  throw new SalonError('usage', 'A terminal cannot show XLSX.', {
    hint: 'Write it to a file: -o clients.xlsx',
  });
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
    assertShowable(format.value, { flags, io });
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
export interface OutputStyle extends CellStyle, TextStyle {
  readonly excel: boolean;
}

/** Times of a single record name their zone: UTC, where that of the salon cannot be used. */
export async function readStyle(
  context: CommandContext<PrintFlags>,
  columns?: ColumnSet,
  { isRecord = columns === undefined }: { readonly isRecord?: boolean } = {},
): Promise<OutputStyle> {
  const { flags, io } = context;
  const { settings } = await context.session();
  const { timeZone: set, plain, currency: known } = settings;
  const color = wantsColor(io, flags.color);
  const layout = await readLayout(context);
  const isForPeople = layout === 'table' || layout === 'xlsx' || (layout === 'csv' && flags.excel === true);
  const shown = columns && isForPeople ? findShown(columns, layout, flags.columns) : [];
  const isTimed = isForPeople && (layout !== 'table' || columns === undefined || shown.some(isTime));
  const isPriced = shown.some(({ key }) => key === 'price' || key === 'paid_amount');
  if (isPriced) await context.sayOverride('currency');
  // Records are printed, too, where it cannot be read.
  const asked = isPriced && known === undefined ? await context.salon().catch(() => undefined) : undefined;
  const currency = (known?.unusable ? known.unusable.text : known?.value) ?? asked?.currency;
  // What programs read from a pipe has no local times, and Intl takes 12 ms to know the first zone.
  const isForPipe = columns !== undefined && !isForPeople && flags.output === undefined;
  const isUnzoned = set.source === 'default' || isForPipe || set.unusable;
  let timeZone = isUnzoned ? 'UTC' : set.value;
  try {
    // Tables name the zone of their times.
    if (isTimed) timeZone = await context.timeZone({ isShown: layout === 'table' });
  } catch (error) {
    if (!isRecord) throw error;
  }
  const width = plain.value ? Number.POSITIVE_INFINITY : io.terminal.columns;
  return { excel: flags.excel === true, width, color, plain: plain.value, timeZone, currency };
}

/** How messages of several lines are laid out. */
export async function readMessageStyle({ io, isPlain }: CommandContext): Promise<TextStyle> {
  const plain = await isPlain();
  const isWrapped = io.terminal.messages && !plain;
  return { plain, color: false, width: isWrapped ? io.terminal.columns : Number.POSITIVE_INFINITY };
}

/** The columns that are printed. A sheet has all of them by default. */
function findShown({ all, table }: ColumnSet, layout: Layout, requested: string | undefined) {
  const wanted = listWanted(layout === 'table' ? table : all.map(({ key }) => key), requested);
  return wanted.has('all') ? all : all.filter(({ key }) => wanted.has(key));
}

function isTime({ kind }: Column): boolean {
  return kind === 'instant' || kind === 'value' || kind === 'changes';
}

/** Now, and the salon's time zone and hours: what written times are read and printed with. */
export async function readClock(
  context: Pick<
    CommandContext,
    'io' | 'messages' | 'session' | 'timeZone' | 'salon' | 'localTimes' | 'sayOverride'
  >,
): Promise<MomentContext> {
  const { settings } = await context.session();
  const timeZone = await context.timeZone();
  await context.sayOverride('openingHours');
  const salon = asksForZone(settings) ? await context.salon() : undefined;
  const hours = settings.openingHours?.value ?? readSalonSetting('openingHours', salon);
  const openingHours = hours ? parseWeekHours(hours) : undefined;
  const { io, messages, localTimes } = context;
  return { now: io.now(), timeZone, openingHours, onRepeated: messages.warn, onLocal: localTimes.note };
}
