import { open } from 'node:fs/promises';
import { isFields } from '../../client/json-object.ts';
import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { decimalsOf } from '../../contract/numbers.ts';
import { removeExcelGuard } from '../sheet/cell-text.ts';
import { isBlank } from '../sheet/csv-parser.ts';
import { type Encoding, hasTextCells, type SheetForm } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';
import { detectCsv, detectGuard, headingHint, readColumns } from './detect-csv.ts';
import { detectEncoding } from './detect-encoding.ts';
import { readJsonList, readSheet } from './read-sheet.ts';

export interface DetectOptions {
  /** The file's name in messages; its path if left out. */
  readonly name?: string | undefined;
  /** Skips detecting the format. */
  readonly format?: SheetForm['format'] | undefined;
  /** Skips detecting the encoding. */
  readonly encoding?: Encoding | undefined;
  /** Skips detecting the guard of an export for Excel. */
  readonly isGuarded?: boolean | undefined;
  /** The worksheet of an .xlsx; the first one if left out. */
  readonly worksheet?: string | undefined;
  /** Stops reading with `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Fields that headings may spell in their own way; none if left out. */
  readonly knownFields?: readonly string[] | undefined;
  /** Reads the names of the server's own fields; called for headings that are none of `knownFields`. */
  readonly readFieldNames?: (() => Promise<readonly string[]>) | undefined;
}

/** Characters of the beginning that detection looks at. */
const sampleLength = 131_072;

/**
 * Detects format, encoding, delimiter and columns of a sheet from its content, not from its name. Throws `usage` for
 * a file that cannot be read, is not a sheet, has no rows, or has a heading with empty or repeated names.
 */
export async function detectSheetForm(path: string, options: DetectOptions = {}): Promise<SheetForm> {
  const name = options.name ?? path;
  const form = await detectForm(path, name, options).catch((thrown: unknown) => {
    throw thrown instanceof SalonError ? thrown : unreadableSheet(name, thrown);
  });
  const named = { ...form, ...(await nameFields(form.columns ?? [], options)) };
  assertDistinctFields(named, name);
  await assertRows(path, named, options);
  return named;
}

async function nameFields(columns: readonly string[], { knownFields = [], readFieldNames }: DetectOptions) {
  const named = matchHeadings(columns, knownFields);
  const isKnown = (named.fields ?? columns).every((field) => knownFields.includes(field));
  if (isKnown || readFieldNames === undefined) return named;
  return matchHeadings(columns, [...knownFields, ...(await readFieldNames())]);
}

async function detectForm(path: string, name: string, options: DetectOptions): Promise<SheetForm> {
  const { format: wanted, worksheet, encoding } = options;
  if (wanted === 'xlsx' || (wanted === undefined && (await isXlsx(path)))) {
    if (encoding !== undefined) {
      throw new SalonError('usage', `${name} is an .xlsx file, which has one encoding.`, {
        hint: 'Omit --encoding.',
      });
    }
    return { ...xlsxForm, ...(await detectXlsx(path, name, options)) };
  }
  if (worksheet !== undefined) {
    throw new SalonError('usage', `${name} has no worksheets: it is not an .xlsx file.`, {
      hint: 'Omit --sheet.',
    });
  }
  const textEncoding = await detectEncoding(path, name, encoding);
  const sample = await readSample(path, textEncoding.encoding);
  if (sample.trim() === '') throw noRows(`${name} is empty.`);
  const zero = sample.indexOf('\0');
  if (zero !== -1) {
    const line = sample.slice(0, zero).split('\n').length;
    throw new SalonError('usage', `${name} is not a text file: line ${line} has a zero byte.`);
  }
  const format = options.format ?? detectFormat(sample);
  const found: SheetForm = {
    ...textEncoding,
    format,
    lineEnd: detectLineEnd(sample, format),
    ...(format === 'csv'
      ? detectCsv(sample, name)
      : { delimiter: null, columns: null, hasSeparatorLine: false }),
    isGuarded: false,
    member: format === 'json' ? (await readJsonList(path, textEncoding.encoding, name)).member : null,
  };
  const isGuarded = options.isGuarded ?? (await detectGuard(path, found));
  const columns = isGuarded ? (found.columns?.map(removeExcelGuard) ?? null) : found.columns;
  return { ...found, isGuarded, columns };
}

const xlsxForm = {
  format: 'xlsx',
  encoding: 'utf-8',
  hasByteOrderMark: false,
  lineEnd: '\n',
  delimiter: null,
  hasSeparatorLine: false,
  isGuarded: false,
  member: null,
} as const;

/** Throws `usage` if two headings mean one field. */
function assertDistinctFields({ fields = [], columns }: SheetForm, name: string): void {
  for (const [index, field] of fields.entries()) {
    const first = fields.indexOf(field);
    if (first === index) continue;
    const [one, other] = [columns?.[first], columns?.[index]];
    throw new SalonError('usage', `${name}: columns "${one}" and "${other}" are both ${field}.`, {
      hint: 'Remove or rename one of them.',
    });
  }
}

async function readSample(path: string, encoding: SheetForm['encoding']): Promise<string> {
  let sample = '';
  for await (const chunk of readText(path, encoding)) {
    sample += chunk;
    if (sample.length >= sampleLength) break;
  }
  return sample;
}

function detectFormat(sample: string): SheetForm['format'] {
  if (/^\s*\[\s*(?:[[{"\]\d]|-\d|true|false|null)/.test(sample)) return 'json';
  if (!/^\s*\{\s*["}]/.test(sample)) return 'csv';
  const [first = '', ...others] = sample.trim().split('\n');
  const isOneLineAnObject = others.length > 0 && isJsonObject(first);
  return !isOneLineAnObject && /"\s*:\s*\[\s*\{/.test(sample) ? 'json' : 'ndjson';
}

function isJsonObject(text: string): boolean {
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}

/** The first line end outside of a cell. */
function detectLineEnd(sample: string, format: SheetForm['format']): SheetForm['lineEnd'] {
  const text = format === 'csv' ? sample.replace(/"[^"]*"/g, '') : sample;
  const [found] = /\r\n|\n|\r/.exec(text) ?? [];
  return (found as SheetForm['lineEnd'] | undefined) ?? '\n';
}

async function assertRows(path: string, form: SheetForm, { name = path, signal }: DetectOptions) {
  for await (const row of readSheet(path, form, signal)) if (row.number > 0) return;
  throw noRows(`${name} has no rows${hasTextCells(form.format) ? ' below its header' : ''}.`);
}

function noRows(message: string): SalonError {
  return new SalonError('usage', message, {
    hint: 'Check that the file is saved and has one row per record.',
  });
}

function unreadableSheet(name: string, cause: unknown): SalonError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SalonError('usage', `Cannot read ${name}: ${reason}`, { cause });
}

const zipStart = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

/** Whether a file is an .xlsx or another archive of a spreadsheet program; an .ods says so at its start. */
async function isXlsx(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
  const start = buffer.subarray(0, bytesRead);
  return start.subarray(0, 4).equals(zipStart) && !start.includes('mimetypeapplication/vnd.oasis');
}

/** Finds worksheet and columns of an .xlsx: the first one that is not hidden, unless it is named. Throws `usage`. */
async function detectXlsx(
  path: string,
  name: string,
  { worksheet: wanted, signal }: { worksheet?: string | undefined; signal?: AbortSignal | undefined },
): Promise<Pick<SheetForm, 'columns' | 'worksheet' | 'countsFrom1904'>> {
  const { readWorksheets, readFirstRows } = await import('../sheet/xlsx-reader.ts');
  const worksheets = await readWorksheets(path, name);
  const found =
    wanted === undefined
      ? (worksheets.find(({ isHidden }) => !isHidden) ?? worksheets[0])
      : (worksheets.find((one) => one.name === wanted) ??
        worksheets.find((one) => one.name.toLowerCase() === wanted.toLowerCase()));
  if (found === undefined)
    throw noWorksheet(
      name,
      wanted,
      worksheets.map((one) => one.name),
    );
  for await (const { line, cells } of readFirstRows(path, { worksheet: found.name, name, signal })) {
    if (cells.every(isBlank)) continue;
    const columns = readColumns({ line, cells }, name);
    const worksheet = { name: found.name, count: worksheets.length };
    return { columns, worksheet, ...(found.countsFrom1904 ? { countsFrom1904: true } : {}) };
  }
  throw new SalonError(
    'usage',
    `Worksheet "${found.name}" of ${name} has no heading in its first 1,000 rows.`,
    { hint: headingHint },
  );
}

function noWorksheet(name: string, wanted: string | undefined, names: readonly string[]): SalonError {
  if (wanted === undefined) return new SalonError('usage', `${name} has no worksheet.`);
  const near = closest(wanted, names);
  const question = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new SalonError('usage', `${name} has no worksheet "${wanted}".${question}`, {
    hint: `Worksheets: ${names.join(', ')}`,
  });
}

/** Words of people for fields. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['client', 'client_id'],
  ['created', 'created_at'],
  ['preferredstylist', 'preferred_stylist_id'],
  ['start', 'start_time'],
  ['stylist', 'stylist_id'],
  ['updated', 'updated_at'],
]);

/** Columns of an export with names of people. Without a column of IDs, they say whom a row means. */
const nameColumns: ReadonlyMap<string, string> = new Map([
  ['client_name', 'client_id'],
  ['client_email', 'client_id'],
  ['client_phone', 'client_id'],
  ['stylist_name', 'stylist_id'],
  ['preferred_stylist_name', 'preferred_stylist_id'],
]);

/**
 * The field of each heading: `First Name`, `FIRST_NAME` and `first-name` are `first_name`. Times in the salon's zone are
 * headed `start_time_local`, amounts in a currency `amount_eur`. Other headings stay as they are.
 */
export function matchHeadings(
  headings: readonly string[],
  known: Iterable<string>,
): Partial<Pick<SheetForm, 'fields' | 'currencies'>> {
  // A field of the contract comes first: a server's own one may be spelt like it.
  const fieldOf = new Map([...known].toReversed().map((name) => [simplify(name), name]));
  const own = new Set(known);
  const currencies: Record<string, string> = {};
  const fields = headings.map((heading) => {
    if (own.has(heading) && !nameColumns.has(heading)) return heading;
    const name = simplify(heading);
    const field =
      fieldOf.get(name) ??
      fieldOf.get(name.replace(/local$/, '')) ??
      fieldOf.get(simplify(otherNames.get(name) ?? ''));
    if (field !== undefined) return field;
    const [, amount, code = ''] = /^(.*amount)[ _(-]*([a-z]{3})\)?$/i.exec(heading.trim()) ?? [];
    if (amount === undefined || decimalsOf(code.toUpperCase()) === undefined) return heading;
    const amountField = amount.toLowerCase().replaceAll(/[ -]/g, '_');
    currencies[amountField] = code.toUpperCase();
    return amountField;
  });
  for (const [index, field] of fields.entries()) {
    const idField = nameColumns.get(field);
    if (idField !== undefined && own.has(idField) && !fields.includes(idField)) fields[index] = idField;
  }
  return {
    ...(fields.every((field, index) => field === headings[index]) ? {} : { fields }),
    ...(Object.keys(currencies).length === 0 ? {} : { currencies }),
  };
}

function simplify(heading: string): string {
  // A byte order mark may have been read as Windows-1252.
  const bare = heading.replace(/^\u00EF\u00BB\u00BF/, '');
  return bare
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-.:]/g, '');
}
