import { createReadStream } from 'node:fs';
import { toCellText } from './cell-text.ts';
import { createCsvWriter, createJsonWriter, createNdjsonWriter, type RowWriter } from './row-writer.ts';
import type { Encoding, SheetForm } from './sheet-form.ts';

/** Reads a file's text in chunks, without its byte order mark. */
export async function* readText(path: string, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding);
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 131_072 });
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
  if (form.format === 'xlsx') return createWorkbookWriter(form);
  const writer = createFormatWriter(form);
  const encode = async (text: string) => encodeText(text, form.encoding);
  return {
    begin: () => encode(writer.begin()),
    rows: (rows) => encode(writer.rows(rows)),
    end: () => encode(writer.end()),
  };
}

function createFormatWriter(form: SheetForm): RowWriter {
  const { format, delimiter, columns, fields, lineEnd, member } = form;
  if (format === 'ndjson') return createNdjsonWriter({ lineEnd });
  if (format === 'json') return createJsonWriter({ lineEnd, member });
  return createCsvWriter({ ...form, delimiter: delimiter ?? ',', columns: columns ?? [], keys: fields });
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
