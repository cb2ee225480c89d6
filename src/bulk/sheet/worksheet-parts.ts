import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { SalonError } from '../../contract/errors.ts';
import { parseNumberFormat, type ShowNumber } from './number-formats.ts';
import { headRows } from './sheet-form.ts';

export interface WorksheetReading {
  readonly worksheet: string;
  /** The file's name in messages. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
}

/** hucre parses on while its rows wait, and takes them from an array that is slow beyond some 16,000. */
const batchLimits = { rows: 10_000, characters: 16_777_216 };
const maxRowXmlLength = 67_108_864;

const opening = /<((?:\w+:)?)sheetData\s*>/;
const rowPattern = /<((?:\w+:)?row)(?=[\s/>])([^>]*?)(?:\/>|>[\s\S]*?<\/\1>)/g;
const blankCell = /<(?:\w+:)?c\s[^>]*?(?:\/>|><\/(?:\w+:)?c>)/g;
const unplacedCell = /<(?:\w+:)?c(?:>|\s(?![^>]*\br=)[^>]*>)/;
/** A cell with a number: what precedes it in its tag, the style, what follows, a formula, and the value. */
const styledNumber =
  /(<((?:\w+:)?)c\b(?![^>]*\st=["'](?!n["']))[^>]*?)\ss=["'](\d+)["']([^>]*>)(\s*(?:<\2f\b(?:[^>]*\/>|[^<]*<\/\2f>)\s*)?<\2v[^>]*>)([^<]*)(?=<)/g;
const phonetic = /<((?:\w+:)?rPh)\b[\s\S]*?<\/\1>/g;
const formula = /<c\s([^>]*)><f\b(?:[^>]*\/>|[^<]*<\/f>)(?:<v\s*\/>|<v><\/v>)?<\/c>/g;

/**
 * Workbooks that have a part of a worksheet each, without blank rows: programs save a million that are only formatted.
 * Numbers whose format shows more than their digits, as those of dates do, are texts there: hucre knows only dates, takes
 * money and durations for some, and reads the pronunciation of a name as a part of it.
 * Throws `usage` for a damaged worksheet, and for a formula without a saved result, which would read as blank.
 */
export async function* splitWorksheet(file: Buffer, reading: WorksheetReading): AsyncGenerator<Buffer, void> {
  const { worksheet, name, signal } = reading;
  const entries = [...readZipEntries(file, name)];
  const workbook = findLinked(file, entries, '', (tag) => isOfType(tag, 'officeDocument'));
  const workbookXml = readPart(file, workbook);
  const sheet = tagsOf(workbookXml, 'sheet').find((tag) => attributeOf(tag, 'name') === worksheet) ?? '';
  const link = (isWanted: (tag: string) => boolean) => findLinked(file, entries, workbook?.part, isWanted);
  const entry = link((tag) => attributeOf(tag, 'Id') === attributeOf(sheet, '\\w+:id'));
  if (entry === undefined) throw damaged(name, 'the worksheet is missing in the file');
  const styles = link((tag) => isOfType(tag, 'styles'));
  const stylesXml = styles === undefined ? Buffer.alloc(0) : unpack(file, styles);
  if (crc32(stylesXml) !== (styles?.crc ?? 0)) throw damaged(name, 'its styles are incomplete');
  const formats = readNumberFormats(stylesXml.toString('utf8'), workbookXml);
  const others = entries.filter((one) => !isWorksheet(one.part) && one !== entry && one !== styles);
  const toWorkbook = (text: string) =>
    zip(file, others, { part: entry.part, data: Buffer.from(text, 'latin1') });
  let [start, end, rows, text, line, crc] = ['', '', '', '', 0, 0];
  // Enough to find a heading.
  let [count, wanted] = [0, headRows + 1];
  for await (const chunk of streamEntry(file, entry)) {
    if (signal?.aborted) throw new SalonError('interrupted', 'Interrupted.');
    crc = crc32(chunk, crc);
    if (text === end && end !== '') continue;
    text += chunk.toString('latin1');
    if (start === '') {
      const [tag, prefix = ''] = opening.exec(text) ?? [];
      if (tag === undefined) continue;
      start = text.slice(0, text.indexOf(tag) + tag.length);
      end = `</${prefix}sheetData>`;
      text = text.slice(start.length);
    }
    let done = 0;
    for (const { 0: row, 1: tag = '', 2: attributes = '', index } of text.matchAll(rowPattern)) {
      done = index + row.length;
      const [, number] = /\sr=["'](\d+)/.exec(attributes) ?? [];
      line = number === undefined ? line + 1 : Number(number);
      const values = withoutBlanks(row, name);
      if (values === '') continue;
      const shown = showNumbers(values, formats);
      rows += number === undefined ? shown.replace(tag, `${tag} r="${line}"`) : shown;
      count += 1;
    }
    text = text.slice(done);
    if (text.includes(end)) {
      if (/<(?!!)/.test(text.slice(0, text.indexOf(end))))
        throw damaged(name, `row ${line + 1} is incomplete`);
      text = end;
    }
    if (text.length > maxRowXmlLength) throw damaged(name, `row ${line + 1} is longer than 64 MB`);
    if (count < wanted && rows.length < batchLimits.characters) continue;
    wanted = batchLimits.rows;
    yield toWorkbook(start + rows + closing(end));
    [rows, count] = ['', 0];
  }
  if (crc !== entry.crc || (start !== '' && text !== end)) throw damaged(name, 'its worksheet is incomplete');
  yield toWorkbook(start === '' ? text : start + rows + closing(end));
}

function closing(end: string): string {
  return `${end}${end.replace('sheetData', 'worksheet')}`;
}

/** A row without its blank cells; empty for a blank row. */
function withoutBlanks(row: string, name: string): string {
  if (!/<(?:\w+:)?(?:v|is|f)[\s/>]/.test(row)) return '';
  for (const [, attributes = ''] of row.matchAll(formula)) {
    // A saved result may be an empty text.
    if (/\bt="str"/.test(attributes)) continue;
    const cell = /\br="([A-Z]+\d+)"/.exec(attributes)?.[1] ?? 'unknown';
    throw new SalonError('usage', `Cell ${cell} of ${name} has a formula without a saved result.`, {
      hint: 'Open the file in a spreadsheet program and save it again, or save the values instead of formulas.',
    });
  }
  return unplacedCell.test(row) ? row : row.replace(blankCell, '');
}

/** A row with the texts that its numbers show. */
function showNumbers(row: string, formats: readonly (ShowNumber | undefined)[]): string {
  const spoken = row.includes('rPh') ? row.replace(phonetic, '') : row;
  // A cell without a style has the first one.
  const styled =
    formats[0] === undefined ? spoken : spoken.replace(/<(?:\w+:)?c(?=[\s>])(?![^>]*\ss=)/g, '$& s="0"');
  return styled.replace(styledNumber, (whole, start, _prefix, style, end, opening, value) => {
    const text = value === '' ? undefined : formats[Number(style)]?.(Number(value));
    if (text === undefined) return whole;
    const bytes = text.replace(/[^\w :.+-]/gu, (character: string) => `&#${character.codePointAt(0)};`);
    return `${(start + end).replace(/\st=["']n["']/, '').replace(/>$/, ' t="str">')}${opening}${bytes}`;
  });
}

/** What the cells of each style show. */
function readNumberFormats(styles: string, workbook: string): readonly (ShowNumber | undefined)[] {
  const listOf = (list: string, item: string) =>
    tagsOf(new RegExp(`<(?:\\w+:)?${list}[\\s>][^]*?</(?:\\w+:)?${list}>`).exec(styles)?.[0] ?? '', item);
  const codes = new Map(
    listOf('numFmts', 'numFmt').map((tag) => [attributeOf(tag, 'numFmtId'), attributeOf(tag, 'formatCode')]),
  );
  const counting = tagsOf(workbook, 'workbookPr')[0] ?? '';
  const countsFrom1904 = /^(?:1|true)$/.test(attributeOf(counting, 'date1904'));
  const ids = listOf('cellXfs', 'xf').map((tag) => attributeOf(tag, 'numFmtId'));
  return ids.map((id) => parseNumberFormat(id, codes.get(id), countsFrom1904));
}

function readPart(file: Buffer, entry: ZipEntry | undefined): string {
  return entry === undefined ? '' : unpack(file, entry).toString('utf8');
}

function tagsOf(text: string, tag: string): readonly string[] {
  const pattern = new RegExp(`<(?:\\w+:)?${tag}(?=[\\s/>])(?:"[^"]*"|'[^']*'|[^>"'])*>`, 'g');
  return Array.from(text.matchAll(pattern), ([found]) => found);
}

/** The part that another one links to, or that the archive does where that is `''`. */
function findLinked(
  file: Buffer,
  entries: readonly ZipEntry[],
  from: string | undefined,
  isWanted: (link: string) => boolean,
): ZipEntry | undefined {
  if (from === undefined) return undefined;
  const { dir, base } = posix.parse(from);
  const links = entries.find(({ part }) => part === posix.join(dir, '_rels', `${base}.rels`));
  const link = tagsOf(readPart(file, links), 'Relationship').find(isWanted);
  const path = link && posix.resolve('/', dir, attributeOf(link, 'Target'));
  return entries.find(({ part }) => `/${part}` === path);
}

function isOfType(link: string, type: string): boolean {
  return attributeOf(link, 'Type').endsWith(`/${type}`);
}

const marks: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function attributeOf(tag: string, name: string): string {
  const text = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).join('') ?? '';
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, mark) =>
    mark ? (marks[mark] ?? whole) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  );
}

function damaged(name: string, reason: string): SalonError {
  return new SalonError('usage', `Cannot read ${name}: ${reason}.`, {
    hint: 'Open it in a spreadsheet program and save it again as .xlsx, or as CSV.',
  });
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
/** The end record without its comment, which has at most 65,535 bytes. */
const endLength = 22;
const entryLength = 46;
const localLength = 30;
const deflated = 8;

/** A file in an archive. */
export interface ZipEntry {
  readonly part: string;
  readonly packed: number;
  readonly unpacked: number;
  readonly method: number;
  readonly crc: number;
  /** Where its local header begins. */
  readonly offset: number;
}

export function isWorksheet(part: string): boolean {
  return /(?:^|\/)worksheets\//.test(part);
}

/** Empty for a damaged part. */
export function unpack(file: Buffer, entry: ZipEntry): Buffer {
  const data = packedData(file, entry);
  const { method, unpacked } = entry;
  try {
    return method === deflated ? inflateRawSync(data, { maxOutputLength: unpacked }) : data;
  } catch {
    return Buffer.alloc(0);
  }
}

/** The unpacked bytes of a file in an archive. */
export function streamEntry(file: Buffer, entry: ZipEntry): AsyncIterable<Buffer> {
  const packed = Readable.from([packedData(file, entry)]);
  return entry.method === deflated ? packed.pipe(createInflateRaw({ chunkSize: 1_048_576 })) : packed;
}

/** Empty where the local header is missing. */
function packedData(file: Buffer, { packed, offset }: ZipEntry): Buffer {
  if (offset + localLength > file.length) return Buffer.alloc(0);
  const start = offset + localLength + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  return file.subarray(start, start + packed);
}

/** An archive of some files of another one, and a new file, which is not packed. */
function zip(
  file: Buffer,
  entries: readonly ZipEntry[],
  { part, data }: { readonly part: string; readonly data: Buffer },
): Buffer {
  const added = { part, packed: data.length, unpacked: data.length, method: 0, crc: crc32(data), data };
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const one of [...entries.map((entry) => ({ ...entry, data: packedData(file, entry) })), added]) {
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(one.method, 4);
    for (const [index, value] of [one.crc, one.packed, one.unpacked].entries())
      facts.writeUInt32LE(value, 10 + 4 * index);
    facts.writeUInt16LE(Buffer.byteLength(one.part), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const name = Buffer.from(one.part);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, name);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), facts, name, one.data];
    locals.push(...local);
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const tables = Buffer.concat(directory);
  const end = Buffer.alloc(endLength);
  end.writeUInt32LE(endOfDirectory, 0);
  for (const at of [8, 10]) end.writeUInt16LE(entries.length + 1, at);
  end.writeUInt32LE(tables.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, tables, end]);
}

/** The directory of an archive, up to an entry that is damaged. Throws `usage` if there is none. */
export function* readZipEntries(file: Buffer, name: string): Generator<ZipEntry, void> {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1 || end + endLength > file.length || file.readUInt32LE(end) !== endOfDirectory) {
    throw new SalonError('usage', `${name} is damaged: its end is missing.`, {
      hint: 'Save it again, or copy it again.',
    });
  }
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + entryLength > file.length || file.readUInt32LE(at) !== directoryEntry) return;
    const [nameLength = 0, extraLength = 0, commentLength = 0] = [28, 30, 32].map((offset) =>
      file.readUInt16LE(at + offset),
    );
    yield {
      part: file.toString('utf8', at + entryLength, at + entryLength + nameLength),
      packed: file.readUInt32LE(at + 20),
      unpacked: file.readUInt32LE(at + 24),
      method: file.readUInt16LE(at + 10),
      crc: file.readUInt32LE(at + 16),
      offset: file.readUInt32LE(at + 42),
    };
    at += entryLength + nameLength + extraLength + commentLength;
  }
}
