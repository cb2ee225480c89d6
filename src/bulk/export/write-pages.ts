import type { Fields } from '../../client/json-object.ts';
import { keyOf, keysOf, type Page, type ResumePoint } from '../../client/pagination/page.ts';
import type { SeenKeys } from '../../client/pagination/seen-keys.ts';
import { type Chunk, joinChunks } from '../sheet/sheet-text.ts';

/** Turns the rows of a list into a file: `begin()`, any number of `rows()`, then `end()`. */
export interface RowFormatter {
  /** Gets the first page with rows, which may decide the columns; no rows if there is none. */
  begin(firstRows: readonly Fields[]): Promise<Chunk>;
  /** The chunk is valid until the next call. */
  rows(rows: readonly Fields[]): Chunk | Promise<Chunk>;
  end(): Chunk | Promise<Chunk>;
}

export interface FormattedPage {
  readonly chunk: Chunk;
  /** The page's rows, including those that another shard writes. */
  readonly rows: readonly Fields[];
  /** Number of rows in `chunk`. */
  readonly written: number;
  readonly total: number | undefined;
  readonly version: number | undefined;
  readonly resume: ResumePoint | undefined;
}

export interface WritePagesOptions {
  readonly formatter: RowFormatter;
  /** Called for one page after the other. */
  write(page: FormattedPage): Promise<void>;
  /** Rows to read at most. */
  readonly limit: number;
  /** Writes only the rows of this shard. */
  readonly shard?: Shard | undefined;
  /** Called for each page before it is written, with the number of rows read so far. */
  readonly onPage?: ((page: PageOfRows, rows: number) => void | Promise<void>) | undefined;
}

/** A page of a list, as far as writing needs it. */
export type PageOfRows = Pick<Page<Fields>, 'rows'> & Partial<Omit<Page<Fields>, 'rows'>>;

export interface WrittenPages {
  /** Rows read, and how many of them were written. */
  readonly rows: number;
  readonly written: number;
  readonly total: number | undefined;
  /** What follows the last page; the caller writes it. */
  readonly ending: Chunk;
}

/** Formats and writes page after page. The next page is requested once the last one is written. */
export async function writePages(
  pages: AsyncIterable<PageOfRows>,
  { formatter, write, limit, shard, onPage }: WritePagesOptions,
): Promise<WrittenPages> {
  let hasBegun = false;
  let [rows, written] = [0, 0];
  let total: number | undefined;
  for await (const page of pages) {
    const wanted = page.rows.slice(0, limit - rows);
    const own = shard === undefined ? wanted : wanted.filter((row) => isInShard(row, shard));
    rows += wanted.length;
    written += own.length;
    total = page.total;
    await onPage?.(page, rows);
    if (page.heldBack !== undefined) continue;
    let chunk: Chunk = '';
    // A page without rows cannot decide the columns.
    if (page.rows.length > 0) {
      const beginning = hasBegun ? '' : await formatter.begin(page.rows);
      hasBegun = true;
      chunk = joinChunks(beginning, await formatter.rows(own));
    }
    const { version, resume } = page;
    await write({ chunk, rows: wanted, written: own.length, total, version, resume });
  }
  const beginning = hasBegun ? '' : await formatter.begin([]);
  return { rows, written, total, ending: joinChunks(beginning, await formatter.end()) };
}

/** Drops the rows that `seen` has, and adds all others to it. */
export async function* onlyNewRows(
  pages: AsyncIterable<PageOfRows>,
  seen: SeenKeys,
): AsyncGenerator<PageOfRows, void> {
  for await (const page of pages) {
    const isNew = seen.add(keysOf(page.rows));
    yield { ...page, rows: page.rows.filter((_row, index) => isNew[index]) };
  }
}

/** One of several parts of a list, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Whether a row belongs to a shard: its index is the 32-bit FNV-1a hash of the row's ID (of its JSON if it has none)
 * modulo the count, plus one. The shards of one list are disjoint and complete.
 */
export function isInShard(row: unknown, { index, count }: Shard): boolean {
  return (hashFnv1a(keyOf(row)) % count) + 1 === index;
}

/** The 32-bit FNV-1a hash of a text in UTF-8. */
export function hashFnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
