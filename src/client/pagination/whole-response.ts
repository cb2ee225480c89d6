import { isUtf8 } from 'node:buffer';
import { SalonError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { cursorsPreference, linesMediaType } from '../../contract/schemas.ts';
import { type Fields, isFields } from '../fields.ts';
import { readHeader } from '../headers.ts';
import type { ApiResponse } from '../http/decode.ts';
import { quote } from '../http/quote.ts';
import type { ListResponse } from './list-response.ts';
import { createLineFormat, decodeBytes, type LineFormat } from './row-lines.ts';
import { createUnreadRows } from './unread-rows.ts';

/** Asks for the whole list in one response. A server that does not know that responds with a page. */
export const wholeListHeaders = {
  accept: `${linesMediaType}, application/json;q=0.9`,
  prefer: cursorsPreference,
};

/** Statuses of a server that refuses what it does not know. */
export const notAcceptable = [406, 415];

/** A response with a whole list, which is read part by part. */
export interface WholeResponse {
  /** The next part; undefined after the last one. */
  next(): Promise<ListResponse | undefined>;
  /** The link to what the next call of `next` returns; undefined after the last part. */
  readonly link: string | undefined;
}

/** Opens a response that has a whole list; undefined if it is something else. `toLink`: the link to the rows after a cursor. */
export function openWholeResponse(
  { stream, headers }: ApiResponse,
  { origin, toLink }: { readonly origin: string; readonly toLink: (cursor: string) => string },
): WholeResponse | undefined {
  const total = Number(readHeader(headers, 'salon-total') ?? Number.NaN);
  const hasMarks = readHeader(headers, 'preference-applied')?.includes(cursorsPreference) === true;
  if (stream === undefined || !hasMarks || !Number.isSafeInteger(total)) return undefined;
  const parts = readMarkedRows(stream.chunks, origin);
  let link: string | undefined;
  return {
    get link() {
      return link;
    },
    async next() {
      const { value: part } = await parts.next();
      if (part === undefined) return undefined;
      link = part.cursor === undefined ? undefined : toLink(part.cursor);
      return toListResponse(part, { total, link });
    },
  };
}

/** Whether a response stopped before its end, so that the rest can be requested. */
export function isCut(thrown: unknown): boolean {
  return thrown instanceof SalonError && ['response_truncated', 'timeout'].includes(thrown.code);
}

function toListResponse(
  { rows }: MarkedRows,
  { total, link }: { readonly total: number; readonly link: string | undefined },
): ListResponse {
  return {
    rows,
    rowsKey: null,
    page: undefined,
    offset: undefined,
    perPage: undefined,
    pages: undefined,
    total,
    range: undefined,
    continuation: link === undefined ? { kind: 'end', name: 'end' } : { kind: 'link', name: 'cursor', link },
  };
}

/** Rows of a list in one response, up to a mark. */
interface MarkedRows {
  readonly rows: readonly Fields[];
  /** The cursor after them; undefined at the end of the list. */
  readonly cursor: string | undefined;
}

/**
 * Reads a whole list in one response: JSON lines of rows, with marks between them. Throws `response_truncated` if it
 * stops before its end, and `unexpected_response` if it cannot be read.
 */
async function* readMarkedRows(
  chunks: AsyncIterable<Uint8Array>,
  origin: string,
): AsyncGenerator<MarkedRows, void> {
  const parts = createPartReader(isMark);
  let count = 0;
  let last: MarkedRows | undefined;
  for await (const chunk of chunks) {
    if (last !== undefined) throw afterEnd();
    parts.add(chunk);
    for (let part = parts.next(); part !== undefined; part = parts.next()) {
      if (last !== undefined) throw afterEnd();
      const { rows, mark } = part;
      count += rows.length;
      if (mark['end'] !== true) {
        yield { rows, cursor: String(mark['cursor']) };
        continue;
      }
      if (mark['rows'] !== count) throw unexpectedLines(`${count} rows instead of ${mark['rows']}`);
      last = { rows, cursor: undefined };
    }
    if (last !== undefined && parts.hasMore()) throw afterEnd();
  }
  if (last === undefined) throw truncated(origin);
  // Only now has the response ended.
  yield last;
}

function isMark(line: Fields): boolean {
  return !('id' in line) && (typeof line['cursor'] === 'string' || line['end'] === true);
}

function afterEnd(): SalonError {
  return unexpectedLines('rows after the end of the list');
}

function truncated(origin: string): SalonError {
  return new SalonError('response_truncated', `The response from ${origin} is incomplete.`, {
    hint: 'Try again in a moment.',
    retryable: true,
  });
}

/** Rows, and the first line behind them that is not a row. */
export interface Part {
  readonly rows: readonly Fields[];
  readonly mark: Fields;
}

interface PartReader {
  /** Call `next` until it returns nothing before more is added. */
  add(chunk: Uint8Array): void;
  /** The next part that has arrived. Throws `unexpected_response`. */
  next(): Part | undefined;
  /** Whether anything has arrived after the last part. */
  hasMore(): boolean;
}

const lineFeed = 10;
/** Levels of nesting, as for a page. */
const maxDepth = 100;
/** Between two marks, and for one line. */
const maxBytes = 64 * 1_048_576;

/** Rows that all have the same members are not parsed before they are read. */
export function createPartReader(isMark: (line: Fields) => boolean): PartReader {
  // Used again and again, because so much garbage would let the heap grow.
  let buffer = Buffer.alloc(0);
  let filled = 0;
  /** Lines that have arrived, with a character for each byte, and how far they have been read. */
  let [lines, at] = ['', 0];
  let format: LineFormat | undefined;
  /** The rows of a part: lines of this format, or records once there was another line. */
  let [bytes, ids]: [string, string[]] = ['', []];
  let parsed: Fields[] | undefined;
  return {
    add(chunk) {
      const end = chunk.lastIndexOf(lineFeed) + 1;
      const linesEnd = end === 0 ? 0 : filled + end;
      fill(chunk);
      const arrived = buffer.subarray(0, linesEnd);
      if (!isUtf8(arrived)) throw unexpectedLines('text that is not UTF-8');
      [lines, at] = [arrived.toString('latin1'), 0];
      buffer.copyWithin(0, linesEnd, filled);
      filled -= linesEnd;
    },
    next() {
      while (at < lines.length) {
        if (readKnownLines()) continue;
        const start = at;
        at = lines.indexOf('\n', start) + 1;
        const text = decodeBytes(lines.slice(start, at - 1));
        const line = parseLine(text);
        if (isMark(line)) return { rows: takeRows(), mark: line };
        if (parsed === undefined && ids.length === 0) {
          format = createLineFormat(text);
          at = start;
          if (readKnownLines()) continue;
          at = lines.indexOf('\n', start) + 1;
        }
        parsed = [...takeRows(), line];
      }
      return undefined;
    },
    hasMore: () => filled > 0 || at < lines.length || bytes !== '' || parsed !== undefined,
  };

  function fill(chunk: Uint8Array): void {
    const needed = filled + chunk.length;
    if (needed + bytes.length > maxBytes) throw unexpectedLines('more rows at once than can be read');
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      larger.set(buffer.subarray(0, filled));
      buffer = larger;
    }
    buffer.set(chunk, filled);
    filled = needed;
  }

  function readKnownLines(): boolean {
    if (format === undefined || parsed !== undefined) return false;
    const start = at;
    at = format.readIds(lines, start, ids);
    bytes += lines.slice(start, at);
    return at > start;
  }

  function takeRows(): readonly Fields[] {
    const { names } = format ?? {};
    const rows =
      parsed ??
      (names === undefined || ids.length === 0 ? [] : createUnreadRows({ names, ids: copyOf(ids), bytes }));
    [bytes, ids, parsed] = ['', [], undefined];
    return rows;
  }
}

/** The texts that were found keep all lines that they were found in, for as long as they are kept. */
function copyOf(found: readonly string[]): readonly string[] {
  return JSON.parse(JSON.stringify(found)) as string[];
}

/** The error for a response that is no list in lines. */
function unexpectedLines(what: string, cause?: unknown): SalonError {
  return new SalonError('unexpected_response', `The server sent ${what}.`, { cause });
}

function parseLine(text: string): Fields {
  const line = parse(text);
  if (isFields(line)) return line;
  throw unexpectedLines('lines that are not records');
}

function parse(text: string): unknown {
  try {
    return parseJson(text, maxDepth);
  } catch (cause) {
    if (cause instanceof RangeError) throw unexpectedLines('JSON that is nested too deeply', cause);
    throw unexpectedLines(`"${quote(text, 120)}" instead of JSON lines`, cause);
  }
}
