import { SalonError } from '../contract/errors.ts';
import { nextPlace, type PageFacts, type Place } from './paging.ts';

/** One page of a list. */
export interface Page<T> {
  /** As the server sent them, unknown members kept. */
  readonly rows: readonly T[];
  readonly page: number;
  /** How many records match, as far as the server says. */
  readonly total: number | undefined;
  /** The collection's version, from servers that count it. */
  readonly version: number | undefined;
}

/** A list from its first page to its last. Nothing is sent before the first page is asked for. */
export type Walk<T> = AsyncIterable<Page<T>>;

/** A page and what it says about where the list goes on. */
export interface PageRead<T> extends Page<T> {
  readonly facts: PageFacts;
  readonly echo: number | undefined;
}

/** Reads one page; the signal ends the reading when nobody wants it any more. */
export type ReadPage<T> = (place: Place, signal: AbortSignal) => Promise<PageRead<T>>;

export interface WalkOptions {
  readonly limit?: number | undefined;
}

/**
 * Reads a list to its end, with the next page on its way while the present one is used.
 * Throws `page_repeated` when a page comes twice; a later page's failure says how far the reading got.
 */
export async function* walk<T>(
  readPage: ReadPage<T>,
  options: WalkOptions = {},
): AsyncGenerator<Page<T>, void> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  if (limit === 0) return;
  const stop = new AbortController();
  let rows = 0;
  let fullest = 0;
  let previous: PageRead<T> | undefined;
  let coming: Promise<PageRead<T>> | undefined = start({ page: 1 });
  try {
    while (coming !== undefined) {
      const read: PageRead<T> = await coming;
      if (previous !== undefined) assertAdvanced(previous, read, rows);
      const wanted = read.rows.slice(0, limit - rows);
      rows += wanted.length;
      fullest = Math.max(fullest, read.rows.length);
      const place = rows < limit ? nextPlace(read.facts, { rows, fullest }) : undefined;
      coming = place === undefined ? undefined : start(place);
      previous = read;
      yield { rows: wanted, page: read.page, total: read.total, version: read.version };
    }
  } finally {
    stop.abort();
  }

  function start(place: Place): Promise<PageRead<T>> {
    const before = rows;
    const reading = readPage(place, stop.signal).catch((thrown: unknown) => {
      throw place.page === 1 ? thrown : atPage(thrown, place.page, before);
    });
    // Whoever is still busy with the page before hears of a failure when it asks for this one.
    reading.catch(() => {});
    return reading;
  }
}

function assertAdvanced<T>(previous: PageRead<T>, read: PageRead<T>, rows: number): void {
  const isEchoed =
    read.facts.place.link === undefined && read.echo !== undefined && previous.echo !== undefined;
  const stands = isEchoed && Number(read.echo) <= Number(previous.echo) && read.rows.length > 0;
  if (!stands && !isSamePage(previous.rows, read.rows)) return;
  throw new SalonError(
    'page_repeated',
    `Page ${read.page} is the same as the one before (${rows} rows were read).`,
    {
      hint: 'The server may name its page parameter otherwise; the dialect of the profile can say how.',
      members: { page: read.page, rows_read: rows },
    },
  );
}

function isSamePage(before: readonly unknown[], after: readonly unknown[]): boolean {
  if (before.length !== after.length || after.length === 0) return false;
  return after.every((row, index) => keyOf(row) === keyOf(before[index]));
}

/** What tells one row from another: its identifier, else all of it. */
function keyOf(row: unknown): unknown {
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  return id ?? JSON.stringify(row);
}

function atPage(thrown: unknown, page: number, rows: number): unknown {
  if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') return thrown;
  const { code, status, hint, requestId, retryable, retryAfterMs, violations } = thrown;
  const message = `${thrown.message.replace(/\.$/, '')} (at page ${page}, after ${rows} rows).`;
  const members = { ...thrown.members, page, rows_read: rows };
  return new SalonError(code, message, {
    status,
    hint,
    requestId,
    retryable,
    retryAfterMs,
    violations,
    members,
    cause: thrown,
  });
}
