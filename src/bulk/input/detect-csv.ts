import { SalonError } from '../../contract/errors.ts';
import { addExcelGuard, removeExcelGuard } from '../sheet/cell-text.ts';
import { type CsvRow, createCsvSplitter } from '../sheet/csv-parser.ts';
import { type Delimiter, delimiters, type SheetForm } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/text-encoding.ts';
import { isBlank, isBlankRow } from './read-sheet.ts';

/** Rows that are looked at to find the delimiter. */
const mostRows = 20;

/**
 * What a CSV's beginning says of it. The delimiter is the one of Excel's `sep=` line, else the one that makes several
 * columns of the heading and cuts the rows behind it alike. Throws `usage` for a heading that does not name every
 * column once.
 */
export function detectCsv(
  sample: string,
  name: string,
): Pick<SheetForm, 'delimiter' | 'columns' | 'hasSeparatorLine'> {
  const said = /^"?sep=([,;\t|])"?[\r\n]/i.exec(sample)?.[1] as Delimiter | undefined;
  const delimiter = said ?? findDelimiter(sample);
  const [heading] = splitBeginning(sample, delimiter).slice(said === undefined ? 0 : 1);
  if (heading === undefined) throw new SalonError('usage', `${name} has no heading.`, { hint: headingHint });
  return { delimiter, columns: readColumns(heading, name), hasSeparatorLine: said !== undefined };
}

const headingHint = 'The first line names the columns, such as id,email,phone.';

function findDelimiter(sample: string): Delimiter {
  const candidates = delimiters.map((delimiter) => {
    const [heading, ...rows] = splitBeginning(sample, delimiter);
    const width = heading === undefined ? 0 : withoutBlankTail(heading.cells).length;
    const fitting = rows.filter(({ cells }) => cells.length >= width && cells.slice(width).every(isBlank));
    return { delimiter, width, misfits: rows.length - fitting.length };
  });
  const [best] = candidates
    .filter(({ width }) => width > 1)
    .sort((one, other) => one.misfits - other.misfits || other.width - one.width);
  return best?.delimiter ?? ',';
}

function splitBeginning(sample: string, delimiter: Delimiter): CsvRow[] {
  const splitter = createCsvSplitter(delimiter);
  const rows = splitter.write(sample);
  // The last row of a sample is cut, unless there is no other.
  const all = rows.length > 0 ? rows : splitter.end();
  return all.filter((row) => !isBlankRow(row)).slice(0, mostRows);
}

function readColumns({ line, cells, unreadable }: CsvRow, name: string): string[] {
  const refuse = (reason: string) =>
    new SalonError('usage', `${name}, line ${line}: ${reason}`, { hint: headingHint });
  if (unreadable !== undefined) throw refuse(unreadable);
  const columns = withoutBlankTail(cells).map((cell) => cell.trim());
  for (const [index, column] of columns.entries()) {
    if (column === '') throw refuse(`Column ${index + 1} has no name.`);
    if (column === '__proto__') throw refuse(`Column ${index + 1} cannot be called ${column}.`);
    if (columns.indexOf(column) < index) throw refuse(`Two columns are called ${column}.`);
  }
  return columns;
}

/** Spreadsheet programs leave columns behind in which nothing stands any more. */
function withoutBlankTail(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => !isBlank(cell)) + 1);
}

/**
 * Whether the cells of a CSV carry the `'` that an export for Excel puts before formulas. They do where some have it,
 * none that would have got it is without, and the file has something that spreadsheet programs and that export leave
 * behind and a plain export does not: CRLF, a byte order mark, another encoding or delimiter. A `'=x` in any other CSV
 * is text.
 */
export async function detectGuard(path: string, form: SheetForm): Promise<boolean> {
  if (form.format !== 'csv' || !isOfSpreadsheet(form)) return false;
  const splitter = createCsvSplitter(form.delimiter ?? ',');
  let hasGuarded = false;
  for await (const piece of readText(path, form)) {
    for (const { cells } of splitter.write(piece)) {
      if (cells.some(isUnguarded)) return false;
      hasGuarded ||= cells.some(isGuarded);
    }
  }
  const rest = splitter.end().flatMap(({ cells }) => cells);
  return !rest.some(isUnguarded) && (hasGuarded || rest.some(isGuarded));
}

function isOfSpreadsheet({ lineEnd, hasByteOrderMark, encoding, delimiter }: SheetForm): boolean {
  return lineEnd === '\r\n' || hasByteOrderMark || encoding !== 'utf-8' || delimiter !== ',';
}

function isGuarded(cell: string): boolean {
  return removeExcelGuard(cell) !== cell;
}

function isUnguarded(cell: string): boolean {
  return !cell.startsWith("'") && addExcelGuard(cell) !== cell;
}
