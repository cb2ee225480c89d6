import { keyOf, keysOf, type Page, type ResumePoint } from '../../client/pagination/page.ts';
import type { SeenKeys } from '../../client/pagination/seen-keys.ts';

/** A record as the server sent it. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows in, text out: the whole is what `begin`, any number of `rows` and `end` answer, in this order. */
export interface RowLayout {
  /** Given the rows of the first page that has any: they may decide which fields there are. */
  begin(first: readonly Row[]): Promise<string>;
  rows(rows: readonly Row[]): string;
  end(): string;
}

/** A page on its way into a file or a stream. */
export interface Piece {
  readonly text: string;
  /** Rows of the list that this piece stands for, whether or not they are in its text. */
  readonly rows: readonly Row[];
  /** How many of them are. */
  readonly written: number;
  readonly total: number | undefined;
  readonly version: number | undefined;
  readonly resume: ResumePoint | undefined;
}

export interface Pouring {
  readonly layout: RowLayout;
  /** Takes the pieces, one after the other. */
  take(piece: Piece): Promise<void>;
  /** Rows of the list to read at most. */
  readonly limit: number;
  /** Only what belongs to it is written. */
  readonly shard?: Shard | undefined;
  /** Sees each page before it is taken, and how many rows were read with it. */
  readonly watch?: ((page: PouredPage, rows: number) => void | Promise<void>) | undefined;
}

/** A page of a list, as far as pouring needs to know it. */
export type PouredPage = Pick<Page<Row>, 'rows'> & Partial<Omit<Page<Row>, 'rows'>>;

export interface Poured {
  /** Rows of the list that were read, and those of them that were written. */
  readonly rows: number;
  readonly written: number;
  readonly total: number | undefined;
  /** Text that belongs behind all pieces. */
  readonly ending: string;
}

/** Pours pages through a layout, each taken before the next is asked for. */
export async function pour(pages: AsyncIterable<PouredPage>, pouring: Pouring): Promise<Poured> {
  const { layout, take, limit, shard, watch } = pouring;
  let hasBegun = false;
  let [rows, written] = [0, 0];
  let total: number | undefined;
  const begin = async (first: readonly Row[]) => {
    if (hasBegun) return '';
    hasBegun = true;
    return layout.begin(first);
  };
  for await (const page of pages) {
    const fresh = page.rows.slice(0, limit - rows);
    const own = shard === undefined ? fresh : fresh.filter((row) => isInShard(row, shard));
    rows += fresh.length;
    written += own.length;
    total = page.total;
    await watch?.(page, rows);
    if (page.heldBack !== undefined) continue;
    // A page without rows cannot say which fields there are.
    const text = page.rows.length === 0 ? '' : (await begin(page.rows)) + layout.rows(own);
    const { version, resume } = page;
    await take({ text, rows: fresh, written: own.length, total, version, resume });
  }
  return { rows, written, total, ending: (await begin([])) + layout.end() };
}

/** Pages without the rows that `sightings` knows; it knows all of them then. */
export async function* onlyNewRows(
  pages: AsyncIterable<PouredPage>,
  sightings: SeenKeys,
): AsyncGenerator<PouredPage, void> {
  for await (const page of pages) {
    const isNew = sightings.add(keysOf(page.rows));
    yield { ...page, rows: page.rows.filter((_row, index) => isNew[index]) };
  }
}

/** One of several parts of a list, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Whether a row belongs to a shard: the 32-bit FNV-1a hash of its identifier in UTF-8 (of its JSON where it has none),
 * modulo the count, plus one, is the shard's index. The shards of one moment are disjoint, and together they are the list.
 */
export function isInShard(row: unknown, { index, count }: Shard): boolean {
  return (hashFnv1a(keyOf(row)) % count) + 1 === index;
}

/** FNV-1a with 32 bits over the text in UTF-8. */
export function hashFnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
