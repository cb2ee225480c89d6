import { readFile, stat } from 'node:fs/promises';
import type { CellValue } from 'hucre';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { SalonError } from '../../contract/errors.ts';
import { renderCount } from '../../contract/numbers.ts';
import { formulaError } from './cell-text.ts';
import { assertUnpackedSize } from './zip-size.ts';

export interface Worksheet {
  readonly name: string;
  readonly isHidden: boolean;
}

export interface WorksheetRow {
  /** Its number in the worksheet, from 1. */
  readonly line: number;
  /** What a person would type: local days and times in ISO form, numbers with all digits; empty for a blank cell. */
  readonly cells: readonly string[];
  /** The first cell whose formula has failed. */
  readonly failure?: { readonly index: number; readonly error: string };
}

/** A larger file is refused: it is held in memory, packed. */
const maxBytes = 64 * 1_048_576;

/** The worksheets in their order. Throws `usage` if the file is damaged, protected or too large. */
export async function readWorksheets(path: string, name: string): Promise<readonly Worksheet[]> {
  const worksheets: Worksheet[] = [];
  const file = await readWorkbook(path, name);
  await withReadErrors(name, () =>
    readXlsx(file, {
      sheets(info) {
        worksheets.push({ name: info.name, isHidden: info.hidden === true || info.veryHidden === true });
        return false;
      },
    }),
  );
  return worksheets;
}

/** Reads a worksheet row by row, blank rows left out. Of a formula it takes the result that was saved. */
export async function* readWorksheet(
  path: string,
  worksheet: string,
  name = path,
): AsyncGenerator<WorksheetRow, void> {
  const rows = streamXlsxRows(await readWorkbook(path, name), { sheet: worksheet });
  for (;;) {
    const { done, value } = await withReadErrors(name, () => rows.next());
    if (done) return;
    const line = value.index + 1;
    const cells = value.values.map(toText);
    const index = cells.findIndex((cell) => formulaError.test(cell));
    if (index === -1) yield { line, cells };
    else yield { line, cells, failure: { index, error: cells[index] ?? '' } };
  }
}

async function readWorkbook(path: string, name: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > maxBytes) {
    throw new SalonError(
      'usage',
      `${name} is too large: ${renderCount(Math.ceil(size / 1_048_576))} MB, the limit for .xlsx is 64 MB.`,
      {
        hint: 'Save it as CSV, which has no size limit.',
      },
    );
  }
  const file = await readFile(path);
  assertUnpackedSize(file, name);
  return file;
}

async function withReadErrors<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const hint =
      'Open it in a spreadsheet program and save it again as .xlsx, without a password, or as CSV.';
    throw new SalonError('usage', `Cannot read ${name}: ${cause.message}`, { hint, cause });
  }
}

function toText(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return toLocalText(value);
  // Beyond 2^53 a program has saved other digits than were typed; all of them show it.
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

const firstDayMs = Date.UTC(1899, 11, 31);

/** A date cell as `2026-11-24`, `2026-11-24 15:00:30` or, without a day, `15:00`. */
function toLocalText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '#NUM!';
  const [day = '', time = ''] = date.toISOString().slice(0, -1).split('T');
  const shown = time.replace(/\.000$/, '').replace(/:00$/, '');
  if (date.getTime() <= firstDayMs + 86_400_000 && shown !== '00:00') return shown;
  return shown === '00:00' ? day : `${day} ${shown}`;
}
