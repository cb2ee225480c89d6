import { type Delimiter, longestRow } from './sheet-form.ts';

/** Splits a CSV into rows and cells, piece by piece. */
export interface CsvSplitter {
  write(piece: string): CsvRow[];
  end(): CsvRow[];
}

export interface CsvRow {
  /** Line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why it has no cells. */
  readonly unreadable?: string;
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * RFC 4180 with any line end; a quote inside a cell that does not begin with one is text. A row whose quotes do not
 * fit is told as unreadable, and the line after the one it begins on is taken for a row again, so that a single
 * stray quote spoils no other row. Rows longer than `longestRow` are unreadable too, which bounds the memory.
 */
export function createCsvSplitter(delimiter: Delimiter): CsvSplitter {
  const delimiterCode = delimiter.charCodeAt(0);
  let text = '';
  let line = 1;
  /** Whether what comes is the rest of a row that was too long. */
  let isSkipping = false;
  return {
    write(piece) {
      text += piece;
      return takeRows({ isLast: false });
    },
    end: () => takeRows({ isLast: true }),
  };

  function takeRows({ isLast }: { readonly isLast: boolean }): CsvRow[] {
    const rows: CsvRow[] = [];
    let at = 0;
    while (at < text.length) {
      if (isSkipping) {
        isSkipping = !skipLine();
        continue;
      }
      const scan = scanRow(text, at, { delimiterCode, isLast });
      const isTooLong = text.length - at > longestRow;
      if (scan === 'cut' && !isLast && !isTooLong) break;
      if (typeof scan === 'object') {
        rows.push({ line, cells: scan.cells });
        line += 1 + scan.breaks;
        at = scan.end;
        continue;
      }
      if (!isTooLong && findNextLine(text, at, { isLast }) === undefined) break;
      rows.push({ line, cells: [], unreadable: explain(scan, { isTooLong }) });
      isSkipping = true;
    }
    text = isSkipping && text.endsWith('\r') ? '\r' : text.slice(at);
    return rows;

    /** Goes behind the end of a line; to the end of the text where that is not there yet. */
    function skipLine(): boolean {
      const next = findNextLine(text, at, { isLast });
      at = next ?? text.length;
      if (next !== undefined) line += 1;
      return next !== undefined;
    }
  }
}

type Scan = { readonly cells: readonly string[]; readonly end: number; readonly breaks: number };

/** The row that begins at a place; `cut` where the text ends before it does. */
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
      // What looks like the closing quote may be half of a doubled one.
      if (close === -1 || (close === text.length - 1 && !isLast)) return 'cut';
      const quoted = text.slice(at + 1, close);
      cells.push(quoted.includes('"') ? quoted.replaceAll('""', '"') : quoted);
      breaks += countLineBreaks(quoted);
      at = close + 1;
    } else {
      const end = findBareEnd(text, at, delimiterCode);
      cells.push(text.slice(at, end));
      at = end;
    }
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

/** Where the line after this one begins; undefined where that cannot be seen yet. */
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

function explain(scan: 'cut' | 'stray', { isTooLong }: { readonly isTooLong: boolean }): string {
  if (scan === 'stray') return 'A quoted cell has more text behind its closing quote.';
  return isTooLong
    ? 'The row does not end: a quote may be open, or it is longer than a request may be.'
    : 'A quote is opened and never closed.';
}

function countLineBreaks(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
