import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { SalonError } from '../../contract/errors.ts';
import type { Encoding } from '../sheet/sheet-form.ts';
import { byteOrderMarks, type TextForm } from '../sheet/text-encoding.ts';
import { noRows } from './no-rows.ts';

/** How other files begin that are given for sheets by mistake. */
const foreignFiles = [
  { begin: [0x50, 0x4b, 0x03, 0x04], what: 'a spreadsheet file (such as .xlsx or .ods)', next: saveAsCsv() },
  { begin: [0xd0, 0xcf, 0x11, 0xe0], what: 'a spreadsheet file (an old .xls)', next: saveAsCsv() },
  { begin: [0x1f, 0x8b], what: 'a compressed file', next: 'Unpack it first.' },
  { begin: [0x25, 0x50, 0x44, 0x46], what: 'a PDF', next: 'Give the sheet it was made from, as CSV.' },
] as const;

/**
 * The encoding of a text file: what its byte order mark says, else UTF-16 where every other byte of its beginning
 * is zero, else UTF-8, and Windows-1252 where the whole file is not UTF-8. Throws `usage` for what is no text, and
 * for UTF-8 that is damaged.
 */
export async function detectEncoding(path: string, name: string): Promise<TextForm> {
  const begin = await readBegin(path);
  if (begin.length === 0) throw noRows(`${name} is empty.`);
  const foreign = foreignFiles.find(({ begin: mark }) => startsWith(begin, mark));
  if (foreign !== undefined) {
    throw new SalonError('usage', `${name} is ${foreign.what}, not a text.`, { hint: foreign.next });
  }
  const marked = (['utf-8', 'utf-16le', 'utf-16be'] as const).find((encoding) =>
    startsWith(begin, byteOrderMarks[encoding]),
  );
  const encoding = marked ?? toWideEncoding(begin) ?? 'utf-8';
  const hasByteOrderMark = marked !== undefined;
  if (encoding !== 'utf-8') return { encoding, hasByteOrderMark };
  if (await isUtf8(path, name)) return { encoding, hasByteOrderMark };
  await assertUndamaged(path, { name, hasByteOrderMark });
  return { encoding: 'windows-1252', hasByteOrderMark };
}

async function readBegin(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function startsWith(bytes: Buffer, begin: readonly number[]): boolean {
  return begin.every((byte, index) => bytes[index] === byte);
}

/** A heading begins with plain letters, whatever language the rows are in. */
function toWideEncoding(begin: Buffer): Encoding | undefined {
  const zeros = Array.from(begin, (byte) => (byte === 0 ? '0' : 'x')).join('');
  if (zeros === 'x0x0') return 'utf-16le';
  return zeros === '0x0x' ? 'utf-16be' : undefined;
}

async function isUtf8(path: string, name: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [isValid, offset] = [true, 0];
  for await (const piece of readPieces(path)) {
    const zero = piece.indexOf(0);
    if (zero !== -1) throw await notText(path, { name, offset: offset + zero });
    offset += piece.length;
    isValid &&= decodes(() => decoder.decode(piece, { stream: true }));
  }
  return isValid && decodes(() => decoder.decode());
}

function decodes(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

async function notText(
  path: string,
  { name, offset }: { name: string; offset: number },
): Promise<SalonError> {
  const line = await readLineNumber(path, offset);
  return new SalonError('usage', `${name} is not a text: line ${line} has a zero byte in it.`, {
    hint: saveAsCsv(),
  });
}

/**
 * A text in Windows-1252 hardly ever looks like UTF-8 by chance. Where more characters are sound UTF-8 than not, it
 * is UTF-8 with a damaged place, and reading it as something else would spoil every name with an accent in it.
 */
async function assertUndamaged(
  path: string,
  { name, hasByteOrderMark }: { readonly name: string; readonly hasByteOrderMark: boolean },
): Promise<void> {
  const { sound, broken, firstBroken } = await countCharacters(path);
  if (broken > sound && !hasByteOrderMark) return;
  const line = await readLineNumber(path, firstBroken);
  throw new SalonError('usage', `${name} is damaged: line ${line} is not UTF-8, as the rest of it is.`, {
    hint: 'Correct that line, or save the file again as UTF-8.',
  });
}

/** Characters beyond ASCII that are written as UTF-8 has them, and bytes that are not. */
async function countCharacters(path: string) {
  let [sound, broken, firstBroken, offset, open] = [0, 0, 0, 0, 0];
  const breakAt = (place: number) => {
    if (broken === 0) firstBroken = place;
    broken += 1;
    open = 0;
  };
  for await (const piece of readPieces(path)) {
    for (const byte of piece) {
      const isContinuation = byte >= 0x80 && byte < 0xc0;
      if (open > 0 && !isContinuation) breakAt(offset);
      if (isContinuation && open === 0) breakAt(offset);
      else if (isContinuation) {
        open -= 1;
        if (open === 0) sound += 1;
      } else if (byte >= 0xf8) breakAt(offset);
      else if (byte >= 0xc0) open = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      offset += 1;
    }
  }
  if (open > 0) breakAt(offset);
  return { sound, broken, firstBroken };
}

async function readLineNumber(path: string, offset: number): Promise<number> {
  let [line, place] = [1, 0];
  for await (const piece of readPieces(path)) {
    for (const byte of piece) {
      if (place === offset) return line;
      if (byte === 0x0a) line += 1;
      place += 1;
    }
  }
  return line;
}

function readPieces(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: 131_072 });
}

function saveAsCsv(): string {
  return 'Open it in the spreadsheet program and save it as CSV.';
}
