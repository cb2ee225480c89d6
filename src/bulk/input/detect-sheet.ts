import { isFields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { tryParseJson } from '../../text/json.ts';
import { withMonthNumber } from '../../time/written-words.ts';
import { removeExcelGuard } from '../sheet/cell-text.ts';
import { type Encoding, hasTextCells, plainCsv, type SheetForm } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';
import { detectDeclaredEncoding } from './declared-encoding.ts';
import { detectKind } from './detect-kind.ts';
import { type CalendarOptions, detectRecords, mapFields, recordFormatOf } from './detect-records.ts';
import { detectTable } from './detect-table.ts';
import { detectCsv, detectEncoding, detectGuard, headingHint } from './detect-text.ts';
import { type CountHeadings, createHeadingCounter } from './find-headings.ts';
import {
  assertDistinctFields,
  isTaken,
  isTarget,
  leftOut,
  type MappingOptions,
  matchHeadings,
  parseAmountHeading,
  readMapping,
  type UnknownColumn,
} from './map-columns.ts';
import { readJsonList, readSheet } from './read-sheet.ts';
import { recogniseColumns } from './recognise-columns.ts';

export interface DetectOptions extends MappingOptions, CalendarOptions {
  /** The file's name in messages; its path if left out. */
  readonly name?: string | undefined;
  /** Skips detecting the format. */
  readonly format?: SheetForm['format'] | undefined;
  /** Skips detecting the encoding. */
  readonly encoding?: Encoding | undefined;
  /** Skips detecting the guard of an export for Excel. */
  readonly isGuarded?: boolean | undefined;
  /** The worksheet or table; if left out, the one whose headings are known best. */
  readonly worksheet?: string | undefined;
  /** Stops reading with `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Fields that headings may spell in their own way; none if left out. */
  readonly knownFields?: readonly string[] | undefined;
  /** Reads the names of the server's own fields; called for headings that are none of `knownFields`. */
  readonly readFieldNames?: (() => Promise<readonly string[]>) | undefined;
  /** The contract's name for a name of the server. */
  readonly toContract?: ((name: string) => string) | undefined;
}

/** Characters of the beginning that detection looks at. */
const sampleLength = 131_072;
/** Values that show what an unknown column has. */
const sampleValues = 20;

/**
 * Detects format, encoding, delimiter and columns of a sheet from its content, not from its name. Throws `usage` for
 * a file that cannot be read, is not a sheet, has no rows, or has a heading with empty or repeated names.
 */
export async function detectSheetForm(path: string, options: DetectOptions = {}): Promise<SheetForm> {
  const name = options.name ?? path;
  const countKnown = createHeadingCounter(options.knownFields ?? [], options);
  const form = await detectForm(path, name, { ...options, countKnown }).catch((thrown: unknown) => {
    if (thrown instanceof SalonError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new SalonError('usage', `Cannot read ${name}: ${reason}`, { cause: thrown });
  });
  const isNamed = form.fields !== undefined;
  const named = {
    ...form,
    ...(isNamed ? mapFields(form, { ...options, name }) : await nameFields(path, form, { ...options, name })),
  };
  if (isNamed && (form.columns ?? []).length > 0) return named;
  if (!isNamed) assertDistinctFields(named, name);
  for await (const row of readSheet(path, named, options.signal)) if (row.number > 0) return named;
  const why =
    named.remarks?.map((remark) => `: ${remark}`).join('') ??
    (hasTextCells(named.format) ? ' below its header' : '');
  throw noRows(`${name} has no rows${why}.`);
}

async function nameFields(
  path: string,
  form: SheetForm,
  options: DetectOptions & { readonly name: string },
): Promise<Partial<Pick<SheetForm, 'fields' | 'parts' | 'currencies' | 'isGuarded'>>> {
  const { name, knownFields = [], readFieldNames, mapping = [], recognises } = options;
  const { columns } = form;
  const { toContract = (heading: string) => heading } = options;
  if (columns === null) {
    if (mapping.length === 0) return {};
    const message = `${name} has no columns with headings, so --map and --mapping cannot be used.`;
    throw new SalonError('usage', message);
  }
  let known = knownFields;
  const own = columns.map(toContract);
  let named = matchHeadings(own, known);
  const isKnown = (named.fields ?? own).every((field) => known.includes(field));
  const areTargets = mapping.every(([, target]) => isTarget(target, known));
  if (readFieldNames !== undefined && !(isKnown && areTargets)) {
    known = [...new Set([...knownFields, ...(await readFieldNames())])];
    named = matchHeadings(own, known);
  }
  const mapped = new Map(readMapping(columns, mapping, { name, known }));
  const currencies = { ...named.currencies };
  for (const [index, target] of mapped) {
    const amount = parseAmountHeading(target);
    mapped.set(index, amount?.field ?? target);
    if (amount !== undefined) currencies[amount.field] = amount.currency;
    else if (target in currencies) delete currencies[target];
  }
  const { fields: headed = own } = named;
  const plain = headed.map((field, index) => mapped.get(index) ?? field);
  const {
    fields,
    parts = [],
    program,
  } = recognises === undefined
    ? { fields: plain }
    : recogniseColumns[recognises]({ fields: headed, columns }, mapped, known);
  const unknown = columns.flatMap((heading, index) => {
    const field = fields[index] ?? heading;
    return isTaken(field, known) ? [] : [{ heading, field }];
  });
  if (recognises !== undefined && unknown.length === columns.length) assertNoData(columns, name);
  const isDecimal = Object.keys(currencies).length > 0;
  const found = {
    ...(isDecimal ? { currencies } : {}),
    ...(fields.some((field, index) => field !== columns[index]) ? { fields } : {}),
    ...(parts.length > 0 ? { parts } : {}),
    ...(program?.isGuarded && form.format === 'csv' ? { isGuarded: options.isGuarded ?? true } : {}),
  };
  if (unknown.length === 0 || options.asksUnknown !== true) return found;
  const columnValues = unknown.map((column) => ({ ...column, values: [] as string[] }));
  for await (const { number, cells } of readSheet(path, { ...form, ...found }, options.signal)) {
    for (const { field, values } of columnValues) {
      const value = String(cells[field] ?? '').trim();
      if (value !== '' && values.length < sampleValues) values.push(value);
    }
    if (number >= sampleValues && columnValues.every(({ values }) => values.length > 0)) break;
  }
  const empty: [heading: string, target: string][] = [];
  const filled: UnknownColumn[] = [];
  for (const { heading, values } of columnValues) {
    const likely = guessField(values, [...fields, ...filled.map((column) => column.likely)]);
    if (values[0] === undefined) empty.push([heading, leftOut]);
    else filled.push({ heading, example: values[0], likely });
  }
  const chosen = filled.length === 0 ? undefined : await options.chooseFields?.(filled);
  const all = [...mapping, ...empty, ...(chosen ?? [])];
  return nameFields(path, form, { ...options, mapping: all, asksUnknown: false });
}

/** What values of a field look like. */
const valuePatterns = {
  email: /^\S+@\S+\.\S+$/,
  // Of the last century: later days may be those of first visits.
  birthday: /^(?:\d{1,2}([./-]) ?\d{1,2}\1 ?(?:19\d\d|[3-9]\d)|(?:19\d\d|-)-\d\d-\d\d)$/,
  phone: /^(?!(?:\d{1,2}[./-]){2}\d{2,4}$)(?:\+|0|\d{9}$|\d+[ ()/-])[\d ()/.-]{5,}$/,
};

/** The field that most values are of. */
function guessField(values: readonly string[], taken: readonly unknown[]): string | undefined {
  const texts = values.map(withMonthNumber);
  const fits = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length * 3 >= texts.length * 2;
  const field = Object.entries(valuePatterns).find(([, pattern]) => fits(pattern))?.[0];
  return taken.includes(field) ? undefined : field;
}

/** Throws `usage` for a sheet that begins with a row of data. */
function assertNoData(columns: readonly string[], name: string): void {
  const value = columns.find((column) => /\S@\S|^\+?[\d\s()/.-]{6,}$/.test(column));
  if (value === undefined) return;
  throw new SalonError('usage', `${name} has no headings: its first row has "${value}".`, {
    hint: headingHint,
  });
}

type FormOptions = DetectOptions & { readonly countKnown: CountHeadings };

async function detectForm(path: string, name: string, options: FormOptions): Promise<SheetForm> {
  const { format: wanted, worksheet, encoding } = options;
  const { start, kind } = await detectKind(path, name);
  const format = wanted ?? kind;
  if (format === 'html' || format === 'xml') {
    const text = await detectDeclaredEncoding(path, name, { start, given: encoding });
    return detectTable(path, name, { ...plainCsv, ...text, format, delimiter: null }, options);
  }
  if (format === 'xlsx' || format === 'ods') {
    if (encoding !== undefined) {
      throw new SalonError('usage', `${name} is an .${format} file, which has one encoding.`, {
        hint: 'Omit --encoding.',
      });
    }
    return detectTable(path, name, { ...plainCsv, format, delimiter: null }, options);
  }
  if (worksheet !== undefined) {
    throw new SalonError('usage', `${name} has no worksheets or tables to choose from.`, {
      hint: 'Omit --sheet.',
    });
  }
  const textEncoding = await detectEncoding(path, name, { start, given: encoding });
  let sample = '';
  for await (const chunk of readText(path, textEncoding.encoding)) {
    sample += chunk;
    if (sample.length >= sampleLength) break;
  }
  if (sample.trim() === '') throw noRows(`${name} is empty.`);
  const zero = sample.indexOf('\0');
  if (zero !== -1) {
    const line = sample.slice(0, zero).split('\n').length;
    throw new SalonError('usage', `${name} is not a text file: line ${line} has a zero byte.`);
  }
  const textFormat = format ?? detectFormat(sample);
  // The first line end outside of a cell.
  const [lineEnd = '\n'] =
    /\r\n|\n|\r/.exec(textFormat === 'csv' ? sample.replace(/"[^"]*"/g, '') : sample) ?? [];
  const found: SheetForm = {
    ...textEncoding,
    format: textFormat,
    lineEnd: lineEnd as SheetForm['lineEnd'],
    ...(textFormat === 'csv'
      ? detectCsv(sample, name, options.countKnown)
      : { delimiter: null, columns: null, hasSeparatorLine: false, headingLine: 1 }),
    isGuarded: false,
    member: textFormat === 'json' ? (await readJsonList(path, textEncoding.encoding, name)).member : null,
  };
  if (textFormat === 'vcard' || textFormat === 'icalendar')
    return { ...found, ...(await detectRecords(path, found, { ...options, name })) };
  const isGuarded = options.isGuarded ?? (await detectGuard(path, found));
  const columns = isGuarded ? (found.columns?.map(removeExcelGuard) ?? null) : found.columns;
  return { ...found, isGuarded, columns };
}

function detectFormat(sample: string): SheetForm['format'] {
  const records = recordFormatOf(sample);
  if (records !== undefined) return records;
  if (/^\s*\[\s*(?:[[{"\]\d]|-\d|true|false|null)/.test(sample)) return 'json';
  if (!/^\s*\{\s*["}]/.test(sample)) return 'csv';
  const [first = '', ...others] = sample.trim().split('\n');
  const isOneLineAnObject = others.length > 0 && isFields(tryParseJson(first));
  return !isOneLineAnObject && /"\s*:\s*\[\s*\{/.test(sample) ? 'json' : 'ndjson';
}

function noRows(message: string): SalonError {
  return new SalonError('usage', message, {
    hint: 'Check that the file is saved and has one row per record.',
  });
}
