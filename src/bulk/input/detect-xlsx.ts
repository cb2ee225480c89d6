import { open } from 'node:fs/promises';
import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { isBlank } from '../sheet/csv-parser.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import { headingHint, readColumns } from './detect-csv.ts';

const zipStart = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

/** Whether a file is an .xlsx or another archive of a spreadsheet program; an .ods says so at its start. */
export async function isXlsx(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
  const start = buffer.subarray(0, bytesRead);
  return start.subarray(0, 4).equals(zipStart) && !start.includes('mimetypeapplication/vnd.oasis');
}

/** Finds worksheet and columns of an .xlsx: the first one that is not hidden, unless it is named. Throws `usage`. */
export async function detectXlsx(
  path: string,
  name: string,
  { worksheet: wanted, signal }: { worksheet?: string | undefined; signal?: AbortSignal | undefined },
): Promise<Pick<SheetForm, 'columns' | 'worksheet' | 'countsFrom1904'>> {
  const { readWorksheets, readFirstRows } = await import('../sheet/xlsx-reader.ts');
  const worksheets = await readWorksheets(path, name);
  const found =
    wanted === undefined
      ? (worksheets.find(({ isHidden }) => !isHidden) ?? worksheets[0])
      : (worksheets.find((one) => one.name === wanted) ??
        worksheets.find((one) => one.name.toLowerCase() === wanted.toLowerCase()));
  if (found === undefined)
    throw noWorksheet(
      name,
      wanted,
      worksheets.map((one) => one.name),
    );
  for await (const { line, cells } of readFirstRows(path, { worksheet: found.name, name, signal })) {
    if (cells.every(isBlank)) continue;
    const columns = readColumns({ line, cells }, name);
    const worksheet = { name: found.name, count: worksheets.length };
    return { columns, worksheet, ...(found.countsFrom1904 ? { countsFrom1904: true } : {}) };
  }
  throw new SalonError(
    'usage',
    `Worksheet "${found.name}" of ${name} has no heading in its first 1,000 rows.`,
    { hint: headingHint },
  );
}

function noWorksheet(name: string, wanted: string | undefined, names: readonly string[]): SalonError {
  if (wanted === undefined) return new SalonError('usage', `${name} has no worksheet.`);
  const near = closest(wanted, names);
  const question = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new SalonError('usage', `${name} has no worksheet "${wanted}".${question}`, {
    hint: `Worksheets: ${names.join(', ')}`,
  });
}
