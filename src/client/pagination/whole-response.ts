import { SalonError } from '../../contract/errors.ts';
import { cursorsPreference, linesMediaType } from '../../contract/list-stream.ts';
import { readHeader } from '../headers.ts';
import type { ApiResponse } from '../http/decode.ts';
import { type MarkedRows, readMarkedRows } from './list-lines.ts';
import type { ListResponse } from './list-response.ts';

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
