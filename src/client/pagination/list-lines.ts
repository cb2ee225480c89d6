import { isUtf8 } from 'node:buffer';
import { SalonError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { type Fields, isFields } from '../fields.ts';
import { quote } from '../http/quote.ts';

/** Rows of a list in one response, up to a mark. */
export interface MarkedRows {
  readonly rows: readonly Fields[];
  /** The cursor after them; undefined at the end of the list. */
  readonly cursor: string | undefined;
}

const lineFeed = 10;
/** Levels of nesting, as for a page. */
const maxDepth = 100;
/** Between two marks, and for one line. */
const maxBytes = 64 * 1_048_576;
const [openBracket, closeBracket, comma] = Buffer.from('[],');

/**
 * Parses a whole list in one response: JSON lines of rows, with marks between them. Throws `response_truncated` if it
 * stops before its end, and `unexpected_response` if it cannot be read.
 */
export async function* readMarkedRows(
  chunks: AsyncIterable<Uint8Array>,
  origin: string,
): AsyncGenerator<MarkedRows, void> {
  const parseLines = createLineParser();
  let rest: Uint8Array[] = [];
  let rows: Fields[] = [];
  let [count, bytes] = [0, 0];
  let hasEnded = false;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw unexpected('more rows at once than can be read');
    const end = chunk.lastIndexOf(lineFeed);
    if (end === -1) {
      rest.push(chunk);
      continue;
    }
    const lines = parseLines([...rest, chunk.subarray(0, end)]);
    rest = [chunk.subarray(end + 1)];
    for (const line of lines) {
      if (hasEnded) throw unexpected('rows after the end of the list');
      if ('id' in line || !isMark(line)) {
        rows.push(line);
        continue;
      }
      count += rows.length;
      hasEnded = line['end'] === true;
      if (hasEnded && line['rows'] !== count) throw unexpected(`${count} rows instead of ${line['rows']}`);
      if (hasEnded) continue;
      yield { rows, cursor: String(line['cursor']) };
      [rows, bytes] = [[], 0];
    }
  }
  if (!hasEnded) throw truncated(origin);
  // Only now has the response ended.
  yield { rows, cursor: undefined };
}

/** Parses some lines at once, as a JSON array: line feeds are between lines only, because a JSON text escapes them. */
function createLineParser(): (parts: readonly Uint8Array[]) => readonly Fields[] {
  // Used again and again, because so much garbage would let the heap grow.
  let buffer = Buffer.alloc(0);
  return (parts) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0) + 2;
    if (buffer.length < length) buffer = Buffer.alloc(2 * length);
    let end = buffer.writeUInt8(openBracket ?? 0);
    for (const part of parts) {
      buffer.set(part, end);
      end += part.length;
    }
    end = buffer.writeUInt8(closeBracket ?? 0, end);
    const bytes = buffer.subarray(0, end);
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
      bytes[at] = comma ?? 0;
    }
    if (!isUtf8(bytes)) throw unexpected('text that is not UTF-8');
    const lines = parse(bytes.toString());
    if (Array.isArray(lines) && lines.every(isFields)) return lines;
    throw unexpected('lines that are no records');
  };
}

function parse(text: string): unknown {
  try {
    return parseJson(text, maxDepth);
  } catch (cause) {
    if (cause instanceof RangeError) throw unexpected('JSON that is nested too deeply', cause);
    throw unexpected(`"${quote(text.slice(1), 120)}" instead of JSON lines`, cause);
  }
}

function isMark(line: Fields): boolean {
  return typeof line['cursor'] === 'string' || line['end'] === true;
}

function unexpected(what: string, cause?: unknown): SalonError {
  return new SalonError('unexpected_response', `The server sent ${what}.`, { cause });
}

function truncated(origin: string): SalonError {
  return new SalonError('response_truncated', `The response from ${origin} is incomplete.`, {
    hint: 'Try again in a moment.',
    retryable: true,
  });
}
