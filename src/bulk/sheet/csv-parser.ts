import { SalonError } from '../../contract/errors.ts';
import { renderCount } from '../../text/numbers.ts';
import { type Delimiter, maxRowLength } from './sheet-form.ts';

export interface CsvRow {
  /** The line it begins on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the row cannot be read; it has no cells then. */
  readonly problem?: string;
}

/** No spreadsheet program saves more rows. */
const maxBlankRows = 1_048_576;

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Parses RFC 4180 with any line end. A quote inside an unquoted cell is text. After a row with unbalanced quotes,
 * parsing restarts at the next line, so that one stray quote damages no other row. Memory is bounded: rows longer
 * than `maxRowLength` cannot be read either, and a million blank rows throw `usage`.
 */
export function createCsvParser(delimiter: Delimiter) {
  const delimiterCode = delimiter.charCodeAt(0);
  let text = '';
  let line = 1;
  let blankRows = 0;
  let width = 0;
  /** Whether the text continues a row that cannot be read. */
  let isSkipping = false;
  return {
    write(chunk: string) {
      text += chunk;
      return takeRows({ isLast: false });
    },
    end: () => takeRows({ isLast: true }),
  };

  function takeRows({ isLast }: { readonly isLast: boolean }): CsvRow[] {
    const rows: CsvRow[] = [];
    let at = 0;
    while (at < text.length) {
      if (isSkipping) {
        const next = findNextLine(text, at, { isLast });
        isSkipping = next === undefined;
        if (next !== undefined) line += 1;
        at = next ?? text.length;
        continue;
      }
      const piped = delimiter === '\t' ? readPipedRow(text, at, { width, isLast }) : undefined;
      const scan = piped ?? scanRow(text, at, { delimiterCode, isLast });
      const isTooLong = text.length - at > maxRowLength;
      if (scan === 'cut' && !isLast && !isTooLong) break;
      if (typeof scan === 'object') {
        rows.push({ line, cells: scan.cells });
        width ||= scan.cells.length;
        // Quick for most rows: they begin with a digit or letter, and these are above 0x2f.
        const hasText = (scan.cells[0]?.charCodeAt(0) ?? 0) > 0x2f || !scan.cells.every(isBlank);
        if (hasText) blankRows = 0;
        else if (++blankRows > maxBlankRows) {
          const message = `More than ${renderCount(maxBlankRows)} blank lines follow line ${line - blankRows}.`;
          throw new SalonError('usage', message, { hint: 'Delete the blank lines, or the end of the file.' });
        }
        line += 1 + scan.breaks;
        at = scan.end;
        continue;
      }
      if (!isTooLong && findNextLine(text, at, { isLast }) === undefined) break;
      const unclosed = `${isTooLong ? 'The row is longer than 1 MiB; a quote may not be' : 'A quote is not'} closed.`;
      const problem = scan === 'stray' ? 'There is text after a closing quote.' : unclosed;
      rows.push({ line, cells: [], problem });
      isSkipping = true;
    }
    // The line feed of a CRLF may be in the next chunk.
    text = isSkipping && text.endsWith('\r') ? '\r' : text.slice(at);
    return rows;
  }
}

type Scan = { readonly cells: readonly string[]; readonly end: number; readonly breaks: number };

/** A row that a list in a pipe has, without quotes: one of its cells begins with a quote that none of our files would have. */
function readPipedRow(
  text: string,
  start: number,
  { width, isLast }: { readonly width: number; readonly isLast: boolean },
): Scan | 'cut' | undefined {
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end);
  if (end === -1 || !line.includes('"') || line.includes('\r')) return undefined;
  const cells = line.split('\t');
  const isOurs = cells.length === width && cells.some((cell) => /^[a-z]{3}_[\da-z]{26}$/.test(cell));
  const isBare = (cell: string) => cell.startsWith('"') && !/^"(?:[^"]|"")*""(?:[^"]|"")*"$/.test(cell);
  if (!isOurs || !cells.some(isBare)) return undefined;
  // A cell in quotes may go on in the next line, which has fewer cells then.
  if (isBare(cells.at(-1) ?? '')) {
    const nextEnd = text.indexOf('\n', end + 1);
    if (nextEnd === -1 && !isLast) return 'cut';
    const next = text.slice(end + 1, nextEnd === -1 ? undefined : nextEnd);
    if (next !== '' && next.split('\t').length < width) return undefined;
  }
  return { cells, end: end + 1, breaks: 0 };
}

/** Scans the row that begins at `start`; `cut` if the text ends before the row does. */
function scanRow(
  text: string,
  start: number,
  { delimiterCode, isLast }: { readonly delimiterCode: number; readonly isLast: boolean },
): Scan | 'cut' | 'stray' {
  const cells: string[] = [];
  let [at, breaks] = [start, 0];
  for (;;) {
    if (text.charCodeAt(at) === quote) {
      const close = findClosingQuote(text, at + 1);
      if (close === -1) return 'cut';
      const quoted = text.slice(at + 1, close);
      cells.push(quoted.includes('"') ? quoted.replaceAll('""', '"') : quoted);
      if (/[\r\n]/.test(quoted)) breaks += quoted.match(/\r\n|\n|\r/g)?.length ?? 0;
      at = close + 1;
    } else {
      const end = findBareEnd(text, at, delimiterCode);
      cells.push(text.slice(at, end));
      at = end;
    }
    // A quote at the end of a chunk may be the first of two.
    if (at >= text.length) return isLast ? { cells, end: at, breaks } : 'cut';
    const code = text.charCodeAt(at);
    if (code === delimiterCode) at += 1;
    else if (code === lineFeed) return { cells, end: at + 1, breaks };
    else if (code !== carriageReturn) return 'stray';
    else if (at + 1 === text.length && !isLast) return 'cut';
    else return { cells, end: text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1, breaks };
  }
}

function findClosingQuote(text: string, from: number): number {
  let close = text.indexOf('"', from);
  while (close !== -1 && text.charCodeAt(close + 1) === quote) close = text.indexOf('"', close + 2);
  return close;
}

function findBareEnd(text: string, from: number, delimiterCode: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === delimiterCode || code === lineFeed || code === carriageReturn) break;
    at += 1;
  }
  return at;
}

/** The start of the next line; undefined if it has not been read yet. */
function findNextLine(
  text: string,
  from: number,
  { isLast }: { readonly isLast: boolean },
): number | undefined {
  const end = text.slice(from).search(/[\r\n]/);
  if (end === -1) return isLast ? text.length : undefined;
  const at = from + end;
  if (text.charCodeAt(at) === lineFeed) return at + 1;
  if (at + 1 === text.length && !isLast) return undefined;
  return text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1;
}

/** Whether a row has no text. Spreadsheet programs leave such rows at the end. */
export function isBlankRow({ cells, problem }: CsvRow): boolean {
  return problem === undefined && cells.every(isBlank);
}

export function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}
