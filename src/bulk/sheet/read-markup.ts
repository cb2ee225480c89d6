import { readFile, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { SalonError } from '../../contract/errors.ts';
import { quote } from '../../text/quote.ts';
import { createHtmlReader } from './html-tables.ts';
import type { MarkupRow } from './markup-rows.ts';
import type { SheetForm } from './sheet-form.ts';
import { readText } from './sheet-text.ts';
import { readZipEntries, streamEntry, unpack } from './worksheet-parts.ts';
import { createOdsReader, createSpreadsheetMlReader } from './xml-tables.ts';

const readers = { html: createHtmlReader, xml: createSpreadsheetMlReader, ods: createOdsReader };

/** A parser of a file, and what is known of the file once all of it is parsed. */
interface MarkupReader {
  readonly parser: { write(chunk: string): void; end(): void };
  readonly page: { isCut(): boolean; readonly hasPassword?: boolean; readonly title?: string };
}

export interface MarkupReading {
  readonly form: Pick<SheetForm, 'encoding'> & { readonly format: keyof typeof readers };
  /** The file's name in messages. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with the name of each hidden table. */
  readonly onHidden?: (table: string) => void;
}

/** An .ods is held in memory, packed. */
const maxBytes = 64 * 1_048_576;
const maxUnpacked = 1_073_741_824;

/**
 * Reads the rows with a value of all tables of an HTML page, an XML Spreadsheet 2003 or an .ods. Throws `usage` for a file that
 * is cut off or damaged, and for a page where one signs in.
 */
export async function* readMarkup(
  path: string,
  { form, name, signal, onHidden = () => undefined }: MarkupReading,
): AsyncGenerator<MarkupRow, void> {
  let [found, hasRow]: [MarkupRow[], boolean] = [[], false];
  const emit = (row: MarkupRow) => {
    hasRow = true;
    found.push(row);
  };
  const { parser, page }: MarkupReader = readers[form.format](emit, onHidden);
  const refuse = createRefusal(name);
  for await (const chunk of form.format === 'ods' ? readContent(path, name) : readText(path, form.encoding)) {
    if (signal?.aborted) throw new SalonError('interrupted', 'Interrupted.');
    parser.write(chunk);
    yield* found;
    found = [];
  }
  const isCut = page.isCut();
  parser.end();
  if (page.hasPassword || (form.format === 'html' && !hasRow)) {
    const kind = page.hasPassword ? 'a page to sign in' : 'a web page without a table';
    const title = page.title ? `, "${quote(page.title, 60)}"` : '';
    throw refuse(`is ${kind}, not a list${title}.`, 'Sign in in a browser, and download the list again.');
  }
  if (isCut) throw refuse('is cut off or damaged: a table does not end.', 'Download or save it again.');
  yield* found;
}

function createRefusal(name: string) {
  return (problem: string, hint: string) => new SalonError('usage', `${name} ${problem}`, { hint });
}

/** The text of an .ods. Throws `usage` for one that is damaged, protected by a password, or too large. */
async function* readContent(path: string, name: string): AsyncGenerator<string, void> {
  const refuse = createRefusal(name);
  const saveAsCsv = 'Save it as CSV, which has no size limit.';
  if ((await stat(path)).size > maxBytes)
    throw refuse('is too large: the limit for .ods is 64 MB.', saveAsCsv);
  const file = await readFile(path);
  // A flat one is not packed.
  if (file[0] === 0x3c) return yield* readText(path, 'utf-8');
  const entries = [...readZipEntries(file, name)];
  const content = entries.find(({ part }) => part === 'content.xml');
  const manifest = entries.find(({ part }) => part === 'META-INF/manifest.xml');
  const isKnown = manifest !== undefined && manifest.unpacked <= maxBytes;
  if (isKnown && /encryption-data|encrypted-package/.test(unpack(file, manifest).toString('latin1')))
    throw refuse(
      'is protected by a password.',
      'In LibreOffice, open it, choose File > Save As, and clear "Save with password".',
    );
  if (content === undefined)
    throw refuse('is damaged: it has no content.xml.', 'Save it again, or copy it again.');
  if (content.unpacked > maxUnpacked) throw refuse('is too large: it unpacks to more than 1 GB.', saveAsCsv);
  const decoder = new TextDecoder();
  let [crc, length] = [0, 0];
  for await (const chunk of streamEntry(file, content)) {
    crc = crc32(chunk, crc);
    length += chunk.length;
    if (length > maxUnpacked) throw refuse('is too large: it unpacks to more than 1 GB.', saveAsCsv);
    yield decoder.decode(chunk, { stream: true });
  }
  if (crc !== content.crc)
    throw refuse('is damaged: its content is incomplete.', 'Save it again, or copy it again.');
}
