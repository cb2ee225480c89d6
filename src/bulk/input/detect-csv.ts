import { SalonError } from '../../contract/errors.ts';
import { isOpenFormula, removeExcelGuard } from '../sheet/cell-text.ts';
import { type CsvRow, createCsvParser, isBlank, isBlankRow } from '../sheet/csv-parser.ts';
import { type Delimiter, delimiters, type SheetForm } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';

/** Rows that are compared to find the delimiter. */
const sampleRows = 20;

/**
 * Detects delimiter and columns from the beginning of a CSV. The delimiter is that of Excel's `sep=` line, else the
 * one that splits the header into several columns and the following rows into as many cells. Throws `usage` for
 * empty or repeated column names.
 */
export function detectCsv(
  sample: string,
  name: string,
): Pick<SheetForm, 'delimiter' | 'columns' | 'hasSeparatorLine'> {
  const declared = /^"?sep=([,;\t|])"?[\r\n]/i.exec(sample)?.[1] as Delimiter | undefined;
  const delimiter = declared ?? detectDelimiter(sample);
  const [heading] = parseSample(sample, delimiter).slice(declared === undefined ? 0 : 1);
  if (heading === undefined)
    throw new SalonError('usage', `${name} has no header row.`, { hint: headingHint });
  return { delimiter, columns: readColumns(heading, name), hasSeparatorLine: declared !== undefined };
}

export const headingHint = 'The first line must contain the column names, such as id, email, phone.';

function detectDelimiter(sample: string): Delimiter {
  const candidates = delimiters.map((delimiter) => {
    const [heading, ...rows] = parseSample(sample, delimiter);
    const width = heading === undefined ? 0 : withoutBlankTail(heading.cells).length;
    const fitting = rows.filter(({ cells }) => cells.length >= width && cells.slice(width).every(isBlank));
    return { delimiter, width, misfits: rows.length - fitting.length };
  });
  const [best] = candidates
    .filter(({ width }) => width > 1)
    .sort((one, other) => one.misfits - other.misfits || other.width - one.width);
  return best?.delimiter ?? ',';
}

function parseSample(sample: string, delimiter: Delimiter): CsvRow[] {
  const parser = createCsvParser(delimiter);
  const rows = parser.write(sample);
  // The last row of a sample may be cut off; it counts only if there is no other.
  const all = rows.length > 0 ? rows : parser.end();
  return all.filter((row) => !isBlankRow(row)).slice(0, sampleRows);
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
 * Detects whether an export for Excel put `'` before formulas and numbers of a CSV: some cells have it, no formula is without
 * it, and the file has another trait of such exports or of spreadsheet programs: CRLF, a byte order mark, another
 * encoding or delimiter. In any other CSV, `'=x` is text.
 */
export async function detectGuard(path: string, form: SheetForm): Promise<boolean> {
  if (form.format !== 'csv' || !isFromSpreadsheet(form)) return false;
  const parser = createCsvParser(form.delimiter ?? ',');
  let hasGuarded = false;
  for await (const chunk of readText(path, form.encoding)) {
    for (const { cells } of parser.write(chunk)) {
      if (cells.some(isOpenFormula)) return false;
      hasGuarded ||= cells.some(isGuarded);
    }
  }
  const rest = parser.end().flatMap(({ cells }) => cells);
  return !rest.some(isOpenFormula) && (hasGuarded || rest.some(isGuarded));
}

function isFromSpreadsheet({ lineEnd, hasByteOrderMark, encoding, delimiter }: SheetForm): boolean {
  return lineEnd === '\r\n' || hasByteOrderMark || encoding !== 'utf-8' || delimiter !== ',';
}

function isGuarded(cell: string): boolean {
  return removeExcelGuard(cell) !== cell;
}
