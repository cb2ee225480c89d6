import { SalonError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { cursorsPreference, linesMediaType } from '../../contract/schemas.ts';
import type { ApiResponse } from '../http/decode.ts';
import { quote } from '../http/quote.ts';
import { responseIncomplete } from '../http/send.ts';
import { type Fields, isFields } from '../json-object.ts';
import { readHeader } from '../response-headers.ts';
import type { Continuation } from './continuation.ts';
import type { ListResponse } from './list-response.ts';

/** Asks for the whole list in one response. A server that does not know that responds with a page. */
export const wholeListHeaders = {
  accept: `${linesMediaType}, application/json;q=0.9`,
  prefer: cursorsPreference,
};

/** Statuses of a server that refuses what it does not know. */
export const notAcceptable = [406, 415];

/** A response with a whole list, which is read part by part. */
export type WholeResponse = NonNullable<ReturnType<typeof openWholeResponse>>;

/**
 * Opens a response that has a whole list; undefined if it is something else. `toLink`: the link to the rows after a
 * cursor.
 */
export function openWholeResponse(
  { stream, headers }: ApiResponse,
  { origin, toLink }: { readonly origin: string; readonly toLink: (cursor: string) => string },
) {
  const total = Number(readHeader(headers, 'salon-total') ?? Number.NaN);
  const hasMarks = readHeader(headers, 'preference-applied')?.includes(cursorsPreference) === true;
  if (stream === undefined || !hasMarks || !Number.isSafeInteger(total)) return undefined;
  const parts = readMarkedRows(stream.chunks, origin);
  let link: string | undefined;
  return {
    /** The link to what the next call of `next` returns; undefined after the last part. */
    get link() {
      return link;
    },
    /** The next part; undefined after the last one. */
    async next(): Promise<ListResponse | undefined> {
      const { value: part } = await parts.next();
      if (part === undefined) return undefined;
      link = part.cursor === undefined ? undefined : toLink(part.cursor);
      const continuation: Continuation =
        link === undefined ? { kind: 'end', name: 'end' } : { kind: 'link', name: 'cursor', link };
      return { rows: part.rows, total, continuation };
    },
  };
}

/** Whether a response stopped before its end, so that the rest can be requested. */
export function isCut(thrown: unknown): boolean {
  return thrown instanceof SalonError && ['response_truncated', 'timeout'].includes(thrown.code);
}

/** Rows of a list in one response, up to a mark. */
interface MarkedRows {
  readonly rows: readonly Fields[];
  /** The cursor after them; undefined at the end of the list. */
  readonly cursor: string | undefined;
}

/** Levels of nesting, as for a page. */
const maxDepth = 100;
/** Characters between two marks, and of one line. */
const maxLength = 64 * 1_048_576;

/**
 * Reads a whole list in one response: JSON lines of rows, with marks between them. Throws `response_truncated` if it
 * stops before its end, and `unexpected_response` if it cannot be read.
 */
async function* readMarkedRows(
  chunks: AsyncIterable<Uint8Array>,
  origin: string,
): AsyncGenerator<MarkedRows, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  let rows: Fields[] = [];
  let [count, length] = [0, 0];
  let last: MarkedRows | undefined;
  for await (const chunk of chunks) {
    const text = decode(decoder, chunk);
    length += text.length;
    if (length > maxLength) throw unexpectedLines('more rows at once than can be read');
    const end = text.lastIndexOf('\n');
    const lines = end < 0 ? [] : (rest + text.slice(0, end)).split('\n');
    rest = end < 0 ? rest + text : text.slice(end + 1);
    for (const line of lines) {
      if (last !== undefined) throw unexpectedLines('rows after the end of the list');
      const record = parseLine(line);
      if (!isMark(record)) {
        rows.push(record);
        continue;
      }
      count += rows.length;
      if (record['end'] !== true) yield { rows, cursor: String(record['cursor']) };
      else if (record['rows'] === count) last = { rows, cursor: undefined };
      else throw unexpectedLines(`${count} rows instead of ${record['rows']}`);
      [rows, length] = [[], 0];
    }
    if (last !== undefined && rest !== '') throw unexpectedLines('rows after the end of the list');
  }
  if (last === undefined) throw responseIncomplete(origin);
  // Only now has the response ended.
  yield last;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw unexpectedLines('text that is not UTF-8', cause);
  }
}

function isMark(line: Fields): boolean {
  return !('id' in line) && (typeof line['cursor'] === 'string' || line['end'] === true);
}

/** The error for a response that is no list in lines. */
function unexpectedLines(what: string, cause?: unknown): SalonError {
  return new SalonError('unexpected_response', `The server sent ${what}.`, { cause });
}

function parseLine(text: string): Fields {
  let line: unknown;
  try {
    line = parseJson(text, maxDepth);
  } catch (cause) {
    if (cause instanceof RangeError) throw unexpectedLines('JSON that is nested too deeply', cause);
    throw unexpectedLines(`"${quote(text, 120)}" instead of JSON lines`, cause);
  }
  if (isFields(line)) return line;
  throw unexpectedLines('lines that are not records');
}
