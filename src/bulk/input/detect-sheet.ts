import { isFields } from '../../client/fields.ts';
import { SalonError } from '../../contract/errors.ts';
import { removeExcelGuard } from '../sheet/cell-text.ts';
import { type Encoding, hasTextCells, type SheetForm } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';
import { detectCsv, detectGuard } from './detect-csv.ts';
import { detectEncoding } from './detect-encoding.ts';
import { detectXlsx, isXlsx } from './detect-xlsx.ts';
import { matchHeadings } from './headings.ts';
import { readJsonList } from './json-list.ts';
import { readSheet } from './read-sheet.ts';

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
