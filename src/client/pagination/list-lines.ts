import { SalonError } from '../../contract/errors.ts';
import type { Fields } from '../fields.ts';
import { createPartReader, unexpectedLines } from './part-reader.ts';

/** Rows of a list in one response, up to a mark. */
export interface MarkedRows {
  readonly rows: readonly Fields[];
  /** The cursor after them; undefined at the end of the list. */
  readonly cursor: string | undefined;
}

/**
 * Reads a whole list in one response: JSON lines of rows, with marks between them. Throws `response_truncated` if it
 * stops before its end, and `unexpected_response` if it cannot be read.
 */
export async function* readMarkedRows(
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
