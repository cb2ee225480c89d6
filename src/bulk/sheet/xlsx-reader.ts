import { readFile, stat } from 'node:fs/promises';
import type { CellValue } from 'hucre';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { SalonError } from '../../contract/errors.ts';
import { renderCount } from '../../text/numbers.ts';
import { toAddress, xlsxLimits } from './cell-text.ts';
import { toAllDigits } from './number-formats.ts';
import {
  isWorksheet,
  readZipEntries,
  splitWorksheet,
  unpack,
  type WorksheetReading,
  type ZipEntry,
} from './worksheet-parts.ts';

export interface Worksheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly countsFrom1904: boolean;
}

export interface WorksheetRow {
  /** Its number in the worksheet, from 1. */
  readonly line: number;
  /** What a person would type: local days and times in ISO form, numbers with all digits; empty for a blank cell. */
  readonly cells: readonly string[];
}

/** A larger file is refused: it is held in memory, packed. */
const maxBytes = 64 * 1_048_576;

/** The worksheets in their order. Throws `usage` if the file is damaged, protected or too large. */
export async function readWorksheets(path: string, name: string): Promise<readonly Worksheet[]> {
  const worksheets: Omit<Worksheet, 'countsFrom1904'>[] = [];
  const file = await readWorkbook(path, name);
  // Parts that are held in memory. The archive said that they are not too large to be unpacked.
  for (const entry of readZipEntries(file, name)) {
    const { part, unpacked } = entry;
    if (isWorksheet(part) || unpacked <= smallPart || countTags(file, entry) <= maxTags) continue;
    throw tooLarge(name, `${part} has more than 6 million tags`);
  }
  const { dateSystem } = await readXlsx(file, {
    sheets(info) {
      worksheets.push({ name: info.name, isHidden: info.hidden === true || info.veryHidden === true });
      return false;
    },
  }).catch((cause: unknown) => {
    throw toReadError(name, cause);
  });
  return worksheets.map((one) => ({ ...one, countsFrom1904: dateSystem === '1904' }));
}

export interface WorksheetOptions extends Omit<WorksheetReading, 'name'> {
  /** Columns with a heading; a few more are read, to find values beside them. */
  readonly columns: number;
  /** The file's name in messages. */
  readonly name?: string;
}

/** A heading is looked for in the first rows only. */
const headingRows = 1_000;
const besideColumns = 8;

/** The first rows of a worksheet, as far as a heading may be below them. */
export async function* readFirstRows(
  path: string,
  reading: WorksheetReading,
): AsyncGenerator<WorksheetRow, void> {
  for await (const row of readRows(path, reading, {})) {
    if (row.line > headingRows) return;
    yield row;
  }
}

/** Reads a worksheet row by row. Of a formula it takes the result that was saved. Throws `usage`. */
export async function* readWorksheet(
  path: string,
  { columns, name = path, ...reading }: WorksheetOptions,
): AsyncGenerator<WorksheetRow, void> {
  const lastColumn = toAddress(columns + besideColumns, 1).slice(0, -1);
  for await (const row of readRows(path, { ...reading, name }, { range: `A1:${lastColumn}99999999` })) {
    if (row.line > xlsxLimits.rows) {
      const message = `${name} has row ${renderCount(row.line)}, but a worksheet has 1,048,576.`;
      throw new SalonError('usage', message, { hint: 'Save it again in a spreadsheet program.' });
    }
    yield row;
  }
}

async function* readRows(
  path: string,
  reading: WorksheetReading,
  options: { readonly range?: string },
): AsyncGenerator<WorksheetRow, void> {
  const { name, worksheet: sheet } = reading;
  const file = await readWorkbook(path, name);
  try {
    for await (const part of splitWorksheet(file, reading)) {
      for await (const { index: place, values } of streamXlsxRows(part, { sheet, ...options })) {
        const line = place + 1;
        const texts = values.map(toText);
        const cells = texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
        const long = cells.findIndex((cell) => cell.length > xlsxLimits.characters);
        if (long !== -1) {
          const message = `Cell ${toAddress(long, line)} of ${name} has more than 32,767 characters.`;
          throw new SalonError('usage', message, {
            hint: 'No cell holds more. Save the file again in a spreadsheet program.',
          });
        }
        yield { line, cells };
      }
    }
  } catch (cause) {
    throw toReadError(name, cause);
  }
}

async function readWorkbook(path: string, name: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > maxBytes)
    throw tooLarge(name, `${renderCount(Math.ceil(size / 1_048_576))} MB, the limit for .xlsx is 64 MB`);
  const file = await readFile(path);
  // hucre stops at the size that the archive says. Other damage is found when it is unpacked.
  for (const { part, packed, unpacked } of readZipEntries(file, name)) {
    const maxUnpacked = isWorksheet(part) ? limits.worksheet : limits.other;
    // Zero would mean that the archive does not say.
    if (unpacked > maxUnpacked || (unpacked === 0 && packed > 2))
      throw tooLarge(name, `${part} unpacks to more than ${maxUnpacked / 1_048_576} MB`);
  }
  return file;
}

/** What fails while a workbook is read as `usage`; a SalonError unchanged. */
function toReadError(name: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof SalonError) return cause;
  const hint = 'Open it in a spreadsheet program and save it again as .xlsx, without a password, or as CSV.';
  return new SalonError('usage', `Cannot read ${name}: ${cause.message}`, { hint, cause });
}

function toText(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'number' ? toAllDigits(value) : String(value);
}

/** A worksheet is read in parts, but the texts that cells share are held in memory. */
const limits = { worksheet: 1_073_741_824, other: 268_435_456 };
/** Tags of a part that is held in memory; a shared text has four. Each takes about 200 bytes there. */
const maxTags = 6_000_000;
const tagStart = 0x3c;
/** A tag has three characters or more: a smaller part cannot have too many. */
const smallPart = maxTags * 3;

function tooLarge(name: string, reason: string): SalonError {
  return new SalonError('usage', `${name} is too large: ${reason}.`, {
    hint: 'Save it as CSV, which has no size limit.',
  });
}

function countTags(file: Buffer, entry: ZipEntry): number {
  const bytes = unpack(file, entry);
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === tagStart) count += 1;
  return count;
}
