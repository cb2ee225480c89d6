import { createReadStream } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';
import { isOpenFormula, removeExcelGuard } from '../sheet/cell-text.ts';
import { type CsvRow, createCsvParser, isBlank, isBlankRow } from '../sheet/csv-parser.ts';
import { type Delimiter, delimiters, type Encoding, headRows, type SheetForm } from '../sheet/sheet-form.ts';
import { encodeText, readText } from '../sheet/sheet-text.ts';
import { type CountHeadings, findHeadings } from './find-headings.ts';

export type TextEncoding = Pick<SheetForm, 'encoding' | 'hasByteOrderMark' | 'doubt'>;

const byteOrderMarks = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const;

/**
 * Detects the encoding of a text file unless it is given: by its byte order mark, then as UTF-16 if every other byte of
 * its beginning is zero, then as UTF-8 if the whole file is valid UTF-8, else as Windows-1252, Windows-1250 or Mac Roman, with a
 * `doubt` if a word reads differently in another encoding. Throws `usage` for files that are
 * not text, and for damaged UTF-8. `start` has the first bytes.
 */
export async function detectEncoding(
  path: string,
  name: string,
  { start, given }: { readonly start: Buffer; readonly given: Encoding | undefined },
): Promise<TextEncoding> {
  const marked = byteOrderMarks.find(({ mark }) => startsWith(start, mark));
  if (marked !== undefined && given !== undefined && given !== marked.encoding) {
    const message = `${name} begins with the byte order mark of ${marked.encoding}, not of ${given}.`;
    throw new SalonError('usage', message, { hint: 'Omit --encoding.' });
  }
  const encoding = given ?? marked?.encoding ?? detectUtf16(start) ?? 'utf-8';
  const hasByteOrderMark = marked !== undefined;
  if (await isValid(path, encoding)) return { encoding, hasByteOrderMark };
  const damage = await findDamage(path, encoding);
  if (given === undefined && encoding === 'utf-8' && !hasByteOrderMark && damage.isOtherEncoding) {
    return { hasByteOrderMark, ...(await guessEncoding(path)) };
  }
  const encodingName = encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
  throw new SalonError('usage', `${name} is damaged: line ${damage.line} is not valid ${encodingName}.`, {
    hint: 'Fix that line, or save the file again as UTF-8.',
  });
}

/**
 * Bytes that Windows-1252 leaves undefined, and signs within its words where Windows-1250 has letters: `Pawe³`,
 * `Gra¿yna`.
 */
const centralEuropean = /[\x81\x8d\x8f\x90\x9d]|\p{L}[¹³¿£¯¥¼¾]\p{L}|\p{L}{3}[¹³]$/u;

/** Letters of Mac Roman that Windows-1252 and 1250 take for capitals and signs inside of words: `MŸller`, `Fran\u008dois`. */
const macRoman = /\p{Ll}(?:[ŠŽŸ\x8d\x8f]|[\x90†‡ˆ‰‹›€]\p{Ll})|\p{Lu}[Ÿ\x8d\x8f]\p{Ll}/u;

/**
 * Mac Roman, or Windows-1250 (Central Europe) if a word makes no sense in Windows-1252, else Windows-1252. The `doubt` is a word that
 * reads differently in the most likely other encoding.
 */
async function guessEncoding(path: string): Promise<Pick<TextEncoding, 'encoding' | 'doubt'>> {
  const toDoubt = (bytes: Uint8Array, own: Encoding, encoding: Encoding): Pick<TextEncoding, 'doubt'> => {
    const word = new TextDecoder(own).decode(bytes);
    const otherWord = new TextDecoder(encoding).decode(bytes);
    return word === otherWord ? {} : { doubt: { word, encoding, otherWord } };
  };
  let found: Pick<TextEncoding, 'doubt'> = {};
  for await (const text of readText(path, 'windows-1252')) {
    for (const [word] of text.matchAll(/[^\s,;|"']*[^\0-\x7f\s][^\s,;|"']*/g)) {
      const bytes = encodeText(word, 'windows-1252');
      if (macRoman.test(word) && /^[\p{L}'-]+$/u.test(new TextDecoder('macintosh').decode(bytes)))
        return { encoding: 'macintosh', ...toDoubt(bytes, 'macintosh', 'windows-1252') };
      if (centralEuropean.test(word))
        return { encoding: 'windows-1250', ...toDoubt(bytes, 'windows-1250', 'windows-1251') };
      if (found.doubt === undefined) found = toDoubt(bytes, 'windows-1252', 'windows-1250');
    }
  }
  return { encoding: 'windows-1252', ...found };
}

function startsWith(bytes: Buffer, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Detects UTF-16 by the zero bytes of its first two characters, which are ASCII: a file begins with a heading. */
function detectUtf16(start: Buffer): Encoding | undefined {
  const zeros = Array.from(start.subarray(0, 4), (byte) => (byte === 0 ? '0' : 'x')).join('');
  if (zeros === 'x0x0') return 'utf-16le';
  return zeros === '0x0x' ? 'utf-16be' : undefined;
}

async function isValid(path: string, encoding: Encoding): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 131_072 });
  try {
    for await (const chunk of chunks) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/**
 * Windows-1252 text rarely contains valid UTF-8 sequences. A file with more valid than invalid ones is damaged UTF-8:
 * read in another encoding, every name with an accent would be wrong. `line` is that of the first invalid one.
 */
async function findDamage(path: string, encoding: Encoding) {
  let [valid, invalid, line, damagedLine] = [0, 0, 1, 1];
  for await (const text of readText(path, encoding)) {
    for (const character of text) {
      if (character === '\n') line += 1;
      else if (character === '\uFFFD') {
        if (invalid === 0) damagedLine = line;
        invalid += 1;
      } else if (character > '\x7f') valid += 1;
    }
  }
  return { line: damagedLine, isOtherEncoding: invalid > valid };
}

/**
 * Detects delimiter and columns from the beginning of a CSV. The delimiter is that of Excel's `sep=` line, else the
 * one that splits the header into several columns and the following rows into as many cells. Throws `usage` for
 * empty or repeated column names.
 */
export function detectCsv(
  sample: string,
  name: string,
  countKnown: CountHeadings,
): Pick<SheetForm, 'delimiter' | 'columns' | 'hasSeparatorLine' | 'headingLine' | 'title'> {
  const declared = /^"?sep=([,;\t|])"?[\r\n]/i.exec(sample)?.[1] as Delimiter | undefined;
  const candidates = delimiters.map((delimiter) => {
    const rows = parseSample(sample, delimiter).slice(declared === undefined ? 0 : 1);
    const heading = findHeadings(rows, countKnown);
    const width = heading === undefined ? 0 : withoutBlankTail(heading.row.cells).length;
    const below = rows.slice((heading?.index ?? 0) + 1);
    const fitting = below.filter(({ cells }) => cells.length >= width && cells.slice(width).every(isBlank));
    return { delimiter, heading, width, misfits: below.length - fitting.length };
  });
  const [best] = candidates
    .filter(({ width }) => width > 1)
    .sort((one, other) => one.misfits - other.misfits || other.width - one.width);
  const delimiter = declared ?? best?.delimiter ?? ',';
  const heading = candidates.find((one) => one.delimiter === delimiter)?.heading;
  if (heading === undefined)
    throw new SalonError('usage', `${name} has no header row.`, { hint: headingHint });
  const columns = readColumns(heading.row, name);
  return { delimiter, columns, hasSeparatorLine: declared !== undefined, ...heading.place };
}

export const headingHint = 'The first line must contain the column names, such as id, email, phone.';

function parseSample(sample: string, delimiter: Delimiter): CsvRow[] {
  const parser = createCsvParser(delimiter);
  const rows = parser.write(sample);
  // The last row of a sample may be cut off; it counts only if there is no other.
  const all = rows.length > 0 ? rows : parser.end();
  return all.filter((row) => !isBlankRow(row)).slice(0, headRows + 1);
}

/** The column names of a heading. Throws `usage` for empty and repeated ones. */
export function readColumns({ line, cells, problem }: CsvRow, name: string): string[] {
  const invalid = (reason: string) =>
    new SalonError('usage', `${name}, line ${line}: ${reason}`, { hint: headingHint });
  if (problem !== undefined) throw invalid(problem);
  const columns = withoutBlankTail(cells).map((cell) => cell.trim());
  for (const [index, column] of columns.entries()) {
    if (column === '') throw invalid(`Column ${index + 1} has no name.`);
    if (column === '__proto__') throw invalid(`Column ${index + 1} cannot be named ${column}.`);
    if (columns.indexOf(column) < index) throw invalid(`Two columns are named ${column}.`);
  }
  return columns;
}

/** Spreadsheet programs leave empty columns at the end. */
function withoutBlankTail(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => !isBlank(cell)) + 1);
}

/**
 * Detects whether an export for Excel put `'` before formulas and numbers of a CSV: some cells have it, no formula is
 * without it, and the file has another trait of such exports or of spreadsheet programs: CRLF, a byte order mark,
 * another encoding or delimiter. In any other CSV, `'=x` is text.
 */
export async function detectGuard(path: string, form: SheetForm): Promise<boolean> {
  const { lineEnd, hasByteOrderMark, encoding, delimiter } = form;
  const isFromSpreadsheet =
    lineEnd === '\r\n' || hasByteOrderMark || encoding !== 'utf-8' || delimiter !== ',';
  if (form.format !== 'csv' || !isFromSpreadsheet) return false;
  const parser = createCsvParser(delimiter ?? ',');
  let hasGuarded = false;
  for await (const chunk of readText(path, encoding)) {
    for (const { cells } of parser.write(chunk)) {
      if (cells.some(isOpenFormula)) return false;
      hasGuarded ||= cells.some(isGuarded);
    }
  }
  const rest = parser.end().flatMap(({ cells }) => cells);
  return !rest.some(isOpenFormula) && (hasGuarded || rest.some(isGuarded));
}

function isGuarded(cell: string): boolean {
  return removeExcelGuard(cell) !== cell;
}
