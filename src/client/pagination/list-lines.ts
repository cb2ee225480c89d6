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
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a whole list in one response: JSON lines of rows, with marks between them. Throws `response_truncated` if it
 * stops before its end, and `unexpected_response` if it cannot be read.
 */
export async function* readMarkedRows(
  chunks: AsyncIterable<Uint8Array>,
  origin: string,
): AsyncGenerator<MarkedRows, void> {
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
    const lines = parseLines(Buffer.concat([...rest, chunk.subarray(0, end)]));
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

/** Line feeds are between lines only: in a JSON text they are escaped. */
function parseLines(bytes: Uint8Array): readonly Fields[] {
  const lines = parse(`[${decode(bytes).replaceAll('\n', ',')}]`);
  if (Array.isArray(lines) && lines.every(isFields)) return lines;
  throw unexpected('lines that are no records');
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw unexpected('text that is not UTF-8', cause);
  }
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
