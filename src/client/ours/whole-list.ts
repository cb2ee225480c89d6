import type { Endpoint } from '../../contract/endpoint.ts';
import { SalonError } from '../../contract/errors.ts';
import { cursorsPreference, linesMediaType } from '../../contract/schemas.ts';
import { parseJson } from '../../text/json.ts';
import { quote } from '../../text/quote.ts';
import type { ApiRequester } from '../http/api-requester.ts';
import type { ApiResponse } from '../http/decode.ts';
import { responseIncomplete } from '../http/send.ts';
import { type Fields, isFields } from '../json-object.ts';
import { readHeader, readVersion } from '../response-headers.ts';

/** A part of a whole list. */
interface WholePart {
  readonly rows: readonly Fields[];
  readonly total: number;
  readonly version: number | undefined;
  /** The link to the rows after these; undefined at the end of the list. */
  readonly cursor: string | undefined;
  /** How many requests it took: mostly none. */
  readonly requests: number;
}

/** A list in one response, which is read part by part while it arrives. */
export function createWholeList(
  endpoint: Endpoint,
  { api, origin }: { readonly api: ApiRequester; readonly origin: string },
) {
  let asksForAll = true;
  let whole: ReturnType<typeof openWholeResponse>;
  return {
    /**
     * The part at a link, or the first one. Where the service responds with a page instead: its response; where it has to
     * be asked for a page: undefined.
     */
    async read(
      query: URLSearchParams,
      link: string | undefined,
      signal: AbortSignal,
    ): Promise<WholePart | { readonly response: ApiResponse } | undefined> {
      if (link !== undefined && whole?.link === link) {
        const part = await readPart(0).catch(undefinedIfCut);
        if (part !== undefined) return part;
      }
      for (let requests = 1; asksForAll; requests += 1) {
        const response = await requestAll(query, signal);
        if (response?.stream === undefined) {
          asksForAll = false;
          return response && { response };
        }
        const part = await readPart(requests).catch((thrown) =>
          requests < maxAttempts ? undefinedIfCut(thrown) : Promise.reject(thrown),
        );
        if (part !== undefined) return part;
      }
      return undefined;
    },
  };

  async function readPart(requests: number): Promise<WholePart> {
    const part = await whole?.next();
    if (part === undefined) throw new RangeError('The list has ended.');
    return { ...part, requests };
  }

  /** Undefined if the server understands something else by that. */
  async function requestAll(query: URLSearchParams, signal: AbortSignal): Promise<ApiResponse | undefined> {
    const toLink = (cursor: string) => {
      const rest = new URLSearchParams(query);
      rest.set('after', cursor);
      return `${endpoint.path}?${rest}`;
    };
    try {
      const request = { query, headers: wholeListHeaders, signal, streams: true };
      const response = await api.endpoint(endpoint, request);
      if (response.stream === undefined) return response;
      whole = openWholeResponse(response, { origin, toLink });
      if (whole !== undefined) return response;
      response.stream.cancel();
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || !notAcceptable.includes(thrown.status ?? 0)) throw thrown;
    }
    return undefined;
  }
}

/** How often a whole list is requested without getting any of its rows. */
const maxAttempts = 4;

/** Asks for the whole list in one response. A server that does not know that responds with a page. */
const wholeListHeaders = {
  accept: `${linesMediaType}, application/json;q=0.9`,
  prefer: cursorsPreference,
};

/** Statuses of a server that refuses what it does not know. */
const notAcceptable = [406, 415];

/** A response that stopped before its end, so that the rest can be requested. */
function undefinedIfCut(thrown: unknown): undefined {
  if (!(thrown instanceof SalonError) || !['response_truncated', 'timeout'].includes(thrown.code))
    throw thrown;
}

/** Opens a response that has a whole list; undefined if it is something else. */
export function openWholeResponse(
  { stream, headers }: ApiResponse,
  { origin, toLink }: { readonly origin: string; readonly toLink: (cursor: string) => string },
) {
  const total = Number(readHeader(headers, 'salon-total') ?? Number.NaN);
  const hasMarks = readHeader(headers, 'preference-applied')?.includes(cursorsPreference) === true;
  if (stream === undefined || !hasMarks || !Number.isSafeInteger(total)) return undefined;
  const parts = readMarkedRows(stream.chunks, origin);
  const version = readVersion(headers);
  let link: string | undefined;
  return {
    /** The link to what the next call of `next` returns; undefined after the last part. */
    get link() {
      return link;
    },
    /** The next part; undefined after the last one. */
    async next() {
      const { value: part } = await parts.next();
      if (part === undefined) return undefined;
      link = part.cursor === undefined ? undefined : toLink(part.cursor);
      return { rows: part.rows, total, version, cursor: link };
    },
  };
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
