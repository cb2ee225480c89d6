import { createReadStream } from 'node:fs';
import type { Fields } from '../../client/json-object.ts';
import { renderJson } from '../../text/json.ts';
import { addExcelGuard, toCellText } from './cell-text.ts';
import { type Delimiter, type Encoding, isTableFormat, type SheetForm } from './sheet-form.ts';

/** Reads a file's text in chunks, without its byte order mark. */
export async function* readText(path: string, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding);
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 32_768 });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Encodes a text. Characters that the encoding does not have become `?`. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const bytes = bytesOf(encoding);
  return Buffer.from(Array.from(text, (character) => bytes.get(character) ?? 0x3f));
}

const bytesOfEncodings = new Map<Encoding, ReadonlyMap<string, number>>();

/** The byte of each character of an encoding that has one byte for each. */
function bytesOf(encoding: Encoding): ReadonlyMap<string, number> {
  const known = bytesOfEncodings.get(encoding);
  if (known !== undefined) return known;
  const all = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const bytes = new Map(Array.from(all, (character, byte) => [character, byte] as const));
  bytesOfEncodings.set(encoding, bytes);
  return bytes;
}

/** Writes rows in the format and encoding of the sheet that they came from. */
export async function createSheetWriter(form: SheetForm): Promise<RowWriter<Promise<Buffer>>> {
  if (isTableFormat(form.format)) return createWorkbookWriter(form);
  const { format, delimiter, columns, fields, lineEnd, member } = form;
  const toCsv = () =>
    createCsvWriter({ ...form, delimiter: delimiter ?? ',', columns: columns ?? [], keys: fields });
  const toJson = () => (format === 'json' ? createJsonWriter : createNdjsonWriter)({ lineEnd, member });
  const writer = format === 'csv' ? toCsv() : toJson();
  const encode = async (text: string) => encodeText(text, form.encoding);
  return {
    begin: () => encode(writer.begin()),
    rows: (rows) => encode(writer.rows(rows)),
    end: () => encode(writer.end()),
  };
}

/** Cells as they were read, all of them text. */
async function createWorkbookWriter({
  columns,
  fields,
  worksheet,
  countsFrom1904,
}: SheetForm): Promise<RowWriter<Promise<Buffer>>> {
  const { createXlsxWriter } = await import('./xlsx-writer.ts');
  const headings = columns ?? [];
  const keys = fields ?? headings;
  const writer = createXlsxWriter(
    worksheet?.name ?? 'rows',
    headings.map((heading) => ({ heading, format: 'text' })),
    countsFrom1904,
  );
  return {
    begin: async () => Buffer.alloc(0),
    rows: async (rows) =>
      Buffer.from(await writer.rows(rows.map((row) => keys.map((key) => toCellText(row[key]))))),
    end: async () => Buffer.from(await writer.end()),
  };
}

/** A part of a file. */
export type Chunk = string | Uint8Array;

/** Turns rows into a file: `begin()`, any number of `rows()`, then `end()`. Most formats are text at once. */
export interface RowWriter<Output extends Chunk | Promise<Chunk> = string> {
  begin(): Output;
  rows(rows: readonly Fields[]): Output;
  end(): Output;
}

/** A writer of any format. */
export type AnyRowWriter = RowWriter<Chunk | Promise<Chunk>>;

export function joinChunks(...given: readonly Chunk[]): Chunk {
  const chunks = given.filter((chunk) => chunk.length > 0);
  if (chunks.length === 1) return chunks[0] ?? '';
  if (chunks.every((chunk) => typeof chunk === 'string')) return chunks.join('');
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
}

export interface CsvOptions {
  /** The heading. */
  readonly columns: readonly string[];
  /** The member of a row in each column; the headings if left out. */
  readonly keys?: readonly string[] | undefined;
  readonly delimiter?: Delimiter;
  readonly lineEnd?: string;
  /** Whether formulas get a `'` in front, so that Excel shows them as text. */
  readonly isGuarded?: boolean;
  readonly hasByteOrderMark?: boolean;
  /** Applied to the text of every cell. */
  readonly clean?: ((text: string) => string) | undefined;
  /** Whether a first line `sep=;` tells Excel the delimiter. */
  readonly hasSeparatorLine?: boolean;
}

/** CSV as in RFC 4180, with a heading. Cells are those of `toCellText`. */
export function createCsvWriter(options: CsvOptions): RowWriter {
  const { columns, keys = columns, delimiter = ',', lineEnd = '\n', isGuarded = false } = options;
  const { clean = (text: string) => text } = options;
  const special = new RegExp(`["\r\n${delimiter}]`);
  // Most readers skip an empty line, so a single empty cell is written in quotes.
  const blank = columns.length === 1 ? '""' : '';

  function toCell(value: unknown): string {
    const text = clean(toCellText(value));
    const cell = isGuarded ? addExcelGuard(text) : text;
    return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell || blank;
  }

  return {
    begin() {
      const mark = options.hasByteOrderMark ? '\uFEFF' : '';
      const separatorLine = options.hasSeparatorLine ? `sep=${delimiter}${lineEnd}` : '';
      return mark + separatorLine + columns.map(toCell).join(delimiter) + lineEnd;
    },
    // Exports write millions of rows: appending to one string takes half the time of map and join.
    rows(rows) {
      let text = '';
      for (const row of rows) {
        let separator = '';
        for (const key of keys) {
          const value = row[key];
          text += separator;
          text += value === null || value === undefined ? blank : toCell(value);
          separator = delimiter;
        }
        text += lineEnd;
      }
      return text;
    },
    end: () => '',
  };
}

export interface JsonOptions {
  /** Members to write, in this order; all of them if left out. */
  readonly columns?: readonly string[] | undefined;
  readonly lineEnd?: string;
  /** The member of an outer object that holds the list; null for a plain list. */
  readonly member?: string | null;
}

/** One JSON document: a list with a row on each line. */
export function createJsonWriter({ columns, lineEnd = '\n', member = null }: JsonOptions = {}): RowWriter {
  const render = createRenderer(columns);
  const [open, close] = member === null ? ['[', ']'] : [`{${renderJson(member)}:[`, ']}'];
  let isEmpty = true;
  return {
    begin: () => open,
    rows(rows) {
      if (rows.length === 0) return '';
      const start = isEmpty ? lineEnd : `,${lineEnd}`;
      isEmpty = false;
      return start + rows.map(render).join(`,${lineEnd}`);
    },
    end: () => `${isEmpty ? '' : lineEnd}${close}${lineEnd}`,
  };
}

/** A JSON object on each line. */
export function createNdjsonWriter({ columns, lineEnd = '\n' }: JsonOptions = {}): RowWriter {
  const render = createRenderer(columns);
  return {
    begin: () => '',
    rows: (rows) => rows.map((row) => render(row) + lineEnd).join(''),
    end: () => '',
  };
}

function createRenderer(columns: readonly string[] | undefined): (row: Fields) => string {
  if (columns === undefined) return (row) => renderJson(row);
  return (row) => renderJson(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])));
}
