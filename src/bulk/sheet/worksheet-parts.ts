import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { SalonError } from '../../contract/errors.ts';
import {
  deflated,
  isWorksheet,
  packedData,
  readZipEntries,
  unpack,
  type ZipEntry,
  zip,
} from './zip-entries.ts';

export interface WorksheetReading {
  readonly worksheet: string;
  /** The file's name in messages. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
}

/** hucre parses on while its rows wait, and takes them from an array that is slow beyond some 16,000. */
const most = { rows: 10_000, characters: 16_777_216 };
const longestRow = 67_108_864;

const opening = /<((?:\w+:)?)sheetData\s*>/;
const rowPattern = /<((?:\w+:)?row)(?=[\s/>])([^>]*?)(?:\/>|>[\s\S]*?<\/\1>)/g;
const blankCell = /<(?:\w+:)?c\s[^>]*?(?:\/>|><\/(?:\w+:)?c>)/g;
const unplacedCell = /<(?:\w+:)?c(?:>|\s(?![^>]*\br=)[^>]*>)/;
const formula = /<c\s([^>]*)><f\b(?:[^>]*\/>|[^<]*<\/f>)(?:<v\s*\/>|<v><\/v>)?<\/c>/g;

/**
 * Workbooks that have a part of a worksheet each, without blank rows: programs save a million that are only formatted.
 * Throws `usage` for a damaged worksheet, and for a formula without a saved result, which would read as blank.
 */
export async function* splitWorksheet(file: Buffer, reading: WorksheetReading): AsyncGenerator<Buffer, void> {
  const { worksheet, name, signal } = reading;
  const entries = [...readZipEntries(file, name)];
  const entry = findWorksheet(file, entries, worksheet);
  if (entry === undefined) return yield file;
  const others = entries.filter(({ part }) => !isWorksheet(part));
  const toWorkbook = (text: string) =>
    zip(file, others, { part: entry.part, data: Buffer.from(text, 'latin1') });
  const packed = Readable.from([packedData(file, entry)]);
  const chunks: AsyncIterable<Buffer> =
    entry.method === deflated ? packed.pipe(createInflateRaw({ chunkSize: 1_048_576 })) : packed;
  let [start, end, rows, text, line, crc] = ['', '', '', '', 0, 0];
  // Enough to find a heading and a row below it.
  let [count, wanted] = [0, 2];
  for await (const chunk of chunks) {
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
      rows += number === undefined ? values.replace(tag, `${tag} r="${line}"`) : values;
      count += 1;
    }
    text = text.slice(done);
    if (text.includes(end)) {
      if (/<(?!!)/.test(text.slice(0, text.indexOf(end))))
        throw damaged(name, `row ${line + 1} is incomplete`);
      text = end;
    }
    if (text.length > longestRow) throw damaged(name, `row ${line + 1} is longer than 64 MB`);
    if (count < wanted && rows.length < most.characters) continue;
    wanted = most.rows;
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

/** Undefined for a workbook of another structure, which hucre reads as a whole. */
function findWorksheet(file: Buffer, entries: readonly ZipEntry[], worksheet: string): ZipEntry | undefined {
  const read = (wanted: string) => {
    const entry = entries.find(({ part }) => part === wanted);
    return entry === undefined ? '' : unpack(file, entry).toString('utf8');
  };
  const tagOf = (text: string, tag: string, isWanted: (tag: string) => boolean) =>
    [...text.matchAll(new RegExp(`<(?:\\w+:)?${tag}\\s[^>]*>`, 'g'))].map(([found]) => found).find(isWanted);
  const sheet = tagOf(read('xl/workbook.xml'), 'sheet', (tag) => attributeOf(tag, 'name') === worksheet);
  const id = sheet && attributeOf(sheet, '\\w+:id');
  const link = tagOf(
    read('xl/_rels/workbook.xml.rels'),
    'Relationship',
    (tag) => attributeOf(tag, 'Id') === id,
  );
  const target = link === undefined ? '' : attributeOf(link, 'Target');
  const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  return entries.find(({ part }) => part === path && isWorksheet(part));
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
