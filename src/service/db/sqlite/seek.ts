import type { CollectionKey } from '../pages.ts';
import { blockLevels, fanOut } from '../row-counts.ts';
import type { RunQuery } from './statements.ts';

/** Identifies the rows of a list: an insertion raises `last_seq`, and a deletion lowers `total`. */
export interface ListSize {
  readonly total: number;
  readonly last_seq: number;
}

/**
 * Finds an offset of a whole list in creation order. Returns a position and how many rows to skip after it, at most 31.
 */
export type Seek = (key: CollectionKey, size: ListSize, offset: number) => { seq: number; skipped: number };

/** Neighboring blocks of one level. */
interface BlockRange {
  readonly level: number;
  readonly first: number;
  readonly last: number;
}

/** Enough for ten million rows; each takes about half a kilobyte. */
const maxRanges = 12_000;

/**
 * Creates the search through the row-count index. Counts are kept until a row of their list is inserted or deleted:
 * reading them takes longer than reading the page.
 */
export function createSeek(query: RunQuery): Seek {
  const ranges = new Map<string, ListSize & { counts: readonly number[] }>();

  function readCounts(key: CollectionKey, size: ListSize, range: BlockRange): readonly number[] {
    const name = `${key.accountId} ${key.collection} ${range.level} ${range.first}`;
    const known = ranges.get(name);
    if (known?.total === size.total && known.last_seq === size.last_seq) {
      return known.counts;
    }
    if (ranges.size >= maxRanges) {
      ranges.clear();
    }
    const counts = queryCounts(query, key, range);
    ranges.set(name, { total: size.total, last_seq: size.last_seq, counts });
    return counts;
  }

  return (key, size, offset) => {
    let rest = offset;
    let first = 0;
    let last = Math.floor((size.last_seq - 1) / fanOut ** Math.max(...blockLevels));
    for (const level of blockLevels.toReversed()) {
      const counts = readCounts(key, size, { level, first, last });
      const index = counts.findIndex((count) => {
        const isHere = rest < count;
        rest -= isHere ? 0 : count;
        return isHere;
      });
      first = (first + index) * fanOut;
      last = first + fanOut - 1;
    }
    return { seq: first, skipped: rest };
  };
}

/** Blocks without rows may be missing from the table. */
function queryCounts(
  query: RunQuery,
  { accountId, collection }: CollectionKey,
  { level, first, last }: BlockRange,
): readonly number[] {
  // Two texts are much cheaper than an object for each block.
  const [row] = query<{ blocks: string | null; counts: string | null }>(
    `select group_concat(block) as blocks, group_concat(live) as counts from blocks
      where account_id = ? and collection = ? and level = ? and block between ? and ?`,
    [accountId, collection, level, first, last],
  );
  const blocks = row?.blocks?.split(',') ?? [];
  const live = row?.counts?.split(',') ?? [];
  const counts = Array.from({ length: last - first + 1 }, () => 0);
  for (const [index, block] of blocks.entries()) {
    counts[Number(block) - first] = Number(live[index]);
  }
  return counts;
}
